import CLibFuzzer
import FuzzProperties

/// Called by libFuzzer instead of its own mutations: boxes, or what is asked of them, or any bytes.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int, _ seed: UInt32) -> Int {
  var random = Generator(state: UInt64(seed) << 32)
  let request = FuzzTarget.requestByteCount
  guard count > request, limit > request, random.below(5) > 0 else {
    return LLVMFuzzerMutate(start, count, limit)
  }
  let border = count - request
  if random.below(4) == 0 {
    // What is asked keeps its length; a shorter outcome leaves the old bytes behind it.
    _ = LLVMFuzzerMutate(start + border, request, request)
    return count
  }
  let file = Array(UnsafeBufferPointer(start: start, count: border))
  let asked = Array(UnsafeBufferPointer(start: start + border, count: request))
  var mutator = BoxMutator(file, limit: limit - request, seed: seed)
  let bytes = mutator.mutated() + asked
  for (index, byte) in bytes.enumerated() { start[index] = byte }
  return bytes.count
}
