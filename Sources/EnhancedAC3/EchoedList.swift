/// A list that is compared with a model while it grows: as long as it is the same, it is the model and takes no memory.
///
/// Nearly all access units of a track have the substreams of its first.
struct EchoedList<Element: Equatable> {
  private let model: [Element]
  /// The elements, once one of them differs from the model's.
  private var own: [Element] = []
  private var isEcho = true
  private(set) var count = 0

  init(_ model: [Element]) {
    self.model = model
  }

  /// The list as it is.
  var elements: [Element] {
    guard isEcho else { return own }
    return count == model.count ? model : Array(model[..<count])
  }

  subscript(index: Int) -> Element {
    get { isEcho ? model[index] : own[index] }
    set {
      leaveModel()
      own[index] = newValue
    }
  }

  mutating func append(_ element: Element) {
    defer { count += 1 }
    if isEcho {
      if count < model.count, model[count] == element { return }
      leaveModel()
    }
    own.append(element)
  }

  private mutating func leaveModel() {
    guard isEcho else { return }
    own = Array(model[..<count])
    isEcho = false
  }
}
