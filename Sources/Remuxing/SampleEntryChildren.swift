import ByteParsing
import ISOMedia
import SystemIO

extension AudioSampleEntry {
  /// Children that are malformed, or of which the entry may have one and has more. Outputs are made without them.
  func faultyChildren(in file: MappedFile) -> [Box] {
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

  /// What is said of children that are left out.
  func findings(in file: MappedFile) -> [Finding] {
    // Instead of wave there is the configuration alone, whatever else it holds.
    faultyChildren(in: file).filter { $0.type != "wave" }.map {
      Finding(
        .boxMalformed, .warning,
        "box \($0.type) of the sample entry is malformed or there twice; it is left out")
    }
  }
}
