import Foundation

/// Folders that are made here, and removed in the end.
enum WorkFolder {
  /// Where temporary files belong.
  static let temporary: String = {
    let named = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
    return URL(fileURLWithPath: named.isEmpty ? "/tmp" : named).path
  }()

  /// Makes an empty folder of its own name.
  static func make(in folder: String) throws -> String {
    var path = Array((folder + "/kerfless-bench-XXXXXX").utf8CString)
    guard mkdtemp(&path) != nil else {
      throw BenchError(
        "no folder can be made in \(folder): \(String(cString: strerror(errno)))",
        advice: "set TMPDIR, or give --work DIR")
    }
    let name = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    Leftovers.add(name)
    return name
  }

  /// Removes a folder and everything in it.
  static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
    Leftovers.forget(path)
  }
}
