import CLZ4

/// Packs bytes into one LZ4 frame, with the content's size and checksum.
enum LZ4Frame {
  /// Nil when the library fails, which it does only for want of memory.
  static func packing(_ content: borrowing Span<UInt8>) -> [UInt8]? {
    var preferences = LZ4F_preferences_t()
    preferences.frameInfo.contentSize = UInt64(content.count)
    preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled
    // The library writes at most the bound that it computes, and reads the count that it is given.
    let bound = unsafe LZ4F_compressFrameBound(content.count, &preferences)
    var isPacked = true
    let frame = unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, initializedCount in
      let count = unsafe content.withUnsafeBytes { source in
        unsafe LZ4F_compressFrame(buffer.baseAddress, bound, source.baseAddress, source.count, &preferences)
      }
      isPacked = LZ4F_isError(count) == 0
      initializedCount = isPacked ? count : 0
    }
    return isPacked ? frame : nil
  }
}
