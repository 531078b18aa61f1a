import Remuxing
import SystemIO

/// `clean`: stale temporary files of dead runs.
enum CleanCommand {
  static func run(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    for folder in try arguments.paths(1...Int.max, "folder") {
      let removed = try engine { () throws(Failure) in
        do throws(SystemError) {
          return try TemporaryFile.clean(folder, recursively: arguments.has(.recursive))
        } catch {
          throw Failure(error)
        }
      }
      if console.printsJSON {
        console.print(
          .object([
            ("schema", .string("kerfless.clean/1")), ("path", .string(folder.description)),
            ("removed", .array(removed.map { .string($0.description) })),
          ]))
      } else {
        console.print(["\(folder): \(removed.count.counted("temporary file")) removed"])
      }
    }
    return ExitStatus.done.rawValue
  }
}
