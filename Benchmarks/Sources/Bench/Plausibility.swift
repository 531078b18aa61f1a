// Whether numbers that are read could have been measured: everything that is made of a report rests on that.

extension Double {
  /// A time, a count or a ratio: not below zero, and short of what is a whole number only.
  var isPlausible: Bool { self >= 0 && self < 1e15 }
}

extension Int {
  var isPlausible: Bool { Double(self).isPlausible }
}

extension Estimate {
  var isPlausible: Bool {
    low.isPlausible && high.isPlausible && low <= median && median <= high && count > 0
  }
}

extension Distribution {
  var isPlausible: Bool {
    let ascending = [shape.first ?? -1, p50, p90, p99]
    return shape.count == Self.steps + 1 && (shape + ascending).allSatisfy(\.isPlausible) && count > 0
      // The shape is rounded.
      && zip(ascending, ascending.dropFirst()).allSatisfy { $0 <= $1 + 0.01 }
      && zip(shape, shape.dropFirst()).allSatisfy { $0 <= $1 }
  }
}

extension Counts {
  var isPlausible: Bool {
    [allocations, jsonAllocations, systemCalls, instructions, bytesWritten].allSatisfy {
      $0?.isPlausible ?? true
    }
      && [anonymous, peak].allSatisfy { $0?.isPlausible ?? true }
  }
}

extension Measurement {
  var isPlausible: Bool {
    [units, sourceUnits, bytes].allSatisfy(\.isPlausible) && wall.isPlausible && core.isPlausible
      && counts.isPlausible
      && [floorWall, floorCore].allSatisfy { $0?.isPlausible ?? true }
      && [wallRatio, coreRatio].allSatisfy { $0?.isPlausible ?? true }
  }
}

extension BudgetResult {
  var isPlausible: Bool { measured.isPlausible && limit.isPlausible && limit > 0 }
}

extension Report {
  var isPlausible: Bool {
    pairs > 0 && host.cores > 0 && measurements.allSatisfy(\.isPlausible) && budgets.allSatisfy(\.isPlausible)
  }
}
