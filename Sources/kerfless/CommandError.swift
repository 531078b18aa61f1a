import Remuxing

/// How a command ends.
typealias ExitCode = Int32

/// Why a command ends without its result.
struct CommandError: Error {
  let failure: Failure

  init(_ failure: Failure) {
    self.failure = failure
  }

  /// A command line that cannot be understood.
  static func usage(_ message: String, _ advice: String?) -> CommandError {
    CommandError(Failure(.usage, message, advice: advice))
  }

  var exitCode: ExitCode { failure.code.exitStatus.rawValue }
}

/// Runs a part of the engine inside a command.
func engine<R>(_ body: () throws(Failure) -> R) throws(CommandError) -> R {
  do throws(Failure) {
    return try body()
  } catch {
    throw CommandError(error)
  }
}
