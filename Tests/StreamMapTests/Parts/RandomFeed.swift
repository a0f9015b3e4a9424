import Foundation

@testable import StreamMap
@testable import StreamMapTestSupport

/// A random feed that can be cut, with the paths of its records and a mapper.
struct RandomFeed {
  var bytes: [UInt8] = []
  var format = FeedFormat.auto
  var paths: [String] = []
  /// The path of a value from outside the records, if there is one.
  var context: String?
  private var random: SeededGenerator

  enum Kind: CaseIterable {
    case lines, autoLines, linesWithRecords, document, severalPaths, nested, members, scalars,
      concatenated
    case sequence, sequenceWithRecords, textsWithContext
  }

  init(_ kind: Kind, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    if chance(20) { bytes += [0xEF, 0xBB, 0xBF] }
    switch kind {
    case .lines: makeLines()
    case .autoLines:
      add("\(record())\n{\"id\":2}\n")
      makeLines()
      format = .auto
    case .linesWithRecords: makeLinesWithRecords()
    case .document:
      (format, paths) = (chance(50) ? .json : .auto, ["$.list[*]"])
      add(
        "{\"a\":[1,{\"list\":[{\"id\":0}]}],\(space())\"list\":\(array()),\"z\":\(array())}\(space())"
      )
    case .severalPaths:
      paths = ["$.a[*]", "$.b", "$.c[1:3]", "$..deep[*].x", "$.none[*]"]
      add("{\"a\":\(array()),\"b\":\(record()),\(space())\"c\":\(array()),")
      add("\"d\":{\"deep\":[{\"x\":\(record())},{\"y\":1},{\"x\":7,\"z\":[[]]}]},\"a\":\(array())}")
    case .nested:
      paths = ["$[*]['a b'].items[*]"]
      let key = ["a b", "a\\u0020b", "other"]
      let parts = (0..<number(6)).map { _ in
        "{\"\(key[number(3)])\":{\(space())\"x\":[\"]\",\"\\\"\"],\"items\":\(array())}}"
      }
      add("[\(parts.joined(separator: ","))]\(space())")
    case .members:
      (format, paths) = (.json, ["$.users.*"])
      let members = (0..<number(30)).map { "\"k\\u00e9\($0)\"\(space()):\(record())" }
      add("\(space()){\"users\":{\(members.joined(separator: ",\(space())"))}}")
    case .scalars:
      paths = ["$[*]"]
      add(
        "[\((0..<number(60)).map { _ in scalar() }.joined(separator: chance(50) ? "," : " ,\n"))]")
    case .concatenated: makeConcatenated()
    case .sequence, .sequenceWithRecords:
      if kind == .sequenceWithRecords { paths = ["$.list[*]"] }
      (format, bytes) = (chance(50) ? .sequence : .auto, [])
      for _ in 0..<1 + number(25) {
        let text = kind == .sequence ? record() : "{\"list\":\(array())}"
        add("\u{1E}\(text)\(chance(80) ? "\n" : "")")
        if chance(10) { add("\u{1E}{\"bad\":\n") }
      }
    case .textsWithContext: makeTextsWithContext()
    }
  }

  private mutating func makeLines() {
    (format, paths) = (.ndjson, [])
    for _ in 0..<number(80) {
      switch number(10) {
      case 0: add(chance(50) ? "" : " \t")
      case 1: add(["{]", "\"", "{\"id\":1} x", "[1,", "\u{1E}", "nul"][number(6)])
      default: add(record())
      }
      add(chance(80) ? "\n" : "\r\n")
    }
    if chance(50) { add(chance(80) ? record() : "{\"id\":") }
  }

  private mutating func makeLinesWithRecords() {
    (format, paths) = (.ndjson, ["$.list[*]"])
    if chance(50) { context = "$.day" }
    for _ in 0..<number(30) {
      let day = chance(50) ? "\"day\":\"d\(number(9))\"," : ""
      add(chance(90) ? "{\(day)\"list\":\(array(most: 6))}" : "{\"list\":[{\"id\":1},")
      add("\n")
    }
  }

  private mutating func makeConcatenated() {
    format = chance(50) ? .concatenated : .auto
    // Without a line feed first, it is told from lines.
    add("{\n\"id\":\(number(99))}")
    for _ in 0..<number(60) {
      add([" ", "\n", "\r\n\n", "\t"][number(4)])
      add(chance(70) ? record() : scalar())
      if chance(20) { add(" {\"id\":\(number(9))}[]\"\"\"x\"") }
    }
  }

  private mutating func makeTextsWithContext() {
    (paths, context) = (["$.orders[*].lines[*]"], "$.orders[*].id")
    for _ in 0..<1 + number(4) {
      let orders = (0..<number(5)).map { _ in
        let id = chance(70) ? "\"id\":\(chance(80) ? "\"o\(number(99))\"" : "7")," : ""
        let late = chance(30) ? ",\"id\":\"late\",\"lines\":\(array(most: 3))" : ""
        return "{\(id)\(space())\"lines\":\(array(most: 5))\(late)}"
      }
      add("{\"orders\":[\(orders.joined(separator: ","))]}\(chance(50) ? "\n" : " ")")
    }
  }

  private mutating func add(_ text: String) { bytes += text.utf8 }

  mutating func number(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }

  mutating func chance(_ percent: Int) -> Bool { number(100) < percent }

  private mutating func space() -> String { ["", "", " ", "\n", "\r\n \t"][number(5)] }

  private mutating func scalar() -> String {
    ["1", "-20.5e3", "true", "null", "\"\"", "\"a\\\"b\\u00e9\"", "0", "\"é漢😀\""][number(8)]
  }

  private mutating func record() -> String {
    if chance(10) { return scalar() }
    let id = chance(90) ? "\(number(1000))" : "\"x\""
    let tags = (0..<number(4)).map { _ in scalar() }
    let text = String(repeating: "é,]}", count: number(chance(5) ? 400 : 6))
    return "{\"id\":\(id),\"tags\":[\(tags.joined(separator: ","))],\"text\":\"\(text)\"}"
  }

  private mutating func array(most: Int = 40) -> String {
    let elements = (0..<number(most)).map { _ in record() }
    return "[\(space())\(elements.joined(separator: chance(50) ? "," : ",\n "))\(space())]"
  }

  /// Maps each record to one that shows where it was, and what was around it; some records fail.
  func mapper(tellsNumbers: Bool = true) throws -> Mapper<RawJSON> {
    try Mapper(plan(tellsNumbers: tellsNumbers), format: .auto)
  }

  func plan(tellsNumbers: Bool = true) throws -> OutputPlan {
    try OutputPlan(
      mapping(tellsNumbers: tellsNumbers), at: paths.map { try PathPattern(parsing: $0) },
      context: definitions())
  }

  func mapping(tellsNumbers: Bool = true) -> OutputMapping {
    var fields = [
      OutputField("at", .offset), OutputField("id", from: "id", .int64),
      OutputField("all", from: "$", .any),
    ]
    if tellsNumbers { fields += [OutputField("n", .number), OutputField("line", .line)] }
    if context != nil { fields.append(OutputField("around", contextValue: 0, named: "around")) }
    return .object(fields)
  }

  private func definitions() throws -> [ContextDefinition] {
    try context.map {
      [
        ContextDefinition(
          "around", at: try PathPattern(parsing: $0), .string,
          standIn: chance(seed: bytes.count) ? .string("none") : nil,
          mayComeLate: chance(seed: bytes.count + 1))
      ]
    } ?? []
  }

  private func chance(seed: Int) -> Bool { seed % 2 == 0 }
}
