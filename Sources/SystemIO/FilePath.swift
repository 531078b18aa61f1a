import Glibc

/// A path: bytes without a zero, as the kernel has it. It need not be UTF-8.
public struct FilePath: Hashable, Sendable {
  /// The bytes and their terminating zero.
  private var storage: [UInt8]

  /// Nil when the bytes are empty or hold a zero.
  public init?(bytes: some Sequence<UInt8>) {
    self.init(unchecked: bytes)
    guard storage.count > 1, storage.firstIndex(of: 0) == storage.count - 1 else { return nil }
  }

  /// Nil when the bytes are empty or hold a zero.
  public init?(bytes: [UInt8]) {
    guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
    self.init(unchecked: bytes)
  }

  /// Nil when the text is empty or holds a zero.
  public init?(_ text: String) {
    self.init(bytes: text.utf8)
  }

  private init(storage: [UInt8]) {
    self.storage = storage
  }

  private init(unchecked bytes: some Sequence<UInt8>) {
    var storage: [UInt8] = []
    storage.reserveCapacity(bytes.underestimatedCount + 1)
    storage.append(contentsOf: bytes)
    storage.append(0)
    self.storage = storage
  }

  /// The folder that relative paths start from.
  public static let workingFolder = FilePath(unchecked: ".".utf8)

  /// What standard output is called in messages.
  public static let standardOutput = FilePath(unchecked: "standard output".utf8)

  /// What standard input is called in messages.
  public static let standardInput = FilePath(unchecked: "standard input".utf8)

  /// The bytes without the terminating zero.
  public var bytes: [UInt8] { Array(content) }

  /// The bytes without the terminating zero, not copied.
  public var content: ArraySlice<UInt8> { storage.dropLast() }

  /// The folder that holds the last component; "." where the path names none.
  public var folder: FilePath {
    guard let slash = content.lastIndex(of: Self.slash) else { return .workingFolder }
    return FilePath(unchecked: slash == 0 ? content[...0] : content[..<slash])
  }

  /// What follows the last slash.
  public var lastComponent: [UInt8] { Array(lastContent) }

  /// What follows the last dot of the last component, in lower case; empty when there is none.
  public var suffix: String {
    let name = lastContent
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  private var lastContent: ArraySlice<UInt8> {
    guard let slash = content.lastIndex(of: Self.slash) else { return content }
    return content[(slash + 1)...]
  }

  /// Whether a path is one of an entry of this folder, by name alone.
  public func holds(_ path: FilePath) -> Bool {
    guard let slash = path.content.lastIndex(of: Self.slash), slash > 0 else { return self == path.folder }
    return content == path.content[..<slash]
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

  /// Where it leads or would lead, once folders that are missing have been made: absolute, links followed.
  ///
  /// Throws for a link to nothing.
  public func resolvedBeforeItExists() throws(SystemError) -> FilePath {
    do throws(Errno) {
      return try SystemCalls.resolved(self)
    } catch let error where error.code == ENOENT && folder != self && !isLink {
      return try folder.resolvedBeforeItExists().appending(lastComponent)
    } catch {
      throw SystemError(.openSource, self, .call("realpath", error))
    }
  }

  private var isLink: Bool {
    (try? SystemCalls.status(of: self, followingLinks: false)).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
  }

  /// Whether it is a folder itself or lies inside it, by name alone.
  public func isInside(_ folder: FilePath) -> Bool {
    guard content.starts(with: folder.content) else { return false }
    let rest = content.dropFirst(folder.content.count)
    return rest.isEmpty || rest.first == Self.slash || folder.content.last == Self.slash
  }

  /// A path inside this folder; nil when the name is empty or holds a zero.
  public func appending(_ name: String) -> FilePath? {
    let name = name.utf8
    guard !name.isEmpty, !name.contains(0) else { return nil }
    return joined(with: name)
  }

  /// A path inside this folder.
  public func appending(_ name: [UInt8]) -> FilePath {
    joined(with: name)
  }

  private func joined(with name: some Collection<UInt8>) -> FilePath {
    var path = FilePath(storage: [])
    path.storage.reserveCapacity(storage.count + 1 + name.count)
    path.storage.append(contentsOf: content)
    path.storage.append(Self.slash)
    path.storage.append(contentsOf: name)
    path.storage.append(0)
    return path
  }

  /// Hashes all bytes at once.
  public func hash(into hasher: inout Hasher) {
    // Read only while the closure runs.
    unsafe storage.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  func withCString<R, E: Error>(_ body: (UnsafePointer<CChar>) throws(E) -> R) throws(E) -> R {
    // The storage ends with a zero and outlives the closure. Array's own method erases the error's type.
    let result = unsafe storage.withUnsafeBufferPointer { buffer -> Result<R, E> in
      guard let start = buffer.baseAddress else { preconditionFailure("a path is never empty") }
      // UInt8 and CChar have one layout.
      return unsafe start.withMemoryRebound(to: CChar.self, capacity: buffer.count) { text in
        do throws(E) { return .success(try unsafe body(text)) } catch { return .failure(error) }
      }
    }
    return try result.get()
  }

  private static let slash = UInt8(ascii: "/")
}

extension FilePath: CustomStringConvertible {
  /// The path as text; bytes that are no UTF-8 become replacement characters.
  public var description: String { String(decoding: content, as: UTF8.self) }
}
