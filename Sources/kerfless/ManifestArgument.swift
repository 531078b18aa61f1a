import Batch
import Remuxing
import SystemIO

/// The manifest that a command is given, and how its paths are understood.
struct ManifestArgument {
  let path: FilePath
  let rules: PathRules

  init(_ arguments: Arguments) throws(CommandError) {
    try self.init(arguments.paths(1...1, "manifest")[0], arguments)
  }

  /// A manifest among other operands.
  init(_ path: FilePath, _ arguments: Arguments) throws(CommandError) {
    let isStandardInput = path.bytes == [UInt8(ascii: "-")]
    self.path = path
    // A manifest on standard input has no folder; the working folder is the nearest thing.
    let folder = isStandardInput ? FilePath.workingFolder : path.folder
    let root = try arguments.path(.root) ?? folder
    let confinement = try arguments.path(.confine)
    rules = try engine { () throws(Failure) in try PathRules(root: root, confinement: confinement) }
  }

  func open() throws(CommandError) -> InputFile { try Self.open(path) }

  /// Opens a manifest, or standard input where that is what it is called.
  static func open(_ path: FilePath) throws(CommandError) -> InputFile {
    try engine { () throws(Failure) in
      guard path.bytes != [UInt8(ascii: "-")] else { return InputFile() }
      do throws(SystemError) { return try InputFile(opening: path) } catch { throw Failure(error) }
    }
  }
}
