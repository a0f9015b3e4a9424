import Foundation
import Testing

/// A line of `--rejects`, as far as tests look at it.
struct RejectLine: Decodable {
  struct Fault: Decodable {
    let code: String
    let path: String?
    let offset: Int?
    let message: String
  }

  let record: Int?
  let errors: [Fault]
  let raw: String?

  /// Where the first fault is.
  var offset: Int? { errors.first?.offset }
}

extension Command {
  /// The lines of a file that `--rejects` has written.
  func rejects(_ file: String) throws -> [RejectLine] {
    try read(file).split(separator: "\n").map {
      try JSONDecoder().decode(RejectLine.self, from: Data($0.utf8))
    }
  }

  /// What a mapping makes of records, one a line: its output, or what is said of the errors of a rejected one.
  ///
  /// An empty line is no record.
  /// By several jobs and by each parser the output is the same.
  func outcomes(
    of records: [String], by mapping: String, _ said: (RejectLine.Fault) -> String
  ) throws -> [String] {
    try write("streammap: 1\n\(mapping)\n", to: "m.yaml")
    let feed = records.map { $0 + "\n" }.joined()
    let result = try run("-m", "m.yaml", "--from", "ndjson", "--rejects", "r", input: feed)
    for options in [["--jobs", "3"], ["--parser", "yajl"], ["--parser", "index"]] {
      let other = try run(
        ["-m", "m.yaml", "--from", "ndjson", "--errors", "skip"] + options, input: Array(feed.utf8))
      #expect(other.output == result.output, "\(options)")
    }
    var rejected: [Int: String] = [:]
    for line in try rejects("r") {
      rejected[try #require(line.record)] = line.errors.map(said).joined(separator: "; ")
    }
    var mapped = result.output.split(separator: "\n").map(String.init)[...]
    let count = records.count { !$0.isEmpty }
    #expect(mapped.count + rejected.count == count, "\(result.errors)")
    return (0..<count).map { rejected[$0 + 1] ?? mapped.popFirst() ?? "" }
  }

  /// The same for the values at `x` of records, and without the key of the one field `f`.
  func outcomes(
    ofValues values: [String], by field: String, _ said: (RejectLine.Fault) -> String
  ) throws -> [String] {
    try outcomes(of: values.map { "{\"x\":\($0)}" }, by: "record: { f: \(field) }", said)
      .map { $0.hasPrefix("{\"f\":") ? String($0.dropFirst(5).dropLast()) : $0 }
  }
}
