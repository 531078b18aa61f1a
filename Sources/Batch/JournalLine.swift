import Remuxing

/// One line of a journal, as it is read.
enum JournalLine {
  /// A run's first line.
  case run(shard: String, manifest: UInt64?)
  /// Jobs that were begun.
  case begin([UInt64])
  /// A job that was done.
  case done(claim: UInt64, digest: UInt64, OutputStamp, BatchDurability, boot: String?)
  /// A job that failed: nothing of it is at its output's name.
  case failed(claim: UInt64, Failure.Code?)
  /// The first line of a run whose journal is written in another way.
  case foreign(schema: String)
  /// Anything else that need not be remembered.
  case other

  /// Throws when it is no line of a journal.
  init(_ object: borrowing JSONObject) throws(LineError) {
    var members = Members()
    try object.forEachMember { (key, member) throws(LineError) in try members.take(key, member) }
    self = try members.line()
  }

  /// The ids that a line holds, with the claims of their jobs; none where it is about no job.
  static func names(in object: borrowing JSONObject) throws(LineError) -> [(id: String, claim: UInt64)] {
    var names: [(id: String, claim: UInt64)] = []
    var (id, claim): (String?, UInt64?)
    try object.forEachMember { (key, member) throws(LineError) in
      switch key {
      case "id": id = try member.text()
      case "claim": claim = try member.hexadecimal()
      case "begin":
        try member.forEachObject { (object) throws(LineError) in
          names += try Self.names(in: object)
        }
      default: break
      }
    }
    if let id, let claim { names.append((id, claim)) }
    return names
  }

  private struct Members {
    var schema: String?
    var shard: String?
    var manifest: UInt64?
    var begun: [UInt64]?
    var claim: UInt64?
    var digest: UInt64?
    var status: String?
    var failure: Failure.Code?
    var byteCount: Int?
    var headerByteCount: Int?
    var headerDigest: UInt64?
    var sync: String?
    var boot: String?

    mutating func take(_ key: String, _ member: borrowing JSONMember) throws(LineError) {
      switch key {
      case "schema": schema = try member.text()
      case "shard": shard = try member.text()
      case "manifest": manifest = try member.hexadecimal()
      case "begin": begun = try Self.claims(member)
      case "claim": claim = try member.hexadecimal()
      case "digest": digest = try member.hexadecimal()
      case "status": status = try member.text()
      case "bytes": byteCount = try member.size()
      case "header": try takeHeader(member)
      case "error": try takeFailure(member)
      case "sync": sync = try member.text()
      case "boot": boot = try member.text()
      default: break
      }
    }

    private mutating func takeHeader(_ member: borrowing JSONMember) throws(LineError) {
      var (bytes, digest): (Int?, UInt64?)
      try member.object().forEachMember { (key, member) throws(LineError) in
        if key == "bytes" { bytes = try member.size() }
        if key == "digest" { digest = try member.hexadecimal() }
      }
      (headerByteCount, headerDigest) = (bytes, digest)
    }

    /// A code of another version is none of this one's.
    private mutating func takeFailure(_ member: borrowing JSONMember) throws(LineError) {
      var code: String?
      try member.object().forEachMember { (key, member) throws(LineError) in
        if key == "code" { code = try member.text() }
      }
      failure = code.flatMap { Failure.Code(rawValue: $0) }
    }

    private static func claims(_ member: borrowing JSONMember) throws(LineError) -> [UInt64] {
      var claims: [UInt64] = []
      try member.forEachObject { (object) throws(LineError) in
        try object.forEachMember { (key, member) throws(LineError) in
          if key == "claim" { claims.append(try member.hexadecimal()) }
        }
      }
      return claims
    }

    func line() throws(LineError) -> JournalLine {
      if let begun { return .begin(begun) }
      if let schema {
        guard schema == JournalLines.schema else { return .foreign(schema: schema) }
        guard let shard else { throw LineError("it lacks a member") }
        return .run(shard: shard, manifest: manifest)
      }
      if status == "failed", let claim { return .failed(claim: claim, failure) }
      guard status == "done" else { return .other }
      guard let claim, let digest, let byteCount, let headerByteCount, let headerDigest,
        let durability = sync.flatMap({ BatchDurability(rawValue: $0) })
      else { throw LineError("it lacks a member") }
      let stamp = OutputStamp(
        byteCount: byteCount, headerByteCount: headerByteCount, headerDigest: headerDigest)
      return .done(claim: claim, digest: digest, stamp, durability, boot: boot)
    }
  }
}
