import SystemIO
import TestSupport
import Testing

@testable import Remuxing

extension Workbench {
  /// Bytes as a file.
  func path(_ bytes: [UInt8], as name: String = "file") throws -> FilePath {
    try #require(FilePath(try folder.write(bytes, as: name)))
  }

  /// The verdict on bytes.
  func verify(_ bytes: [UInt8]) throws -> FileVerification {
    try FileVerification(try path(bytes))
  }

  /// Codes of what is wrong with bytes.
  func faults(_ bytes: [UInt8]) throws -> [String] { try verify(bytes).faultCodes }

  /// Codes of what is worth knowing of bytes.
  func notes(_ bytes: [UInt8]) throws -> [String] { try verify(bytes).noteCodes }
}

extension FileVerification {
  /// Codes of what counts as wrong.
  var faultCodes: [String] { findings.filter(\.finding.severity.isFault).map(\.finding.code.rawValue) }

  /// Codes of what does not.
  var noteCodes: [String] { findings.filter { !$0.finding.severity.isFault }.map(\.finding.code.rawValue) }
}

extension MovieSketch {
  /// A movie of joc51.ec3 with these children of its sample entry.
  static func objects(_ children: [[UInt8]] = [box("dec3", hex("0280 200f00 0103"))]) throws -> MovieSketch {
    MovieSketch(try RemuxingTests.units(of: "joc51.ec3"), children: children)
  }
}
