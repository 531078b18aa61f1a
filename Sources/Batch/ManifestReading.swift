import Remuxing
import Synchronization
import SystemIO

/// A manifest that one thread reads while others look at how far it is.
final class ManifestReading: Sendable {
  private let input: InputFile
  private let part: ManifestPart
  private let rules: PathRules
  private let bytesRead = Atomic(0)
  private let outcome = Mutex<Failure?>(nil)

  init(_ input: InputFile, part: ManifestPart, rules: PathRules) {
    self.input = input
    self.part = part
    self.rules = rules
  }

  /// Why it could not be read to its end.
  var failure: Failure? { outcome.withLock { $0 } }

  /// The share that has been read; nil where the length is not known.
  var share: Double? {
    guard let byteCount = input.byteCount else { return nil }
    let bytes = part.bytes ?? 0..<byteCount
    let done = bytesRead.load(ordering: .relaxed) - bytes.lowerBound
    return bytes.isEmpty ? nil : Double(max(0, done)) / Double(bytes.count)
  }

  /// Hands out each entry in order, until the body returns false.
  func forEachEntry(_ body: (ManifestEntry) -> Bool) {
    do throws(Failure) {
      var manifest = try ManifestReader(ManifestLines(input, part), rules)
      while let entry = try manifest.next() {
        bytesRead.store(manifest.lines.bytesRead, ordering: .relaxed)
        guard body(entry) else { return }
      }
    } catch {
      outcome.withLock { $0 = error }
    }
  }
}
