import Remuxing
import SystemIO

/// `verify`: one verdict a file.
enum VerifyCommand {
  static func run(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    let paths = try arguments.paths(1...Int.max, "file")
    let expectation = try expectation(arguments)
    var status = ExitStatus.done
    for path in paths {
      let result: Result<FileVerification, Failure> = Result { () throws(Failure) in
        try FileVerification(path, expecting: expectation)
      }
      let own: ExitStatus
      switch result {
      case .success(let verification):
        own = verification.verdict.exitStatus
        if console.printsJSON { console.print(verification.json) } else { console.print(verification.lines) }
      case .failure(let failure):
        own = failure.code.exitStatus
        console.printFailure(failure)
      }
      // A file that is wrong counts for more than one that nothing is known of.
      if status == .done || status == .unsupported && own != .done { status = own }
    }
    return status.rawValue
  }

  /// What `--source` says that the payload is; nil without it.
  private static func expectation(_ arguments: Arguments) throws(CommandError) -> PayloadExpectation? {
    let operands = arguments.all(.source)
    guard !operands.isEmpty else {
      for option in [Option.cut, .preroll, .snap, .clamp, .track, .ignoreEdits]
      where arguments.has(option) || arguments.bytes(option) != nil {
        throw .usage("--\(option.name) goes with --source", "leave it out: all of a file is looked at")
      }
      return nil
    }
    let isGiven = arguments.bytes(.cut) != nil
    // Where it is not given, options of either mode may be.
    let options = try arguments.cutOptions(
      else: arguments.bytes(.preroll) != nil ? .exact : .frame)
    let trackID = try arguments.number(.track)
    return PayloadExpectation(
      segments: try SegmentArgument.requests(operands, trackID: trackID), options: options,
      isModeGiven: isGiven, trackID: trackID)
  }
}

extension FileVerification.Verdict {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .right: .done
    case .wrong: .badInput
    case .unchecked: .unsupported
    }
  }
}
