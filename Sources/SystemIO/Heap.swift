import CLinux

/// The process's heap.
public enum Heap {
  /// From now on large blocks are given back to the kernel when they are freed, not kept for later.
  public static func returnLargeBlocks() {
    clinux_return_large_blocks()
  }
}
