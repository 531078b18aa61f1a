import Foundation
import TestSupport
import Testing

/// Where CI runs, no test may be skipped for want of a program.
struct RequirementTests {
  static let areRequired = ProcessInfo.processInfo.environment["KERFLESS_REQUIRE_ALL"] == "1"

  @Test(
    .enabled(if: areRequired, "KERFLESS_REQUIRE_ALL is not set"),
    arguments: [
      "python3", "ffprobe", "ffmpeg", "mediainfo", "strace", "lz4", "jq", "mkfs.xfs", "mkfs.ext4",
      "mkfs.btrfs", "zsh", "fish", "mandoc", "man", "chromium",
    ])
  func `what tests need is there`(_ program: String) {
    #expect(Tool.exists(program))
  }
}
