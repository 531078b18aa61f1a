public import Remuxing
public import SystemIO

/// How the paths in a manifest are understood.
public struct PathRules: Sendable {
  /// The folder that relative paths are relative to; absolute, so that a journal knows an output from anywhere.
  private let root: FilePath
  /// The folder that nothing may lie outside of, and the name behind its links.
  private let confinement: FilePath?

  /// Rules for a manifest.
  ///
  /// Throws when the folder of a confinement is not there.
  public init(root: FilePath, confinement: FilePath? = nil) throws(Failure) {
    // A folder that is not there makes each job fail, which says more.
    self.root = (try? root.resolved()) ?? root
    do throws(SystemError) {
      self.confinement = try confinement.map { (path) throws(SystemError) in try path.resolved() }
    } catch {
      throw Failure(error)
    }
  }

  /// The path that a text in the manifest means.
  func path(_ text: String, key: String) throws(LineError) -> FilePath {
    let isAbsolute = text.utf8.first == UInt8(ascii: "/")
    guard let path = isAbsolute ? FilePath(text) : root.appending(text) else {
      throw LineError(key: key, "it is empty")
    }
    if confinement != nil, text.split(separator: "/").contains("..") {
      throw LineError(key: key, "it has a component '..', which --confine does not allow")
    }
    return path
  }

  /// Throws when a path leads out of the confinement, links followed, whether it exists or is to be made.
  ///
  /// It holds for what is there when it is asked: against somebody who puts links there meanwhile it is of no use.
  func requireInside(_ path: FilePath) throws(Failure) {
    guard let confinement else { return }
    let resolved: FilePath
    do throws(SystemError) { resolved = try path.resolvedBeforeItExists() } catch { throw Failure(error) }
    guard resolved.isInside(confinement) else {
      throw Failure(.jobInvalid, "it leads out of the folder that --confine names", path: path)
    }
  }
}
