import TestSupport
import Testing

@testable import Remuxing

/// DESIGN.md, 6.2: decimal seconds, exact where such a number exists, else twelve decimals.
@Suite struct PCMTimeTests {
  @Test(arguments: [
    (0, 48000, "0"), (48000, 48000, "1"), (24000, 48000, "0.5"), (1536, 48000, "0.032"),
    (3, 48000, "0.0000625"),
    (240_000, 48000, "5"), (49152, 48000, "1.024"), (48003, 48000, "1.0000625"), (1, 32000, "0.00003125"),
    (1536, 32000, "0.048"), (1536, 24000, "0.064"), (22050, 44100, "0.5"), (441, 44100, "0.01"),
    (9, 16000, "0.0005625"),
    (-24000, 48000, "-0.5"), (-48000, 48000, "-1"), (1_728_000_000_000, 48000, "36000000"),
  ])
  func `seconds whose decimals end are exact`(samples: Int, rate: Int, text: String) {
    #expect(PCMTime(samples: samples, rate: rate).seconds == text)
  }

  /// By Python's decimal module, ROUND_HALF_UP.
  @Test(arguments: [
    (1, 48000, "0.000020833333"), (10, 48000, "0.000208333333"), (49153, 48000, "1.024020833333"),
    (1, 44100, "0.000022675737"), (2, 44100, "0.000045351474"), (1536, 44100, "0.034829931973"),
    (44099, 44100, "0.999977324263"), (135_168, 44100, "3.065034013605"),
    (1 << 47, 44100, "3191326266.560725623583"),
    (-1, 48000, "-0.000020833333"), (-1, 44100, "-0.000022675737"),
  ])
  func `seconds whose decimals do not end are rounded at the twelfth`(samples: Int, rate: Int, text: String) {
    #expect(PCMTime(samples: samples, rate: rate).seconds == text)
  }

  @Test(arguments: [
    // The thirteenth decimal is 5 or more, the ones in front of it are 9: the carry runs on, and zeros stay.
    (395, 44100, "0.008956916100"), (349, 44100, "0.007913832200"), (395, 22050, "0.017913832200"),
    (2_999_999_999_999, 3_000_000_000_000, "1.000000000000"),
    (-2_999_999_999_999, 3_000_000_000_000, "-1.000000000000"),
  ])
  func `rounding carries as far as it must`(samples: Int, rate: Int, text: String) {
    #expect(PCMTime(samples: samples, rate: rate).seconds == text)
  }

  @Test(arguments: [48000, 44100, 32000, 24000, 22050, 16000])
  func `seconds read back are the same PCM sample`(rate: Int) throws {
    let seed: UInt64 = 7
    var generator = SeededGenerator(seed: seed)
    let samples =
      Array(0..<2000) + (0..<2000).map { _ in Int.random(in: 0..<40_000_000_000, using: &generator) }
    for count in samples {
      let seconds = PCMTime(samples: count, rate: rate).seconds
      #expect(try time(seconds).length(at: rate).rounded == count, "\(seconds), seed \(seed)")
    }
  }
}
