import Glibc

/// The variables that a process is started with.
public enum Environment {
  /// Nil when a variable is not set.
  public static func value(_ name: String) -> String? {
    // The text is copied; nothing here changes the environment.
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(cString: text)
  }
}
