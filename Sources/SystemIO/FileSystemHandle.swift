import CLinux
import Glibc

/// A file system, held by a descriptor of one of its folders, so that all that was written to it can be forced to the disk.
///
/// Errors of writing back are reported to descriptors that were open when they happened: open it before writing.
public final class FileSystemHandle: Sendable {
  /// `st_dev` of the file system.
  public let device: UInt
  private let folder: FilePath
  private let descriptor: Int32

  /// Opens a folder of the file system.
  public init(of folder: FilePath) throws(SystemError) {
    self.folder = folder
    let descriptor: Int32
    do throws(Errno) {
      descriptor = try SystemCalls.open(folder, O_RDONLY | O_DIRECTORY)
    } catch {
      throw SystemError(.createTarget, folder, .call("open", error))
    }
    self.descriptor = descriptor
    do throws(Errno) {
      device = UInt(try SystemCalls.status(of: descriptor).st_dev)
    } catch {
      _ = SystemCalls.close(descriptor)
      throw SystemError(.createTarget, folder, .call("fstat", error))
    }
  }

  deinit {
    _ = SystemCalls.close(descriptor)
  }

  /// Forces everything to the disk: syncfs(2).
  public func synchronise() throws(SystemError) {
    do throws(Errno) {
      _ = try SystemCalls.check { clinux_syncfs(descriptor) }
    } catch {
      throw SystemError(.writeTarget, folder, .call("syncfs", error))
    }
  }
}
