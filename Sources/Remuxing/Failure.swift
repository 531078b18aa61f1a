public import ByteParsing
public import SystemIO

/// Why something could not be done: what, in which file, where in it, and what to do.
public struct Failure: Error, Equatable, Sendable {
  /// A stable name for each kind of failure; the raw value is part of the interface.
  public enum Code: String, CaseIterable, Sendable {
    case usage
    case inputMalformed = "input.malformed"
    case inputIncompatible = "input.incompatible"
    case rangeInvalid = "range.invalid"
    case inputMissing = "input.missing"
    case inputUnreadable = "input.unreadable"
    case unsupported = "input.unsupported"
    case unavailable = "feature.unavailable"
    case targetExists = "target.exists"
    case targetUnavailable = "target.unavailable"
    case targetChanged = "target.changed"
    case inputOutput = "io.error"
    case sourceChanged = "source.changed"
    case resources = "system.resources"
    /// No more files can be open at the same time.
    case descriptors = "system.descriptors"
    case manifestMalformed = "manifest.malformed"
    case jobInvalid = "job.invalid"
    case jobDuplicate = "job.duplicate"
    case journalMismatch = "journal.mismatch"
    case journalInUse = "journal.in-use"
  }

  /// The kind of failure.
  public let code: Code
  /// What is wrong, in one clause.
  public let message: String
  /// The file that it is about.
  public var path: FilePath?
  /// Absolute byte offset in that file.
  public var offset: Int?
  /// The boxes around the offset: "moov/trak/mdia".
  public var boxPath: String?
  /// What to do about it.
  public var advice: String?

  /// A failure from its parts.
  public init(
    _ code: Code, _ message: String, path: FilePath? = nil, offset: Int? = nil, boxPath: String? = nil,
    advice: String? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.offset = offset
    self.boxPath = boxPath
    self.advice = advice
  }

  /// Bytes of a source that could not be parsed.
  public init(_ error: ParsingError, in path: FilePath) {
    self.init(
      error.kind == .malformed ? .inputMalformed : .unsupported, error.message, path: path,
      offset: error.offset,
      boxPath: error.path.isEmpty ? nil : error.path.map(\.description).joined(separator: "/"),
      advice: error.kind == .malformed ? "get an undamaged copy of the file" : nil)
  }
}

extension Failure: CustomStringConvertible {
  /// One line: path, place, what is wrong, what to do.
  public var description: String {
    var place = path.map { "\($0)" } ?? ""
    if let offset { place += (place.isEmpty ? "" : ": ") + "byte \(offset)" }
    if let boxPath { place += " (\(boxPath))" }
    let line = (place.isEmpty ? "" : place + ": ") + message
    return advice.map { "\(line); \($0)" } ?? line
  }
}

/// Exit codes, after sysexits.h.
public enum ExitStatus: Int32, Sendable {
  case done = 0
  case usage = 64
  case badInput = 65
  case noInput = 66
  case unsupported = 69
  case cannotCreate = 73
  case inputOutput = 74
  case temporary = 75
}

extension Failure.Code {
  /// The exit code of a command that fails so.
  public var exitStatus: ExitStatus {
    switch self {
    case .usage: .usage
    case .inputMalformed, .inputIncompatible, .rangeInvalid, .manifestMalformed, .jobInvalid, .jobDuplicate,
      .journalMismatch:
      .badInput
    case .inputMissing, .inputUnreadable: .noInput
    case .unsupported, .unavailable: .unsupported
    case .targetExists, .targetUnavailable: .cannotCreate
    case .inputOutput: .inputOutput
    case .sourceChanged, .targetChanged, .resources, .descriptors, .journalInUse: .temporary
    }
  }
}

/// Runs a parser and names the file in its error.
func parsing<R: ~Copyable>(_ path: FilePath, _ body: () throws(ParsingError) -> R) throws(Failure) -> R {
  do throws(ParsingError) {
    return try body()
  } catch {
    throw Failure(error, in: path)
  }
}

/// Runs a system operation and turns its error into a failure.
func operating<R>(_ body: () throws(SystemError) -> R) throws(Failure) -> R {
  do throws(SystemError) {
    return try body()
  } catch {
    throw Failure(error)
  }
}
