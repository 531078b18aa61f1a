import EnhancedAC3
import Remuxing
import SystemIO

extension FileVerification {
  var lines: [String] {
    let facts = [
      container?.rawValue, boxCount > 0 ? "\(boxCount) boxes" : nil, "\(accessUnitCount) access units",
      "\(checkedByteCount) bytes with every checksum",
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
    guard isEqual else { return "  not equal to \(ranges); \(equalByteCount) bytes are" }
    let hidden = preRoll > 0 ? ", \(preRoll) of them pre-roll" : ""
    return "  equal to \(ranges)\(hidden): \(equalByteCount) bytes"
  }
}
