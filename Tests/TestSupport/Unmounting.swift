import Foundation
import Synchronization

/// What is to be undone when the test process ends: mounts, and folders that live as long as it does.
public enum Unmounting {
  private static let points = Mutex<[String]>([])
  private static let folders = Mutex<[String]>([])

  /// Unmounts this place in the end, and removes the folder that it lies in.
  static func unmount(_ point: String) {
    points.withLock { $0.append(point) }
    remove((point as NSString).deletingLastPathComponent)
  }

  /// Removes this folder in the end.
  public static func remove(_ folder: String) {
    folders.withLock { $0.append(folder) }
    _ = atExit
  }

  /// Registered once, when it is first read.
  private static let atExit: Void = {
    atexit {
      for point in Unmounting.points.withLock({ $0 }) { umount2(point, Int32(MNT_DETACH)) }
      for folder in Unmounting.folders.withLock({ $0 }) {
        try? FileManager.default.removeItem(atPath: folder)
      }
    }
  }()
}
