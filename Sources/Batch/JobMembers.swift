import Remuxing

/// The members of a job's line before they are put together.
struct JobMembers {
  /// Bytes of an id: what a journal says of a job must not be longer than a line that can be read.
  static let longestID = 64 << 10

  var id: String?
  var output: String?
  var segments: [SegmentMembers]?
  /// The only segment, when it is written without an array.
  var whole: SegmentMembers
  private var mode: CutMode?
  private var snap: Snap?
  private var preRoll: UInt32?
  private var clampsEnd = false
  private var ignoresEdits = false
  private var allowsMixedObjects = false

  init(likelySource: String?) {
    whole = SegmentMembers(likelySource: likelySource)
  }

  /// Throws when there is no option of this name, or it cannot have this value.
  mutating func takeOption(_ key: String, _ member: borrowing JSONMember) throws(LineError) {
    switch key {
    case "cut": mode = try member.choice()
    case "snap": snap = try member.choice()
    case "preroll": preRoll = try member.number()
    case "clamp": clampsEnd = try member.flag()
    case "ignoreEdits": ignoresEdits = try member.flag()
    case "allowMixedJoc": allowsMixedObjects = try member.flag()
    default: throw LineError(key: key, "there is no such key")
    }
  }

  /// How the segments are cut.
  func cutting() throws(LineError) -> CutOptions {
    var options = CutOptions()
    options.mode = mode ?? .frame
    guard preRoll == nil || options.mode == .exact else {
      throw LineError(key: "preroll", "it goes with \"cut\":\"exact\"")
    }
    guard snap == nil || options.mode == .frame else {
      throw LineError(key: "snap", "it goes with \"cut\":\"frame\"")
    }
    options.preRoll = preRoll.map { Int($0) }
    options.snap = snap ?? .floor
    options.clampsEnd = clampsEnd
    options.ignoresEdits = ignoresEdits
    options.allowsMixedObjects = allowsMixedObjects
    return options
  }
}

/// The members of a segment.
struct SegmentMembers {
  private(set) var source: String?
  private(set) var track: UInt32?
  private var start: TimeExpression?
  private var end: TimeExpression?
  private var duration: TimeExpression?
  /// What the source probably is: the one of the job in front.
  private let likelySource: String?

  init(likelySource: String?) {
    self.likelySource = likelySource
  }

  /// Throws when a member has an unknown key or a wrong value.
  init(_ object: borrowing JSONObject, likelySource: String?) throws(LineError) {
    var members = SegmentMembers(likelySource: likelySource)
    try object.forEachMember { (key, member) throws(LineError) in
      guard try members.take(key, member) else {
        throw LineError(key: "segments.\(key)", "there is no such key")
      }
    }
    self = members
  }

  /// Whether none is given.
  var isEmpty: Bool {
    source == nil && track == nil && start == nil && end == nil && duration == nil
  }

  /// Takes a member; false when it is none of a segment.
  mutating func take(_ key: String, _ member: borrowing JSONMember) throws(LineError) -> Bool {
    switch key {
    case "source": source = try member.text(likely: likelySource)
    case "track": track = try member.number()
    case "start": start = try member.time()
    case "end": end = try member.time()
    case "duration": duration = try member.time()
    default: return false
    }
    return true
  }

  /// The range that they ask for.
  func range() throws(LineError) -> TimeRange {
    guard end == nil || duration == nil else {
      throw LineError(key: "duration", "end and duration exclude each other")
    }
    return TimeRange(start: start, end: end.map { .at($0) } ?? duration.map { .after($0) } ?? .trackEnd)
  }
}

extension JSONMember {
  /// A time, from the text of a number or a text.
  fileprivate func time() throws(LineError) -> TimeExpression {
    let text = try textOrNumber()
    // json-c lets "1." pass, which is no number.
    guard text.utf8.last != UInt8(ascii: "."), let time = TimeExpression(text) else {
      throw LineError(
        key: key, "'\(text.prefix(64))' is no time",
        advice: "write 12.5, \"500ms\", \"02:03.5\", \"240000smp\" or \"156au\"")
    }
    return time
  }

  /// One of the names of an enumeration.
  fileprivate func choice<T: RawRepresentable<String> & CaseIterable>() throws(LineError) -> T {
    guard let value = T(rawValue: try text()) else {
      throw expected("one of: " + T.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return value
  }
}
