import Remuxing
import Synchronization
import SystemIO

/// A manifest that one thread reads while others look at how far it is.
final class ManifestReading: Sendable {
  private let input: InputFile
  private let part: ManifestPart
  private let rules: PathRules
  private let bytesRead = Atomic(0)
  private let entryCount = Atomic(0)
  private let outcome = Mutex<Failure?>(nil)

  init(_ input: InputFile, part: ManifestPart, rules: PathRules) {
    self.input = input
    self.part = part
    self.rules = rules
  }

  /// Why it could not be read to its end.
  var failure: Failure? { outcome.withLock { $0 } }

  /// The share of all jobs that so many finished ones are, if those not read yet are as long as those that have been.
  ///
  /// Nil where the manifest's length is not known, or nothing has been read.
  func share(finished: Int) -> Double? {
    guard let byteCount = input.byteCount else { return nil }
    let bytes = part.bytes ?? 0..<byteCount
    let read = bytesRead.load(ordering: .relaxed) - bytes.lowerBound
    let known = max(entryCount.load(ordering: .relaxed), finished)
    guard !bytes.isEmpty, known > 0 else { return nil }
    return min(1, Double(max(0, read)) / Double(bytes.count)) * Double(finished) / Double(known)
  }

  /// Hands out each entry in order, until the body returns false.
  func forEachEntry(_ body: (ManifestEntry) -> Bool) {
    do throws(Failure) {
      var manifest = try ManifestReader(ManifestLines(input, part), rules)
      while let entry = try manifest.next() {
        bytesRead.store(manifest.lines.bytesTaken, ordering: .relaxed)
        entryCount.wrappingAdd(1, ordering: .relaxed)
        guard body(entry) else { return }
      }
    } catch {
      outcome.withLock { $0 = error }
    }
  }
}
