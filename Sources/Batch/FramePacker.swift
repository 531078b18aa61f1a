import Remuxing
import SystemIO

/// Writes lines as independent LZ4 frames, and their index behind them.
struct FramePacker: ~Copyable {
  /// Text of a frame, at the most: about what a reader must decode to reach any job.
  private static let maximumTextByteCount = 4 << 20

  private let output: OutputFile
  private let jobsPerFrame: Int
  private var text: [UInt8] = []
  private var jobCount = 0
  private(set) var index = PackIndex()
  /// Bytes written.
  private(set) var byteCount = 0

  init(_ output: OutputFile, jobsPerFrame: Int) {
    self.output = output
    self.jobsPerFrame = jobsPerFrame
  }

  /// Adds a job's line.
  mutating func add(_ line: borrowing Span<UInt8>) throws(Failure) {
    for index in 0..<line.count { text.append(line[index]) }
    text.append(UInt8(ascii: "\n"))
    jobCount += 1
    index.digest &+= ManifestDigest.digest(of: line)
    if jobCount == jobsPerFrame || text.count >= Self.maximumTextByteCount { try endFrame() }
  }

  /// Writes what is left, and the index.
  mutating func finish() throws(Failure) {
    try endFrame()
    try write(index.bytes)
  }

  private mutating func endFrame() throws(Failure) {
    guard jobCount > 0 else { return }
    guard let frame = LZ4Frame.packing(text.span) else {
      throw Failure(.resources, "there is no memory to pack LZ4", path: output.path)
    }
    let firstJob = index.jobCount
    index.frames.append(
      PackIndex.Frame(bytes: byteCount..<byteCount + frame.count, jobs: firstJob..<firstJob + jobCount))
    try write(frame)
    text.removeAll(keepingCapacity: true)
    jobCount = 0
  }

  private mutating func write(_ bytes: [UInt8]) throws(Failure) {
    do throws(SystemError) {
      try output.write([.made(0..<bytes.count)], made: bytes, sources: [])
    } catch {
      throw Failure(error)
    }
    byteCount += bytes.count
  }
}
