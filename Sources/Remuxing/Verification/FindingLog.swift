import ByteParsing

/// Findings in the making: however damaged a file is, only the first few of a kind are listed.
struct FindingLog {
  private var listed: [PlacedFinding] = []
  private var counts: [Finding.Code: Int] = [:]

  private static let listedOfAKind = 16

  mutating func add(_ finding: Finding, at place: Place = Place(), writer: String? = nil) {
    guard counts(finding.code) else { return }
    listed.append(PlacedFinding(finding, at: place, writer: writer))
  }

  /// Text and place are made only of what is listed: there may be millions.
  mutating func add(
    _ code: Finding.Code, _ severity: Finding.Severity, _ message: @autoclosure () -> String,
    at place: @autoclosure () -> Place = Place(), writer: String? = nil
  ) {
    guard counts(code) else { return }
    listed.append(PlacedFinding(Finding(code, severity, message()), at: place(), writer: writer))
  }

  /// Counts one more; whether it is to be listed.
  private mutating func counts(_ code: Finding.Code) -> Bool {
    counts[code, default: 0] += 1
    return counts[code, default: 0] <= Self.listedOfAKind
  }

  /// Why a part of the file could not be parsed, unless that is known already.
  mutating func add(_ code: Finding.Code, _ failure: Failure, trackID: UInt32? = nil) {
    let isKnown = listed.contains {
      $0.finding.severity == .error && $0.finding.message == failure.message
        && $0.place.offset == failure.offset
    }
    guard !isKnown else { return }
    add(
      code, .error, failure.message,
      at: Place(trackID: trackID, offset: failure.offset, boxPath: failure.boxPath))
  }

  /// All that is listed, and a line for each kind of which there are more.
  var findings: [PlacedFinding] {
    let more = Finding.Code.allCases.compactMap { code -> PlacedFinding? in
      guard let count = counts[code], count > Self.listedOfAKind,
        let severity = listed.first(where: { $0.finding.code == code })?.finding.severity
      else { return nil }
      return PlacedFinding(
        Finding(code, severity, "\(count - Self.listedOfAKind) more of this kind are not listed"))
    }
    return listed + more
  }
}

extension Place {
  /// A place inside boxes.
  init(trackID: UInt32? = nil, offset: Int?, _ path: [FourCC]) {
    self.init(
      trackID: trackID, offset: offset,
      boxPath: path.isEmpty ? nil : path.map(\.description).joined(separator: "/"))
  }
}
