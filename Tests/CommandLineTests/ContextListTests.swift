import Foundation
import Testing

/// Records of long lists with values from outside: with several jobs, the threads that map them read them, too.
@Suite struct ContextListTests {
  private static let mapping = """
    streammap: 1
    input: { records: "$.groups[*].items[*]", format: concat }
    errors: { mode: skip }
    context:
      batch: { from: "$.batch" }
      group: { from: "$.groups[*].name", default: none }
      number: { from: "$.groups[*]", meta: index }
    record:
      n: { from: n, type: int32 }
      at: { meta: index }
      line: { meta: line }
      batch: { context: batch }
      group: { context: group }
      number: { context: number }
      where: { calc: "$batch == 'a' and n > 5", type: bool }
    where: { calc: "$group != 'left out'" }
    """

  /// Lists that are long, short and empty; some elements are wrong, and names come before or after their list.
  private static func document(_ batch: String, _ lengths: [Int]) -> String {
    let groups = lengths.enumerated().map { number, length in
      let items = (0..<length).map { index in
        index % 997 == 996
          ? "{\"n\":\"wrong\",\"pad\":\"\(index)\"}" : "{\"n\":\(index),\"pad\":\"x\\\"]}\\u00e9\"}"
      }
      let name = number % 3 == 1 ? "left out" : "group é \(number)"
      let list = "\"items\":[\(items.joined(separator: number % 2 == 0 ? "," : ",\n"))]"
      return number == 2 ? "{\(list)}" : "{\"name\":\"\(name)\",\(list),\"more\":{}}"
    }
    return "{\"batch\":\"\(batch)\",\"groups\":[\(groups.joined(separator: ","))]}\n"
  }

  private let command: Command
  private let whole: (output: String, rejects: String)

  init() throws {
    command = try Command()
    try command.write(Self.mapping, to: "m.yaml")
    try command.write(
      Self.document("a", [9000, 4000, 6000, 3, 0, 5000])
        + Self.document("b", [7000]), to: "f.json")
    let result = try command.run("-m", "m.yaml", "f.json", "--rejects", "r.ndjson")
    #expect(result.status == 1, "\(result.errors)")
    whole = (result.output, try command.read("r.ndjson"))
    #expect(
      whole.output.hasPrefix(
        #"{"n":0,"at":0,"line":1,"batch":"a","group":"group é 0","number":0,"where":false}"#))
    #expect(whole.output.contains(#""batch":"a","group":"none","number":2"#))
    #expect(whole.output.contains(#""batch":"b","group":"group é 0","number":0"#))
    #expect(!whole.output.contains("left out"))
  }

  @Test(arguments: [["--jobs", "2"], ["--jobs", "3"], ["--jobs", "2", "--parser", "yajl"]])
  func `records and rejects are those of one job`(_ options: [String]) throws {
    let result = try command.run(
      ["-m", "m.yaml", "f.json", "--rejects", "r2.ndjson"] + options)
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.output == whole.output)
    #expect(try command.read("r2.ndjson") == whole.rejects)
  }

  @Test(arguments: ["1", "2"], [4, 7])
  func `a run that is interrupted in a list continues with the same values`(
    jobs: String, read: Int
  ) throws {
    let options = [
      "-m", "m.yaml", "f.json", "--checkpoint", "c", "-o", "out", "--rejects", "rejects",
      "--jobs", jobs,
    ]
    let first = try command.run(
      options, environment: Faults.environment("read", "term", at: read))
    #expect(first.status == 130, "\(first.errors)")
    #expect(command.exists("c"))
    let rest = try command.run(options)
    #expect(rest.status == 1, "\(rest.errors)")
    #expect(try command.read("out") == whole.output)
    #expect(try command.read("rejects") == whole.rejects)
  }

  @Test func `parts of several jobs have the values, too`() throws {
    let index = try command.run("index", "-m", "m.yaml", "f.json", "-o", "f.index")
    #expect(index.status == 0, "\(index.errors)")
    var parts = ""
    for part in 1...3 {
      let result = try command.run(
        "-m", "m.yaml", "f.json", "--index", "f.index", "--part", "\(part)/3", "--jobs", "2")
      parts += result.output
    }
    #expect(parts == whole.output)
  }
}
