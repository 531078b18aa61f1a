import CLinux

/// The threads that this process may have.
public enum Threads {
  /// Throws when so many cannot be made. Dispatch would wait until they can, which may be for ever.
  public static func require(_ count: Int) throws(Errno) {
    let error = clinux_try_threads(Int32(clamping: count))
    guard error == 0 else { throw Errno(code: error) }
  }
}
