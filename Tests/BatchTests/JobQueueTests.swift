import Dispatch
import Remuxing
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import Batch

/// Jobs on their way from the reader to the lanes.
struct JobQueueTests {
  private func job(_ number: Int, source: String) throws -> Job {
    let line = Array(#"{"id":"\#(number)","source":"\#(source)","output":"\#(number).mp4"}"#.utf8)
    return try JobParser(try PathRules(root: .workingFolder)).job(line.span, number: number)
  }

  @Test func `a chunk is of one source, and chunks get smaller towards the end`() throws {
    let queue = JobQueue(laneCount: 2, largestChunk: 8)
    for number in 0..<60 { #expect(queue.put(try job(number, source: number % 2 == 0 ? "a" : "b"))) }
    queue.close()
    var sizes: [Int] = []
    var numbers: [Int] = []
    while let chunk = queue.take() {
      #expect(Set(chunk.map(\.segments[0].source)).count == 1)
      sizes.append(chunk.count)
      numbers += chunk.map(\.line)
    }
    #expect(numbers.sorted() == Array(0..<60))
    #expect(numbers.filter { $0 % 2 == 0 } == Array(stride(from: 0, to: 60, by: 2)))
    #expect(sizes.first == 8)
    #expect(sizes.suffix(3) == [1, 1, 1])
    #expect(!queue.put(try job(60, source: "a")))
  }

  @Test func `many more jobs than there is room for reach the lanes once`() throws {
    let queue = JobQueue(laneCount: 3, largestChunk: 64)
    let count = 5 * JobQueue.capacity.jobs
    let prototypes = try (0..<7).map { try job($0, source: "s\($0)") }
    let seen = Mutex([String: Int]())
    let group = DispatchGroup()
    for lane in 0..<3 {
      DispatchQueue(label: "lane \(lane)").async(group: group) {
        while let chunk = queue.take() {
          seen.withLock { seen in
            for job in chunk { seen[job.id, default: 0] += 1 }
          }
        }
      }
    }
    for number in 0..<count { #expect(queue.put(prototypes[number % 7])) }
    queue.close()
    group.wait()
    #expect(seen.withLock { $0.values.reduce(0, +) } == count)
  }

  @Test func `a discarded queue lets everybody go`() throws {
    let queue = JobQueue(laneCount: 1, largestChunk: 64)
    let prototype = try job(0, source: "s")
    let group = DispatchGroup()
    // The reader waits for room.
    DispatchQueue(label: "reader").async(group: group) { while queue.put(prototype) {} }
    while queue.take() == nil {}
    queue.discard()
    group.wait()
    #expect(queue.take() == nil)
  }
}
