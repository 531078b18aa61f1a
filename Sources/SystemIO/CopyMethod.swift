/// How the payload of an output is moved.
public enum CopyMethod: String, CaseIterable, Sendable {
  /// The cheapest way that the file systems allow, extent by extent.
  case auto
  /// Whole blocks shared between source and target (FICLONERANGE); the edges are written.
  case clone
  /// Inside the kernel (copy_file_range), which may share instead of copying.
  case copy
  /// writev or pwritev from the source's mapping.
  case gather
}
