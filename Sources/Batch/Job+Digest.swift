import Remuxing
import SystemIO

extension Job {
  /// Changes whenever the job does: an edited job runs again.
  var digest: UInt64 {
    var digest = Digest()
    digest.add(counted: id.utf8)
    digest.add(counted: output.content)
    digest.add(counted: cutting.mode.rawValue.utf8)
    digest.add(counted: cutting.snap.rawValue.utf8)
    digest.add(cutting.preRoll ?? -1)
    for flag in [cutting.clampsEnd, cutting.ignoresEdits, cutting.allowsMixedObjects] {
      digest.add(flag ? 1 : 0)
    }
    for segment in segments {
      digest.add(counted: segment.source.content)
      digest.add(segment.trackID.map { Int($0) } ?? -1)
      digest.add(segment.range.start)
      switch segment.range.end {
      case .trackEnd: digest.add(0)
      case .at(let time):
        digest.add(1)
        digest.add(time)
      case .after(let time):
        digest.add(2)
        digest.add(time)
      }
    }
    return digest.value
  }

  /// What makes an output this job's own, however the job is edited: its id and the output's name.
  var claim: UInt64 {
    var digest = Digest()
    digest.add(counted: id.utf8)
    digest.add(counted: output.content)
    return digest.value
  }
}

extension Digest {
  fileprivate mutating func add(_ time: TimeExpression?) {
    switch time {
    case nil: add(0)
    case .seconds(let seconds):
      add(1)
      add(seconds.numerator)
      add(seconds.denominator)
    case .samples(let count):
      add(2)
      add(count)
    case .accessUnits(let count):
      add(3)
      add(count)
    case .media:
      // Nobody can write it in a manifest.
      add(4)
    }
  }

  fileprivate mutating func add(_ number: Int128) {
    add(Int(truncatingIfNeeded: number))
    add(Int(truncatingIfNeeded: number >> 64))
  }
}
