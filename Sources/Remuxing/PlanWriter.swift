public import SystemIO

/// How the payload of an output was moved.
public enum CopyMethod: String, CaseIterable, Sendable {
  /// Chosen by what the file systems can.
  case auto
  /// Whole blocks shared between source and target (FICLONERANGE).
  case clone
  /// Inside the kernel (copy_file_range).
  case copy
  /// writev from the source's mapping.
  case gather
}

/// What moving the payload took.
public struct TransferReport: Equatable, Sendable {
  /// The method that was used.
  public let method: CopyMethod
  /// Payload bytes shared with the source.
  public let clonedByteCount: Int
  /// Payload bytes copied or shared by the kernel.
  public let copiedByteCount: Int
  /// Payload bytes written from memory.
  public let gatheredByteCount: Int
}

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
  ///
  /// Throws when that way does not exist yet.
  public init(method: CopyMethod) throws(Failure) {
    guard method == .auto || method == .gather else {
      throw Failure(
        .unavailable, "--io \(method.rawValue) is not available yet",
        advice: "use --io gather, or leave it out")
    }
    self.method = method
  }

  /// Writes a whole plan and publishes it; on any failure nothing remains.
  public func write(_ plan: Plan, to target: OutputTargetName) throws(Failure) -> TransferReport {
    do throws(SystemError) {
      try writeAndPublish(plan, to: target)
    } catch let error where error.reason == .mustBeWrittenAgain {
      try operating { () throws(SystemError) in try writeAndPublish(plan, to: target) }
    } catch let error where error.errno?.isBadAddress ?? false {
      // EFAULT: a source could not be read, because it was truncated or because its medium failed.
      try operating { () throws(SystemError) in try requireUnchanged(plan.sources) }
      throw Failure(
        .inputOutput, "a source cannot be read",
        path: plan.sources.count == 1 ? plan.sources[0].path : error.path,
        advice: "check the sources' medium")
    } catch {
      throw Failure(error)
    }
    return TransferReport(
      method: .gather, clonedByteCount: 0, copiedByteCount: 0, gatheredByteCount: plan.payloadByteCount)
  }

  /// Whether an output could be made, told without making anything.
  ///
  /// Throws what `write` would throw for the target's name and folder.
  public func check(_ plan: Plan, for target: OutputTargetName) throws(Failure) {
    guard case .file(let path, let options) = target else { return }
    try operating { () throws(SystemError) in
      try OutputFile.check(path, options: options, sources: plan.sources.map(\.identity))
    }
  }

  private func writeAndPublish(_ plan: Plan, to target: OutputTargetName) throws(SystemError) {
    let output =
      switch target {
      case .file(let path, let options):
        try OutputFile(creating: path, options: options, sources: plan.sources.map(\.identity))
      case .standardOutput(let options):
        OutputFile(standardOutput: options)
      }
    try output.write(plan.pieces, made: plan.made, sources: plan.sources)
    // A truncated source can hand zeros to writev without an error.
    try requireUnchanged(plan.sources)
    try output.publish()
  }

  private func requireUnchanged(_ sources: [MappedFile]) throws(SystemError) {
    for source in sources { try source.checkUnchanged() }
  }
}
