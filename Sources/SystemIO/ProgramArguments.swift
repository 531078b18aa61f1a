import CLinux
import Glibc

/// The words behind the program's name, as bytes: they need not be UTF-8.
public enum ProgramArguments {
  /// Taken from the C library, which has them without /proc.
  public static var words: [[UInt8]] {
    (1..<max(1, clinux_argument_count())).compactMap { index in
      // The kernel ends each word with a zero, and keeps it as long as the process lives.
      guard let word = unsafe clinux_argument(index) else { return nil }
      return unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
    }
  }
}
