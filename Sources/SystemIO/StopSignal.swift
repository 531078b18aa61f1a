import CLinux

/// SIGINT and SIGTERM, for work that ends in an orderly way.
public enum StopSignal {
  /// From now on the first one is only noted. A second one ends the process at once, and so does the end of a grace,
  /// whatever the process waits for then: `endNow` with the first one.
  public static func note(graceMilliseconds: Int32) {
    clinux_defer_stop(graceMilliseconds)
  }

  /// The number of the signal that came; nil when none has.
  public static var noted: Int32? {
    let number = clinux_stop_signal()
    return number == 0 ? nil : number
  }

  /// Removes unfinished files and ends the process with 128 + signal.
  public static func endNow(_ number: Int32) {
    clinux_end_now(number)
  }
}
