import Glibc

/// Folders, which are listed and made.
public enum Folder {
  /// The names of what it holds, in the order of their bytes.
  ///
  /// Throws when it cannot be listed.
  public static func names(in folder: FilePath) throws(SystemError) -> [[UInt8]] {
    // The stream is closed below; each entry is copied before the next one is read.
    guard let stream = unsafe folder.withCString({ unsafe opendir($0) }) else {
      throw SystemError(.listFolder, folder, .call("opendir", .last))
    }
    defer { unsafe _ = closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
      names.append(name)
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Throws when a path is no folder in which files can be made, and no such folder can be made there.
  public static func requireMakeable(_ path: FilePath) throws(SystemError) {
    do throws(Errno) {
      let status = try SystemCalls.status(of: path, followingLinks: true)
      guard FileKind(status) == .folder else { throw Errno(code: ENOTDIR) }
      try SystemCalls.requireAccess(path, W_OK | X_OK)
    } catch let error where error.code == ENOENT && path.folder != path {
      try requireMakeable(path.folder)
    } catch {
      throw SystemError(.createTarget, path, .call("access", error))
    }
  }

  /// Makes a folder and those above it, where they are missing.
  public static func make(_ path: FilePath) throws(SystemError) {
    guard !path.exists else { return }
    do throws(Errno) {
      do throws(Errno) {
        try SystemCalls.makeFolder(path, mode: 0o777)
      } catch let error where error.code == ENOENT && path.folder != path {
        do throws(SystemError) { try make(path.folder) } catch { throw error.errno ?? Errno(code: ENOENT) }
        try SystemCalls.makeFolder(path, mode: 0o777)
      } catch {
        throw error
      }
    } catch let error where error.code == EEXIST {
      // Another lane or process was faster.
    } catch {
      throw SystemError(.createTarget, path, .call("mkdir", error))
    }
  }
}
