import Remuxing
import SystemIO

/// Turns lines of a manifest into jobs.
final class JobParser {
  private let rules: PathRules
  private let json: JSONLineParser
  /// Neighbouring jobs mostly have one source: the same text need not become a path again.
  private var lastSource: (text: String, path: FilePath)?

  /// Throws when there is no memory for it.
  init(_ rules: PathRules) throws(Failure) {
    guard let json = JSONLineParser() else { throw Failure(.resources, "there is no memory to parse JSON") }
    self.json = json
    self.rules = rules
  }

  /// Parses one line.
  ///
  /// Throws when it is no job.
  func job(_ line: borrowing Span<UInt8>, number: Int) throws(LineError) -> Job {
    let scan = try LineScan(line)
    let object = try json.object(line)
    let likelySource = lastSource?.text
    var members = JobMembers(likelySource: likelySource)
    var memberCount = object.count
    try object.forEachMember { (key, member) throws(LineError) in
      switch key {
      case "id": members.id = try member.text()
      case "output": members.output = try member.text()
      case "segments":
        var segments: [SegmentMembers] = []
        try member.forEachObject { (object) throws(LineError) in
          memberCount += object.count
          segments.append(try SegmentMembers(object, likelySource: likelySource))
        }
        members.segments = segments
      default:
        if try !members.whole.take(key, member) { try members.takeOption(key, member) }
      }
    }
    guard memberCount == scan.memberCount else { throw RepeatedKey.error(in: line) }
    return try job(members, line: number, byteCount: line.count)
  }

  private func job(_ members: JobMembers, line: Int, byteCount: Int) throws(LineError) -> Job {
    guard let id = members.id, !id.isEmpty else { throw LineError(key: "id", "it is missing or empty") }
    guard id.utf8.count <= JobMembers.longestID else {
      throw LineError(key: "id", "it is longer than \(JobMembers.longestID) bytes")
    }
    guard let name = members.output else { throw LineError(key: "output", "it is missing") }
    let output = try rules.path(name, key: "output")
    guard let form = OutputForm(suffix: output.suffix) else {
      throw LineError(
        key: "output", "its name does not tell what it shall be",
        advice: "name it .mp4, .m4a, .ec3, .eac3 or .ac3")
    }
    return Job(
      line: line, id: id, segments: try segments(members), cutting: try members.cutting(), output: output,
      form: form, byteCount: byteCount)
  }

  private func segments(_ members: JobMembers) throws(LineError) -> [Job.Segment] {
    guard let several = members.segments else { return [try segment(members.whole)] }
    guard members.whole.isEmpty else {
      throw LineError(key: "segments", "source, start, end, duration and track belong inside them")
    }
    guard !several.isEmpty else { throw LineError(key: "segments", "there are none") }
    var segments: [Job.Segment] = []
    segments.reserveCapacity(several.count)
    for one in several { segments.append(try segment(one)) }
    return segments
  }

  private func segment(_ members: SegmentMembers) throws(LineError) -> Job.Segment {
    guard let source = members.source else { throw LineError(key: "source", "it is missing") }
    if lastSource?.text != source { lastSource = (source, try rules.path(source, key: "source")) }
    guard let path = lastSource?.path else { throw LineError(key: "source", "it is missing") }
    return Job.Segment(source: path, range: try members.range(), trackID: members.track)
  }
}
