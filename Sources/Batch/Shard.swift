/// One of several parts of a manifest, which cover it once.
public struct Shard: Equatable, Sendable, CustomStringConvertible {
  /// Which part, from 0.
  public let index: Int
  /// How many parts there are.
  public let count: Int

  /// All of it.
  public static let whole = Shard(unchecked: 0, 1)

  private init(unchecked index: Int, _ count: Int) {
    self.index = index
    self.count = count
  }

  /// Nil where there is no such part.
  public init?(_ index: Int, of count: Int) {
    guard count > 0, (0..<count).contains(index) else { return nil }
    self.init(unchecked: index, count)
  }

  /// "3/8".
  public var description: String { "\(index)/\(count)" }
}
