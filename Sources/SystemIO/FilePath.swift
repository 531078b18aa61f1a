/// A path: bytes without a zero, as the kernel has it. It need not be UTF-8.
public struct FilePath: Hashable, Sendable {
  /// The bytes and their terminating zero.
  private let storage: [CChar]

  /// Nil when the bytes are empty or hold a zero.
  public init?(bytes: some Sequence<UInt8>) {
    let characters = bytes.map { CChar(bitPattern: $0) }
    guard !characters.isEmpty, !characters.contains(0) else { return nil }
    storage = characters + [0]
  }

  /// Nil when the text is empty or holds a zero.
  public init?(_ text: String) {
    self.init(bytes: text.utf8)
  }

  private init(unchecked bytes: some Sequence<UInt8>) {
    storage = bytes.map { CChar(bitPattern: $0) } + [0]
  }

  /// The folder that relative paths start from.
  public static let workingFolder = FilePath(unchecked: ".".utf8)

  /// What standard output is called in messages.
  public static let standardOutput = FilePath(unchecked: "standard output".utf8)

  /// What standard input is called in messages.
  public static let standardInput = FilePath(unchecked: "standard input".utf8)

  /// The bytes without the terminating zero.
  public var bytes: [UInt8] {
    storage.dropLast().map { UInt8(bitPattern: $0) }
  }

  /// The folder that holds the last component; "." where the path names none.
  public var folder: FilePath {
    let bytes = bytes
    guard let slash = bytes.lastIndex(of: Self.slash) else { return .workingFolder }
    return FilePath(unchecked: slash == 0 ? bytes[...0] : bytes[..<slash])
  }

  /// What follows the last slash.
  public var lastComponent: [UInt8] {
    let bytes = bytes
    guard let slash = bytes.lastIndex(of: Self.slash) else { return bytes }
    return Array(bytes[(slash + 1)...])
  }

  /// What follows the last dot of the last component, in lower case; empty when there is none.
  public var suffix: String {
    let name = lastComponent
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  /// Whether something has this name.
  public var exists: Bool { SystemCalls.exists(self) }

  /// Where it leads: absolute, links followed. It must exist.
  public func resolved() throws(SystemError) -> FilePath {
    do throws(Errno) {
      return try SystemCalls.resolved(self)
    } catch {
      throw SystemError(.openSource, self, .call("realpath", error))
    }
  }

  /// Whether it is a folder itself or lies inside it, by name alone.
  public func isInside(_ folder: FilePath) -> Bool {
    guard bytes.starts(with: folder.bytes) else { return false }
    let rest = bytes.dropFirst(folder.bytes.count)
    return rest.isEmpty || rest.first == Self.slash || folder.bytes.last == Self.slash
  }

  /// A path inside this folder.
  public func appending(_ name: [UInt8]) -> FilePath {
    FilePath(unchecked: bytes + [Self.slash] + name)
  }

  func withCString<R, E: Error>(_ body: (UnsafePointer<CChar>) throws(E) -> R) throws(E) -> R {
    // The storage ends with a zero and outlives the closure. Array's own method erases the error's type.
    let result = unsafe storage.withUnsafeBufferPointer { buffer -> Result<R, E> in
      guard let start = buffer.baseAddress else { preconditionFailure("a path is never empty") }
      do throws(E) { return .success(try unsafe body(start)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private static let slash = UInt8(ascii: "/")
}

extension FilePath: CustomStringConvertible {
  /// The path as text; bytes that are no UTF-8 become replacement characters.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
