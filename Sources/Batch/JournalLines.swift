import Remuxing
import SystemIO

/// What a journal says: the one place that knows how its lines are written.
struct JournalLines {
  static let schema = "kerfless.journal/1"

  private var json = JSONLine()

  /// The lines so far.
  var bytes: [UInt8] { json.bytes }

  /// The line that each run starts with.
  mutating func header(_ shard: Shard, manifest: UInt64?) {
    json.line { json in
      json.member("schema", Self.schema)
      json.member("shard", shard.description)
      if let manifest { json.member("manifest", hex: manifest) }
      json.member("at", Host.millisecondsSince1970)
    }
  }

  /// The lines in front of some jobs' work: one, or more where ids are so long that it could not be read.
  mutating func begin(_ jobs: [Job]) {
    var rest = jobs[...]
    while !rest.isEmpty {
      var byteCount = 0
      let part = rest.prefix { job in
        byteCount += job.id.utf8.count
        return byteCount <= JobMembers.longestID
      }
      json.line { json in
        json.array("begin", Array(part)) { json, job in
          json.member("id", job.id)
          json.member("claim", hex: job.claim)
        }
      }
      rest = rest[part.endIndex...]
    }
  }

  /// A line for a job that is over. What was forced to the disk is added when that is known.
  mutating func outcome(_ outcome: JobOutcome, of job: Job) {
    json.line { json in
      json.member("id", job.id)
      json.member("claim", hex: job.claim)
      json.member("digest", hex: job.digest)
      switch outcome.ending {
      case .done(let delivery):
        json.member("status", "done")
        json.member("bytes", delivery.byteCount)
        if let stamp = delivery.stamp {
          json.object("header") { json in
            json.member("bytes", stamp.headerByteCount)
            json.member("digest", hex: stamp.headerDigest)
          }
        }
        if let transfer = delivery.transfer { json.object("io") { transfer.write(to: &$0) } }
      case .failed(let failure):
        json.member("status", "failed")
        json.object("error") { failure.write(to: &$0) }
      case .skipped: json.member("status", "skipped")
      }
      json.member("at", Host.millisecondsSince1970)
      json.member("microseconds", outcome.nanoseconds / 1000)
    }
  }

  /// The lines, each with what was forced to the disk and the machine's boot.
  func closed(_ durability: BatchDurability, boot: String?) -> [UInt8] {
    var tail = JSONLine()
    tail.line { tail in
      tail.member("sync", durability.rawValue)
      if let boot { tail.member("boot", boot) }
    }
    // "{…}\n" becomes ",…}\n", which takes the place of "}\n".
    let ending = [UInt8(ascii: ",")] + tail.bytes.dropFirst()
    var lines: [UInt8] = []
    lines.reserveCapacity(json.bytes.count * 5 / 4)
    for line in json.bytes.split(separator: UInt8(ascii: "\n")) {
      lines.append(contentsOf: line.dropLast())
      lines.append(contentsOf: ending)
    }
    return lines
  }
}
