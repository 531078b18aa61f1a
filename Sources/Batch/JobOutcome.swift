public import Remuxing
public import SystemIO

/// What became of one job.
public struct JobOutcome: Sendable {
  /// How it ended.
  public enum Ending: Sendable {
    /// The output is there.
    case done(Delivery)
    /// It is not, and this is why.
    case failed(Failure)
    /// An earlier run had done it.
    case skipped
  }

  /// The line of the manifest, from 1.
  public let line: Int
  /// What the job is called; nil for a line that is no job.
  public let id: String?
  /// Where the output goes; nil for a line that is no job.
  public let output: FilePath?
  /// How it ended.
  public let ending: Ending
  /// How long it took, in nanoseconds.
  public let nanoseconds: Int
}

extension JobOutcome {
  init(invalid line: Int, _ error: LineError) {
    self.init(line: line, id: nil, output: nil, ending: .failed(error.failure), nanoseconds: 0)
  }

  init(of job: Job, _ ending: Ending, nanoseconds: Int) {
    self.init(line: job.line, id: job.id, output: job.output, ending: ending, nanoseconds: nanoseconds)
  }
}

/// An output that was written.
public struct Delivery: Sendable {
  /// Bytes of the output.
  public let byteCount: Int
  /// What tells it from another file, where a journal keeps that.
  let stamp: OutputStamp?
  /// Access units of the output.
  public let accessUnitCount: Int
  /// How the payload was moved; nil when the job was only checked.
  public let transfer: TransferReport?
  /// What is worth knowing about it.
  public let findings: [Finding]
}

extension JobOutcome {
  /// One object on a line for each of some outcomes.
  public static func jsonLines(_ outcomes: [JobOutcome]) -> [UInt8] {
    var json = JSONLine()
    for outcome in outcomes { outcome.write(to: &json) }
    return json.bytes
  }

  /// Appends the outcome as a line of JSON.
  func write(to json: inout JSONLine) {
    json.line { json in
      json.member("schema", "kerfless.batch.job/1")
      json.member("line", line)
      if let id { json.member("id", id) }
      if let output { json.member("output", bytes: output.content) }
      switch ending {
      case .done(let delivery):
        json.member("status", delivery.transfer == nil ? "checked" : "done")
        json.member("bytes", delivery.byteCount)
        json.member("accessUnits", delivery.accessUnitCount)
        if let transfer = delivery.transfer { json.object("io") { transfer.write(to: &$0) } }
        json.array("findings", delivery.findings) { json, finding in
          json.member("code", finding.code.rawValue)
          json.member("severity", finding.severity.rawValue)
          json.member("message", finding.message)
        }
      case .failed(let failure):
        json.member("status", "failed")
        json.object("error") { failure.write(to: &$0) }
      case .skipped:
        json.member("status", "skipped")
      }
      json.member("microseconds", nanoseconds / 1000)
    }
  }
}

extension TransferReport {
  func write(to json: inout JSONLine) {
    json.member("method", method.rawValue)
    json.member("cloned", clonedByteCount)
    json.member("copied", copiedByteCount)
    json.member("gathered", gatheredByteCount)
  }
}

extension Failure {
  func write(to json: inout JSONLine) {
    json.member("code", code.rawValue)
    json.member("message", message)
    if let path { json.member("path", bytes: path.content) }
    if let offset { json.member("offset", offset) }
    if let boxPath { json.member("boxPath", boxPath) }
    if let advice { json.member("advice", advice) }
    json.member("exit", Int(code.exitStatus.rawValue))
  }

  /// Whether it may work if tried again.
  var isTemporary: Bool { code.exitStatus == .temporary }
}
