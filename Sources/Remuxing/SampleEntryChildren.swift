import ByteParsing
import ISOMedia
import SystemIO

extension AudioSampleEntry {
  /// Children that are malformed, or of which the entry may have one and has more. Outputs are made without them.
  func faultyChildren(in file: MappedFile) -> [Box] {
    // Most entries hold their configuration and nothing else.
    guard children.count > 1 || waveChildren.count > 1 || child("dec3") == nil else { return [] }
    var places: [Int] = []
    BoxTree(file.bytes).walk(
      box,
      visit: { inner, _ in
        guard let shape = TableShape(of: inner, in: file.bytes), shape.byteCount > inner.payload.count else {
          return
        }
        places.append(inner.offset)
      },
      fault: { fault, _ in
        switch fault {
        case .malformed(let error): places.append(error.offset)
        case .tail(let offset, _): places.append(offset)
        case .duplicate(let second): places.append(second.offset)
        case .tooDeep(let inner): places.append(inner.offset)
        }
      })
    return children.filter { child in
      places.contains { child.offset <= $0 && $0 < child.payload.upperBound }
    }
  }
}

extension Finding {
  /// What is said of children that are left out; instead of `wave` there is the configuration alone, whatever else it holds.
  static func leftOut(_ children: [Box]) -> [Finding] {
    children.filter { $0.type != "wave" }.map {
      Finding(
        .boxMalformed, .warning,
        "box \($0.type) of the sample entry is malformed or there twice; it is left out")
    }
  }
}
