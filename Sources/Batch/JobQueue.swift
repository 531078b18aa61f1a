import Dispatch
import SystemIO
import Synchronization

/// Jobs between the manifest's reader and the lanes, grouped by their first source.
///
/// It holds a bounded number of them: the reader waits for room, lanes wait for jobs. A lane takes a chunk of one source:
/// large ones while there is plenty, smaller ones towards the end, so that all lanes finish at about the same time.
final class JobQueue: Sendable {
  /// Jobs, and bytes of their lines, that may wait here.
  static let capacity = (jobs: 4096, bytes: 4 << 20)

  fileprivate struct State {
    var groups: [FilePath: Group] = [:]
    /// The groups in the order in which they came.
    var order: [FilePath] = []
    var jobCount = 0
    var byteCount = 0
    var isClosed = false
    var waitingLanes = 0
    var readerWaits = false

    var isFull: Bool { jobCount >= JobQueue.capacity.jobs || byteCount >= JobQueue.capacity.bytes }
    var isHalfEmpty: Bool {
      jobCount <= JobQueue.capacity.jobs / 2 && byteCount <= JobQueue.capacity.bytes / 2
    }
  }

  /// A class, so that adding to it does not go through the dictionary. It is touched only while `state` is locked.
  fileprivate final class Group {
    private var jobs: [Job] = []
    private var next = 0

    var isEmpty: Bool { next == jobs.count }

    func add(_ job: Job) { jobs.append(job) }

    /// The first jobs. Those that are gone are let go before they are many: a source may have millions.
    func take(_ size: Int) -> [Job] {
      let chunk = Array(jobs[next...].prefix(size))
      next += chunk.count
      if next >= 256, 2 * next >= jobs.count {
        jobs.removeFirst(next)
        next = 0
      }
      return chunk
    }
  }

  private let laneCount: Int
  private let largestChunk: Int
  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)
  private let room = DispatchSemaphore(value: 0)

  init(laneCount: Int, largestChunk: Int) {
    self.laneCount = laneCount
    self.largestChunk = largestChunk
  }

  /// Adds a job, once there is room; false when the queue has been closed.
  func put(_ job: Job) -> Bool {
    while true {
      let (isAdded, wakesLane) = state.withLock { state in
        if state.isClosed { return (false, false) }
        if state.isFull {
          state.readerWaits = true
          return (false, false)
        }
        state.add(job)
        guard state.waitingLanes > 0 else { return (true, false) }
        state.waitingLanes -= 1
        return (true, true)
      }
      if wakesLane { arrivals.signal() }
      if isAdded { return true }
      if state.withLock({ $0.isClosed }) { return false }
      room.wait()
    }
  }

  /// Takes the next chunk, once there is one; nil when the queue has been closed and is empty.
  func take() -> [Job]? {
    while true {
      let (chunk, isOver, wakesReader) = state.withLock { state -> ([Job]?, Bool, Bool) in
        guard state.jobCount > 0 else {
          if state.isClosed { return (nil, true, false) }
          state.waitingLanes += 1
          return (nil, false, false)
        }
        let size = min(largestChunk, max(1, state.jobCount / (2 * laneCount)))
        let chunk = state.takeChunk(of: size)
        let wakesReader = state.readerWaits && state.isHalfEmpty
        if wakesReader { state.readerWaits = false }
        return (chunk, false, wakesReader)
      }
      if wakesReader { room.signal() }
      if isOver { return nil }
      if let chunk { return chunk }
      arrivals.wait()
    }
  }

  /// No more jobs come.
  func close() {
    close(discarding: false)
  }

  /// No more jobs come, and those that wait are not done.
  func discard() {
    close(discarding: true)
  }

  private func close(discarding: Bool) {
    let waiting = state.withLock { state in
      state.isClosed = true
      if discarding { state.removeAll() }
      defer { state.waitingLanes = 0 }
      return state.waitingLanes
    }
    for _ in 0..<waiting { arrivals.signal() }
    room.signal()
  }
}

extension JobQueue.State {
  fileprivate mutating func add(_ job: Job) {
    let source = job.segments[0].source
    if let group = groups[source] {
      group.add(job)
    } else {
      let group = JobQueue.Group()
      group.add(job)
      groups[source] = group
      order.append(source)
    }
    jobCount += 1
    byteCount += job.byteCount
  }

  /// The first jobs of the oldest group.
  fileprivate mutating func takeChunk(of size: Int) -> [Job] {
    let source = order[0]
    guard let group = groups[source] else { return [] }
    let chunk = group.take(size)
    if group.isEmpty {
      order.removeFirst()
      groups[source] = nil
    }
    jobCount -= chunk.count
    byteCount -= chunk.reduce(0) { $0 + $1.byteCount }
    return chunk
  }

  fileprivate mutating func removeAll() {
    groups = [:]
    order = []
    jobCount = 0
    byteCount = 0
  }
}
