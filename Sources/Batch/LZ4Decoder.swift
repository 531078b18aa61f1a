import CLZ4
import Remuxing

/// Decodes LZ4 frames, one after the other; skippable frames are passed over.
@safe final class LZ4Decoder {
  private let context: OpaquePointer
  /// Whether the last byte that was taken ended a frame.
  private(set) var isBetweenFrames = true

  /// Nil when there is no memory for it.
  init?() {
    var context: OpaquePointer?
    // The library hands out an object that is freed in the end.
    guard unsafe LZ4F_isError(LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))) == 0,
      let context = unsafe context
    else { return nil }
    unsafe self.context = context
  }

  deinit {
    unsafe _ = LZ4F_freeDecompressionContext(context)
  }

  /// What a step took from the input and put into the output.
  struct Step {
    let taken: Int
    let made: Int
  }

  /// Why input could not be decoded.
  struct Fault: Error {
    let text: String
  }

  /// Decodes as much of the input as there is room for.
  func decode(_ input: borrowing Span<UInt8>, into output: inout [UInt8]) throws(Fault) -> Step {
    // Without input the library would start to wait for a further frame.
    if input.isEmpty, isBetweenFrames { return Step(taken: 0, made: 0) }
    var made = output.count
    var taken = input.count
    // The library reads and writes at most the counts that it is given, and returns them as used.
    let hint = unsafe output.withUnsafeMutableBytes { target in
      unsafe input.withUnsafeBufferPointer { source in
        unsafe LZ4F_decompress(context, target.baseAddress, &made, source.baseAddress, &taken, nil)
      }
    }
    guard LZ4F_isError(hint) == 0 else {
      // A constant text of the library.
      throw Fault(text: unsafe String(cString: LZ4F_getErrorName(hint)))
    }
    isBetweenFrames = hint == 0
    return Step(taken: taken, made: made)
  }
}
