import Remuxing
import SystemIO

/// `clean`: stale temporary files of dead runs.
enum CleanCommand {
  static func run(_ arguments: Arguments) throws(CommandError) -> ExitCode {
    let console = Console(printsJSON: arguments.has(.json))
    for folder in try arguments.paths(1...Int.max, "folder") {
      let removed = try engine { () throws(Failure) in
        do throws(SystemError) {
          return try TemporaryFile.clean(folder)
        } catch {
          throw Failure(error)
        }
      }
      if console.printsJSON {
        try console.printResult(
          JSONValue.object([
            ("schema", .string("kerfless.clean/1")), ("path", .string(folder.description)),
            ("removed", .array(removed.map { .string($0.description) })),
          ]).text)
      } else {
        try console.printResult("\(folder): \(removed.count) temporary files removed")
      }
    }
    return ExitStatus.done.rawValue
  }
}
