import Testing

@Suite("--parser")
struct ParserOptionTests {
  let command: Command

  init() throws {
    command = try Command()
    let records = (0..<3000).map { number in
      switch number % 100 {
      case 30: #"{"id":"x","name":"\u00e9"}"#
      case 60: #"{"name":"a\\b"}"#
      default:
        #"{"more":["\#(String(repeating: "p", count: number % 300))\n"],"n\u0061me":"n\#(number)\t\u00e9","id":\#(number)}"#
      }
    }
    let lines = records.enumerated().map { $0 % 700 == 500 ? $1 + "]" : $1 }
    try command.write(lines.joined(separator: "\n"), to: "lines.ndjson")
    try command.write("{\"list\":[\(records.joined(separator: ",\n"))]}", to: "document.json")
    try command.write("{\"list\":[\(records.joined(separator: ",\n"))", to: "cut.json")
  }

  @Test(
    .long,
    arguments: [
      ["lines.ndjson"], ["lines.ndjson", "--rejects", "REJECTS"],
      ["document.json", "--records", "$.list[*]", "--rejects", "REJECTS", "--to", "json"],
      ["cut.json", "--records", "$.list[*]", "--errors", "skip"],
    ])
  func `every parser gives the same output, rejects and messages`(arguments: [String]) throws {
    func outcome(_ parser: [String], jobs: Int) throws -> [String] {
      let rejects = "rejects-\(parser.last ?? "none")-\(jobs)"
      var all = ["--field", "id:int64", "--field", "name", "--field", "more=more[0]"]
      all += ["--jobs", "\(jobs)"] + parser
      all += arguments.map { $0 == "REJECTS" ? rejects : $0 }
      let result = try command.run(all)
      let rejected = command.exists(rejects) ? try command.read(rejects) : "-"
      return ["\(result.status)", result.output, result.errors, rejected]
    }
    let expected = try outcome([], jobs: 1)
    #expect(expected[1].contains("\"name\":\"n1\\té\""))
    for jobs in [1, 3] {
      for parser in ["auto", "index", "yajl"] {
        let found = try outcome(["--parser", parser], jobs: jobs)
        // Without the difference shown: the texts are long.
        #expect((found == expected) == true, "\(parser), \(jobs) jobs: \(found[2])")
      }
    }
  }

  @Test
  func `an unknown parser name is an error that lists the valid ones`() throws {
    let result = try command.run("--field", "id", "--parser", "sax", "lines.ndjson")
    #expect(result.status == 2)
    for word in ["auto", "index", "yajl"] { #expect(result.errors.contains(word)) }
  }
}
