import Foundation

/// Where clips are written: a file system, with the sources on it.
final class Place {
  /// Kinds of file systems.
  enum Kind: String, Codable, CaseIterable {
    /// That of the working folder.
    case here
    /// In memory: /dev/shm.
    case memory
    case xfs
    case btrfs
  }

  let kind: Kind
  /// Everything is in here; programs are started in it and know relative names only.
  let folder: String
  private let library: MediaLibrary
  private let image: String?
  private var spent = 0

  private init(_ kind: Kind, _ folder: String, image: String?, _ library: MediaLibrary) {
    self.kind = kind
    self.folder = folder
    self.image = image
    self.library = library
  }

  /// Makes a place; a file system of its own is mounted from a sparse image.
  ///
  /// Throws when that is not possible here, and says why.
  convenience init(_ kind: Kind, work: String, library: MediaLibrary) throws {
    switch kind {
    case .here:
      let folder = try WorkFolder.make(in: work)
      Self.spread(folder)
      self.init(kind, folder, image: nil, library)
    case .memory:
      guard FileManager.default.isWritableFile(atPath: "/dev/shm") else {
        throw BenchError("/dev/shm cannot be written")
      }
      self.init(kind, try WorkFolder.make(in: "/dev/shm"), image: nil, library)
    case .xfs, .btrfs:
      let image = work + "/\(kind.rawValue).img"
      self.init(
        kind, try Self.mount(kind.rawValue, image, on: work + "/" + kind.rawValue), image: image, library)
    }
  }

  private static func mount(_ kind: String, _ image: String, on point: String) throws -> String {
    guard getuid() == 0 else { throw BenchError("mounting takes root") }
    guard let make = Programs.installed("mkfs.\(kind)"), let mount = Programs.installed("mount"),
      let truncate = Programs.installed("truncate")
    else {
      throw BenchError(
        "mkfs.\(kind) is missing", advice: "apt install \(kind == "xfs" ? "xfsprogs" : "btrfs-progs")")
    }
    try FileManager.default.createDirectory(atPath: point, withIntermediateDirectories: true)
    _ = try Child(truncate, ["-s", "4G", image], in: "/")
    _ = try Child(make, ["-q", image], in: "/")
    Leftovers.add(point)
    _ = try Child(mount, ["-o", "loop", image, point], in: "/")
    return point
  }

  /// Lets ext4 place each folder of clips far from the others; elsewhere nothing happens.
  ///
  /// It puts files near their folder, and folders near each other: after thousands of files it would look through
  /// what is full, or was removed a moment ago, and take ten times as long to make one more.
  private static func spread(_ folder: String) {
    guard let chattr = Programs.installed("chattr") else { return }
    _ = try? Child(chattr, ["+T", folder], in: "/")
  }

  /// Removes everything.
  func close() {
    if let image {
      umount2(folder, Int32(MNT_DETACH))
      WorkFolder.remove(image)
    }
    WorkFolder.remove(folder)
  }

  /// The name of the file system, for people.
  var name: String {
    switch kind {
    case .here: Self.fileSystem(of: folder)
    case .memory: "tmpfs"
    case .xfs, .btrfs: kind.rawValue
    }
  }

  private static func fileSystem(of path: String) -> String {
    guard let stat = Programs.installed("stat"),
      let name = try? Child(stat, ["-f", "-c", "%T", path], in: "/").output
    else { return "here" }
    let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed == "ext2/ext3" ? "ext4" : trimmed
  }

  /// The name of a source in the folder; it is brought there where it is missing.
  func source(_ media: SourceMedia) throws -> String {
    let path = folder + "/" + media.name
    if !FileManager.default.fileExists(atPath: path) {
      let cached = try library.path(of: media)
      if link(cached, path) != 0 {
        try FileManager.default.copyItem(atPath: cached, toPath: path)
        // A clone must wait for what is not on the disk yet.
        sync()
      }
    }
    return media.name
  }

  /// The name of the folder for outputs, a new and empty one.
  ///
  /// Files that were written give their blocks back, but are removed in the end only: so removing them costs nobody
  /// anything meanwhile.
  func emptyClips() throws -> String {
    let clips = folder + "/clips"
    let files = FileManager.default
    if let names = try? files.contentsOfDirectory(atPath: clips) {
      for name in names { truncate("\(clips)/\(name)", 0) }
      spent += 1
      try files.moveItem(atPath: clips, toPath: "\(folder)/spent-\(spent)")
    }
    try files.createDirectory(atPath: clips, withIntermediateDirectories: false)
    return "clips"
  }

  /// Writes a small file, and returns its name.
  func write(_ text: some DataProtocol, as name: String) throws -> String {
    try Data(text).write(to: URL(fileURLWithPath: folder + "/" + name))
    return name
  }

  /// Reads a small file.
  func text(of name: String) throws -> String {
    try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
  }
}
