import Foundation
import TestSupport

/// The jobs that a journal folder says are done, by the numbers that are their ids, with the sizes of their outputs.
func recordedJobs(in journal: String) throws -> [Int: Int] {
  guard let bytes = try? readFile(journal + "/shard-0-of-1.jsonl") else { return [:] }
  var sizes: [Int: Int] = [:]
  for line in bytes.split(separator: 10) {
    let text = String(decoding: line, as: UTF8.self)
    // A torn line has no end.
    guard text.hasSuffix("}"),
      let match = text.firstMatch(of: /^\{"id":"(\d+)".*"status":"done","bytes":(\d+)/), let id = Int(match.1)
    else { continue }
    sizes[id] = Int(match.2)
  }
  return sizes
}
