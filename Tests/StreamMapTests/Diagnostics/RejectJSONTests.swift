import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Rejects as JSON, of anything that an error can hold.
@Suite struct RejectJSONTests {
  private struct Foreign: Error, CustomStringConvertible {
    let description: String
  }

  /// Errors of any shape.
  private struct Draw {
    var generator: SeededGenerator

    mutating func number(_ range: ClosedRange<Int>) -> Int {
      Int.random(in: range, using: &generator)
    }

    mutating func chance(_ share: Int) -> Bool { number(1...share) == 1 }

    mutating func text() -> String {
      let texts = [
        "", "a", "$", "0", "-", "é", "e\u{301}", "a b", "a - b", "it's", "\"", "\\", "\n", "\u{1}",
        "/a",
        ".", "[0]", "*", "\u{10FFFF}", "a.b",
      ]
      return texts[number(0...texts.count - 1)] + (chance(4) ? text() : "")
    }

    mutating func path() -> JSONPath {
      JSONPath(
        (0..<number(0...4)).map { _ in chance(3) ? .index(number(0...1 << 40)) : .key(text()) })
    }

    mutating func position() -> SourcePosition {
      let start = number(0...1 << 50)
      return SourcePosition(
        bytes: start..<start + number(0...9), line: number(0...3), column: number(1...1 << 40))
    }

    mutating func error(_ depth: Int, in record: Int?) -> MappingError {
      let inner = depth == 0 ? 0 : number(0...3)
      let number = chance(8) ? (chance(2) ? nil : self.number(1...9)) : record
      return MappingError(
        ErrorCode.allCases[self.number(0...ErrorCode.allCases.count - 1)],
        severity: chance(5) ? .issue : .fatal, path: path(), target: chance(3) ? nil : path(),
        position: chance(5) ? nil : position(), record: number,
        expected: chance(2) ? text() : nil, found: chance(2) ? text() : nil,
        rule: chance(5) ? text() : nil,
        underlying: (0..<inner).map { _ -> any Error in
          if chance(4) { return Foreign(description: text()) }
          return error(depth - 1, in: number)
        }, omitted: chance(6) ? self.number(1...99) : 0)
    }

    mutating func reject() -> Reject {
      let record = chance(6) ? 0 : number(1...1 << 40)
      let position = chance(6) ? nil : position()
      let known = record > 0 ? record : nil
      var error = error(2, in: known)
      if chance(2) {
        let leaves = (0..<number(0...3)).map { _ in self.error(1, in: known) }
        error = MappingError(
          .severalErrors, path: path(), position: position, record: known, underlying: leaves,
          omitted: chance(3) || leaves.isEmpty ? number(1...9) : 0)
      }
      return Reject(
        record: record, position: position, error: error, key: chance(4) ? text() : nil,
        index: chance(4) ? number(0...9) : nil)
    }
  }

  @Test(.long) func `any reject and any error comes back as it was`() throws {
    var draw = Draw(generator: SeededGenerator(seed: 31))
    for _ in 0..<(TestExtent.isLong ? 2000 : 400) {
      let reject = draw.reject()
      let text = reject.json(file: "f", raw: "r").description
      #expect(try JSONDecoder().decode(Reject.self, from: Data(text.utf8)) == reject, "\(text)")
      let coded = try JSONEncoder().encode(reject)
      #expect(try JSONDecoder().decode(Reject.self, from: coded) == reject)
      let error = try JSONEncoder().encode(reject.error)
      #expect(try JSONDecoder().decode(MappingError.self, from: error) == reject.error)
    }
  }

  @Test func `errors that differ in anything that is written are not equal`() {
    var draw = Draw(generator: SeededGenerator(seed: 7))
    var texts: [String: MappingError] = [:]
    for _ in 0..<2000 {
      let error = draw.error(2, in: 1)
      let text = error.json.description
      // A Set of Strings would take canonically equal ones for one.
      let key = "\(Array(text.utf8))"
      #expect(error == error)
      if let other = texts[key] { #expect(other == error) }
      texts[key] = error
    }
    let all = Array(texts.values.prefix(60))
    for (index, error) in all.enumerated() {
      for other in all[(index + 1)...] {
        #expect((error == other) == (error.json == other.json))
      }
    }
  }

  @Test func `what a program's own errors add is written as text, issues as such`() throws {
    let inner = MappingError(.null, severity: .issue, path: [.key("a")], record: 4, omitted: 2)
    let error = MappingError(
      .conversionFailed, path: [.key("a")], target: [], record: 3, expected: "an A",
      underlying: [Foreign(description: "one\ntwo"), inner])
    let reject = Reject(record: 3, position: nil, error: error)
    #expect(
      reject.json().description == #"""
        {"record":3,"errors":[{"path":"$.a","target":"$","code":"conversionFailed","expected":"an A",\#
        "message":"expected an A","errors":[{"message":"one\ntwo"},{"record":4,"path":"$.a",\#
        "severity":"issue","code":"null","message":"null","omitted":2}]}]}
        """#)
    #expect(
      Reject(record: 3, position: nil, error: MappingError(.io)).json().description
        == #"{"record":3,"errors":[{"record":null,"path":"$","code":"io","message":"io"}]}"#)
  }

  @Test func `the leaves of an error are its errors one by one, however it is nested`() {
    let (a, b) = (MappingError(.null, path: [.key("a")]), MappingError(.missing))
    let issue = MappingError(.null, severity: .issue)
    let inner = MappingError(.severalErrors, underlying: [b, issue])
    #expect(a.leaves == [a])
    #expect(
      MappingError(.severalErrors, underlying: [a, inner, Foreign(description: "")]).leaves == [
        a, b,
      ])
    #expect(MappingError(.severalErrors, severity: .issue, underlying: [issue]).leaves == [issue])
    let alternatives = MappingError(.noAlternative, underlying: [a, b])
    #expect(alternatives.leaves == [alternatives])
    // None of them was kept.
    let none = MappingError(.severalErrors, omitted: 3)
    #expect(none.leaves == [none])
  }

  @Test func `an error has as many first bullets as it counts errors`() {
    let foreign = MappingError(.conversionFailed, underlying: [Foreign(description: "x")])
    let nested = MappingError(.noAlternative, underlying: [foreign, MappingError(.null)])
    let error = MappingError(.severalErrors, underlying: [foreign, nested, MappingError(.missing)])
    for text in [error.description, error.recursiveDescription, error.fullDescription] {
      #expect(text.hasPrefix("fatal severalErrors at $: 3 errors\n"))
      #expect(text.split(separator: "\n").count { $0.hasPrefix("  - ") } == 3)
    }
  }

  @Test func `a feed's position has keys and indices as they are`() throws {
    let records = try Mapper(.int).records(
      in: Feed(Array(#"{"a":[1,2]}"#.utf8), at: "$.a[*]", format: .json))
    _ = records.next()
    let position = try #require(records.position)
    let json = try Mapper(JSONValue.self).decode(JSONEncoder().encode(position)).get()
    guard case .array(let levels)? = json["levels"] else { throw Foreign(description: "\(json)") }
    #expect(levels.map { $0["step"] } == ["a", 0])
    #expect(
      try JSONDecoder().decode(FeedPosition.self, from: JSONEncoder().encode(position)) == position)
  }
}
