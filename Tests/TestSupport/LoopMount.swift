import Foundation

/// A file system in a file, mounted for the tests of this process and unmounted at its end.
public final class LoopMount: Sendable {
  /// The file system's type.
  public let kind: String
  /// Where it is mounted.
  public let path: String
  private static let folder = try? TemporaryFolder()

  /// XFS, where blocks can be shared.
  public static let xfs = own("xfs")
  /// Btrfs, where blocks can be shared.
  public static let btrfs = own("btrfs")
  /// ext4, where they cannot.
  public static let ext4 = own("ext4")

  /// Those that could be made and mounted.
  public static let all: [LoopMount] = [xfs, ext4, btrfs].compactMap { $0 }
  /// Those of them where blocks can be shared.
  public static let sharing: [LoopMount] = [xfs, btrfs].compactMap { $0 }
  /// A memory file system that is there already.
  public static let tmpfs: LoopMount? =
    FileManager.default.isWritableFile(atPath: "/dev/shm") ? LoopMount(tmpfs: "/dev/shm") : nil

  /// One that no other test writes to. Btrfs goes without the second copy of all metadata, so that the space of one can be
  /// told.
  public static func own(_ kind: String) -> LoopMount? {
    LoopMount(kind, making: ["xfs": ["-m", "reflink=1"], "btrfs": ["-m", "single"]][kind] ?? [])
  }

  /// Why there may be none.
  public static let reason = "no loop device or no right to mount one"

  private init(tmpfs path: String) {
    kind = "tmpfs"
    self.path = path
  }

  /// Nil where this machine cannot make or mount it.
  public init?(_ kind: String, making options: [String] = [], mounting: [String] = [], megabytes: Int = 400) {
    guard getuid() == 0, let folder = Self.folder, let make = Tool("mkfs.\(kind)"), let mount = Tool("mount"),
      let truncate = Tool("truncate")
    else { return nil }
    let name = "\(kind)-\(UUID().uuidString)"
    let image = folder.file("\(name).img")
    let point = folder.file(name)
    self.kind = kind
    path = point
    guard (try? truncate.run(["-s", "\(megabytes)M", image]).status) == 0,
      (try? make.run(["-q"] + options + [image]).status) == 0,
      (try? FileManager.default.createDirectory(atPath: point, withIntermediateDirectories: true)) != nil,
      (try? mount.run(["-o", (["loop"] + mounting).joined(separator: ","), image, point]).status) == 0
    else { return nil }
    // The test process has no other end than its exit; the image's folder goes with it.
    Unmounting.unmount(point)
  }

  deinit {
    guard kind != "tmpfs" else { return }
    umount2(path, Int32(MNT_DETACH))
    try? FileManager.default.removeItem(atPath: path + ".img")
  }

  /// What a power cut leaves: nothing is written any more, the log neither, from this moment on.
  ///
  /// Throws where the kernel cannot do so.
  public func losePower() throws {
    // FS_IOC_SHUTDOWN, _IOR('X', 125, u32), of XFS and ext4; 2 leaves the log as it is on the disk.
    var flags: UInt32 = 2
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    guard ioctl(descriptor, 0x8004_587d, &flags) == 0 else { throw POSIXError(.ENOTTY) }
  }

  /// Mounts it again after `losePower`, which recovers its log. Nothing may be open there.
  public func recover() throws {
    guard let mount = Tool("mount"), umount2(path, 0) == 0,
      try mount.run(["-o", "loop", path + ".img", path]).status == 0
    else { throw POSIXError(.EBUSY) }
  }

  /// Mounts it anew with other options.
  public func remount(_ options: String) throws {
    try Tool("mount")?.run(["-o", "remount,\(options)", path])
  }
}
