import Foundation

/// Where test media are.
public enum Media {
  /// The project's own fixtures.
  public static let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Media")

  /// The project's own judges.
  public static let judges = own.deletingLastPathComponent().appendingPathComponent("Judges")

  /// The larger set that is not part of the project: `KERFLESS_MEDIA`, or `../shared/media`. Nil where it is not at hand.
  public static let shared: URL? = {
    let named = ProcessInfo.processInfo.environment["KERFLESS_MEDIA"].map { URL(fileURLWithPath: $0) }
    let root = own.deletingLastPathComponent().deletingLastPathComponent()
    let folder = named ?? root.deletingLastPathComponent().appendingPathComponent("shared/media")
    return FileManager.default.fileExists(atPath: folder.appendingPathComponent("INDEX.tsv").path)
      ? folder : nil
  }()

  /// The path of one of the project's own fixtures.
  public static func path(_ name: String) -> String {
    own.appendingPathComponent(name).path
  }

  /// The path of a file of the larger set.
  public static func sharedPath(_ name: String) -> String {
    (shared ?? own).appendingPathComponent(name).path
  }

  /// The bytes of one of the project's own fixtures.
  public static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: own.appendingPathComponent(name)))
  }

  /// Rows of the larger set's index: each row's fields by the names in the first row.
  public static let sharedIndex: [[String: String]] = rows(of: shared?.appendingPathComponent("INDEX.tsv"))

  /// Rows of the own fixtures' index.
  public static let ownIndex: [[String: String]] = rows(of: own.appendingPathComponent("INDEX.tsv"))

  private static func rows(of url: URL?) -> [[String: String]] {
    guard let url, let text = try? String(contentsOf: url, encoding: .utf8) else { return [] }
    let lines = text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    guard let names = lines.first else { return [] }
    return lines.dropFirst().map { fields in
      Dictionary(uniqueKeysWithValues: zip(names, fields).map { (String($0), String($1)) })
    }
  }
}
