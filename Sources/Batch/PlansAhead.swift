import Remuxing
import SystemIO

/// Plans of the jobs that a lane runs next.
///
/// Several are planned, then they are written. In turns, planning would find the processor's caches full of the kernel's
/// code and data each time, and the kernel would find them full of ours.
///
/// All are of the first one's sources, so that a lane keeps no more descriptors open than that job needs.
struct PlansAhead {
  /// One job's plan, or why there is none, and how long it took to make.
  struct Element {
    let output: Result<PlannedOutput, Failure>
    let nanoseconds: Int
  }

  /// Jobs at the most.
  private static let maximumCount = 16
  /// Segments at the most.
  private static let maximumSegments = 64
  /// Once the plans have this size no further one is made.
  private static let sufficientByteCount = 256 << 10

  /// Nil where it has been taken.
  private var elements: [Element?] = []
  private var position = 0
  private var segmentCount = 0
  private var byteCount = 0
  private var sources: [FilePath] = []
  private var generation = 0

  /// Whether no plan is left.
  var isEmpty: Bool { position == elements.count }

  /// Whether one more job may be planned.
  func hasRoom(for job: Job) -> Bool {
    isEmpty
      || elements.count < Self.maximumCount && byteCount < Self.sufficientByteCount
        && segmentCount + job.segments.count <= Self.maximumSegments
        && job.segments.allSatisfy { sources.contains($0.source) }
  }

  /// Begins with nothing, and sources that no lane has had to let go of since then.
  mutating func begin(generation: Int) {
    removeAll()
    self.generation = generation
  }

  /// Forgets all plans when sources have been let go of since they were begun.
  mutating func requireCurrent(generation: Int) {
    if self.generation != generation { removeAll() }
  }

  /// Adds the plan of a job, which comes last.
  mutating func append(_ element: Element, for job: Job) {
    if elements.isEmpty { sources = job.segments.map(\.source) }
    elements.append(element)
    segmentCount += job.segments.count
    if case .success(let output) = element.output { byteCount += output.plan.heldByteCount }
  }

  /// Takes the first plan out; nil when none is left.
  mutating func next() -> Element? {
    guard !isEmpty else { return nil }
    defer { position += 1 }
    return elements[position].take()
  }

  /// Forgets all plans.
  mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
    position = 0
    segmentCount = 0
    byteCount = 0
  }
}
