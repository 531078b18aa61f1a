import ByteParsing
import Testing

@testable import Batch

struct DigestTests {
  private func digest(_ bytes: [UInt8]) -> UInt64 {
    var digest = Digest()
    digest.add(wordsOf: bytes.rawBytes)
    return digest.value
  }

  @Test(arguments: [0, 1, 7, 8, 9, 16, 700])
  func `any bit of any byte changes a digest of words`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) }
    var seen: Set<UInt64> = [digest(bytes), digest(bytes + [0])]
    for bit in 0..<8 * count {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      seen.insert(digest(changed))
    }
    #expect(seen.count == 2 + 8 * count)
    #expect(digest(bytes) == digest(Array(bytes)))
  }
}
