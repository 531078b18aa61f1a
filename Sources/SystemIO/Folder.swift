import Glibc

/// Folders that outputs go to.
public enum Folder {
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
