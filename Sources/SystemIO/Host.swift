import Glibc

/// What is to be known of the machine's present run.
public enum Host {
  /// A text that changes with every boot; nil where the kernel does not tell.
  public static var bootID: String? {
    KernelText.firstLine(of: "/proc/sys/kernel/random/boot_id")
  }

  /// Milliseconds since 1970, by the machine's clock.
  public static var millisecondsSince1970: Int {
    var now = timespec()
    // The kernel fills the struct.
    guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return 0 }
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }
}

/// Small files of the kernel's.
enum KernelText {
  /// Nil when it cannot be read.
  static func firstLine(of path: String) -> String? {
    guard let path = FilePath(path), let file = try? InputFile(opening: path) else { return nil }
    var buffer = [UInt8](repeating: 0, count: 128)
    guard let count = try? file.read(into: &buffer) else { return nil }
    return String(decoding: buffer[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
