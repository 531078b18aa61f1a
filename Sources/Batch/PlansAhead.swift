import Remuxing

/// Plans of the jobs that a lane runs next.
///
/// Several are planned, then they are written. In turns, planning would find the processor's caches full of the kernel's
/// code and data each time, and the kernel would find them full of ours.
struct PlansAhead {
  /// One job's plan, and how long it took to make.
  struct Element {
    let output: PlannedOutput
    let nanoseconds: Int
  }

  /// Jobs at the most.
  private static let maximumCount = 16
  /// Segments at the most: each may hold a source open.
  private static let maximumSegments = 64
  /// Once the plans have this size no further one is made.
  private static let sufficientByteCount = 256 << 10

  /// Nil where it has been taken.
  private var elements: [Element?] = []
  private var position = 0
  private var segmentCount = 0
  private var byteCount = 0

  /// Whether no plan is left.
  var isEmpty: Bool { position == elements.count }

  /// Whether one more job may be planned.
  func hasRoom(for job: Job) -> Bool {
    isEmpty
      || elements.count < Self.maximumCount && byteCount < Self.sufficientByteCount
        && segmentCount + job.segments.count <= Self.maximumSegments
  }

  /// Adds the plan of a job, which comes last.
  mutating func append(_ element: Element, for job: Job) {
    if isEmpty { removeAll() }
    elements.append(element)
    segmentCount += job.segments.count
    byteCount += element.output.plan.made.count
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
