import Foundation
import Synchronization

/// Mounts to undo when the test process ends.
enum Unmounting {
  static let points = Mutex<[String]>([])

  /// Registered once, when it is first read.
  static let atExit: Void = {
    atexit {
      for point in Unmounting.points.withLock({ $0 }) {
        umount2(point, Int32(MNT_DETACH))
        try? FileManager.default.removeItem(atPath: (point as NSString).deletingLastPathComponent)
      }
    }
  }()
}
