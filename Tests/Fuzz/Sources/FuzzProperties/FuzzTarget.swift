/// What is fuzzed: each target turns any bytes into work and says what must hold of the outcome.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// An MP4 file, and behind it what is asked of it.
  case mp4Plan = "mp4-plan"
  /// An elementary stream, and behind it what is asked of it.
  case elementary
  /// The payload of `dec3` or `dac3`.
  case dec3
  /// Syncframes.
  case syncframe
  /// Times and ranges as text.
  case times

  /// Runs the target on one input.
  ///
  /// Throws `Violation` where a property does not hold; whatever else is wrong traps.
  public func run(_ input: [UInt8]) throws(Violation) {
    switch self {
    case .mp4Plan, .elementary: try CutProperties.check(input)
    case .dec3: try ConfigurationProperties.check(input)
    case .syncframe: try SyncFrameProperties.check(input)
    case .times: try TimeProperties.check(input)
    }
  }
}

extension FuzzTarget {
  /// Bytes at the end of an input that ask something of the file in front of them.
  public static let requestByteCount = CutRequest.byteCount

  /// What libFuzzer calls for each input; a violation ends the process, as a trap does.
  public func runOrTrap(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
    do throws(Violation) {
      try run(input)
    } catch {
      fatalError("\(rawValue): \(error)")
    }
  }
}
