import CLinux
import Glibc

/// How much of the machine this process may use.
public enum Processors {
  /// The smaller of the affinity mask and the quota of the control group, rounded up; at least 1.
  public static var usable: Int {
    let affinity = Int(clinux_usable_processors())
    let allowed = affinity > 0 ? affinity : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    return max(1, min(allowed, quota ?? allowed))
  }

  /// Processors' worth of time that the control group gives; nil where it sets no bound.
  private static var quota: Int? {
    if let text = KernelText.firstLine(of: "/sys/fs/cgroup/cpu.max"), let quota = quota(version2: text) {
      return quota
    }
    // Inside a container the group is the mount itself; version 1 has it under this name.
    guard let quota = KernelText.firstLine(of: "/sys/fs/cgroup/cpu/cpu.cfs_quota_us"),
      let period = KernelText.firstLine(of: "/sys/fs/cgroup/cpu/cpu.cfs_period_us")
    else { return nil }
    return Self.quota(quota, period)
  }

  /// What `cpu.max` says: "150000 100000", or "max 100000".
  static func quota(version2 text: String) -> Int? {
    let fields = text.split(separator: " ")
    return fields.count == 2 ? quota(String(fields[0]), String(fields[1])) : nil
  }

  /// Microseconds of processor time in a period, which is in microseconds too; version 1 writes -1 for no bound.
  static func quota(_ quota: String, _ period: String) -> Int? {
    guard let quota = Int(quota), let period = Int(period), quota > 0, period > 0 else { return nil }
    return max(1, (quota + period - 1) / period)
  }
}
