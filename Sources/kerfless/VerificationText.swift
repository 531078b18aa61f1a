import EnhancedAC3
import Remuxing
import SystemIO

extension FileVerification {
  var lines: [String] {
    let facts = [
      container?.rawValue, boxCount > 0 ? (boxCount == 1 ? "1 box" : "\(boxCount) boxes") : nil,
      accessUnitCount.counted("access unit"),
      checkedByteCount > 0 ? "\(checkedByteCount.counted("byte")) looked at" : nil,
    ]
    let head = "\(path): \(verdict.rawValue) (\(facts.compactMap(\.self).joined(separator: ", ")))"
    return [head] + (proof.map { [$0.line] } ?? []) + findings.map(\.line)
  }
}

extension PlacedFinding {
  var line: String {
    let parts = [
      place.trackID.map { "track \($0)" }, place.boxPath, place.offset.map { "byte \($0)" },
    ].compactMap(\.self)
    let place = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    return "  \(finding.severity.rawValue): \(finding.message) [\(finding.code.rawValue)]\(place)"
  }
}

extension PayloadProof {
  fileprivate var line: String {
    let places = segments.map { segment in
      "access units \(segment.accessUnits.lowerBound) ..< \(segment.accessUnits.upperBound) of \(segment.path)"
    }
    let ranges = places.joined(separator: ", ")
    guard isPayloadEqual else { return "  not equal to \(ranges); \(equalByteCount) bytes are" }
    guard isEqual else { return "  the payload is equal to \(ranges), what is presented of it is not" }
    let hidden = preRoll > 0 ? ", \(preRoll) of them pre-roll" : ""
    let swapped = exchangesBytes ? " when the bytes of each word of the source are exchanged" : ""
    return "  equal to \(ranges)\(hidden): \(equalByteCount) bytes\(swapped)"
  }
}
