import Foundation

/// A folder for one test, removed with all it holds when its owner ends.
public final class TemporaryFolder: Sendable {
  /// The folder's path.
  public let path: String

  /// Makes a folder, by default under the system's temporary folder.
  public init(in parent: String = NSTemporaryDirectory()) throws {
    path = (parent as NSString).appendingPathComponent("kerfless-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of something in the folder.
  public func file(_ name: String) -> String {
    (path as NSString).appendingPathComponent(name)
  }

  /// Writes a file and returns its path.
  public func write(_ bytes: [UInt8], as name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  /// The names in the folder.
  public var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
  }
}

/// The bytes of a file.
public func readFile(_ path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}
