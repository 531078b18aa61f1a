import Foundation

/// Where a report goes: standard output, and files.
extension Report {
  /// Throws where a file that is asked for cannot be written: that shall be known before minutes have been measured.
  static func checkTargets(_ arguments: Arguments) throws {
    for option in Option.output { try arguments.text(option).map(TargetFile.check) }
  }

  /// Prints it, and writes it in every form that is asked for; what cannot be printed is written all the same.
  func publish(_ arguments: Arguments) throws {
    let printed = Result { try StandardOutput.print(TextTable.text(self)) }
    if let path = arguments.text(.json) { try TargetFile.write(try json, to: path) }
    if let path = arguments.text(.html) { try TargetFile.write(Data(Page.html(self).utf8), to: path) }
    if let path = arguments.text(.markdown) {
      // A summary may have other parts already.
      try TargetFile.write(Data(MarkdownReport.text(self).utf8), to: path, isAppended: true)
    }
    try printed.get()
  }
}

/// A file that is written for others.
enum TargetFile {
  /// Throws where it could not be written, as far as that can be told without making it.
  static func check(_ path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var status = stat()
    if stat(path, &status) != 0 {
      guard errno == ENOENT, access(folder, W_OK | X_OK) == 0 else { throw failure(path, errno) }
    } else if status.st_mode & S_IFMT == S_IFDIR {
      throw failure(path, EISDIR)
    } else if access(path, W_OK) != 0 {
      throw failure(path, errno)
    }
  }

  /// Writes it anew, or behind what it has.
  static func write(_ bytes: Data, to path: String, isAppended: Bool = false) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (isAppended ? O_APPEND : O_TRUNC), 0o666)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    guard writeAll(bytes, to: descriptor) else { throw failure(path, errno) }
  }

  /// Whether all could be written; errno says why not.
  static func writeAll(_ bytes: Data, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
    }
    return true
  }

  private static func failure(_ path: String, _ number: Int32) -> BenchError {
    BenchError("\(path) cannot be written: \(String(cString: strerror(number)))")
  }
}

/// What is asked for on standard output.
enum StandardOutput {
  static func print(_ text: String) throws {
    guard TargetFile.writeAll(Data(text.utf8), to: STDOUT_FILENO) else {
      throw BenchError("the result cannot be printed: \(String(cString: strerror(errno)))")
    }
  }
}
