public import SystemIO

/// Where an output goes.
public enum OutputTargetName: Sendable {
  /// A path.
  case file(FilePath, OutputOptions)
  /// Standard output; of the options only the durability counts.
  case standardOutput(OutputOptions)
}

/// Writes plans.
public struct PlanWriter: Sendable {
  private let method: CopyMethod

  /// A writer that moves payload in one way.
  public init(method: CopyMethod) {
    self.method = method
  }

  /// Writes a whole plan and publishes it; on any failure nothing remains.
  ///
  /// Throws `unavailable` when a method other than `auto` was asked for and cannot be used; see `CopyMethod`.
  public func write(_ plan: Plan, to target: OutputTargetName) throws(Failure) -> TransferReport {
    do throws(SystemError) {
      return try writeAndPublish(plan, to: target)
    } catch {
      throw try explain(error, of: plan)
    }
  }

  /// What a source that changed looks like to the kernel is told as that.
  private func explain(_ error: SystemError, of plan: Plan) throws(Failure) -> Failure {
    switch error.reason {
    case .call(_, let errno) where errno.isBadAddress:
      // EFAULT: a source could not be read, because it was truncated or because its medium failed.
      try operating { () throws(SystemError) in try requireUnchanged(plan.sources) }
      return Failure(
        .inputOutput, "a source cannot be read",
        path: plan.sources.count == 1 ? plan.sources[0].path : error.path,
        advice: "check the sources' medium")
    case .cannotMove:
      // Blocks that a truncated source no longer has are refused like blocks that cannot be shared.
      try operating { () throws(SystemError) in try requireUnchanged(plan.sources) }
      return Failure(error)
    default:
      return Failure(error)
    }
  }

  /// Whether an output could be made, told without making anything.
  ///
  /// Throws what `write` would throw for the target's name and folder.
  public func check(_ plan: Plan, for target: OutputTargetName) throws(Failure) {
    guard case .file(let path, let options) = target else { return }
    try operating { () throws(SystemError) in
      try OutputFile.check(path, options: options, sources: plan.sources.map(\.identity), by: method)
    }
  }

  private func writeAndPublish(_ plan: Plan, to target: OutputTargetName) throws(SystemError)
    -> TransferReport
  {
    let output =
      switch target {
      case .file(let path, let options):
        try OutputFile(creating: path, options: options, sources: plan.sources.map(\.identity), by: method)
      case .standardOutput(let options):
        try OutputFile(standardOutput: options, sources: plan.sources.map(\.identity), by: method)
      }
    let report = try output.write(plan.pieces, made: plan.made, sources: plan.sources)
    // A truncated source can hand zeros to writev without an error.
    try requireUnchanged(plan.sources)
    try output.publish()
    return report
  }

  private func requireUnchanged(_ sources: [MappedFile]) throws(SystemError) {
    for source in sources { try source.checkUnchanged() }
  }
}
