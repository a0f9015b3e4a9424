import Foundation
import StreamMap
import StreamMapFiles
import Testing

/// The compliance test suite of JSONPath, where STREAMMAP_SHARED names a folder that has it.
@Suite struct JSONPathSuiteTests {
  private struct Case {
    let name: String
    let path: String
    let document: JSONValue
    /// The results that are right, each as the values and their paths.
    let results: [(values: JSONValue, paths: JSONValue)]
  }

  private static func cases() throws -> [Case]? {
    guard let shared = ProcessInfo.processInfo.environment["STREAMMAP_SHARED"], !shared.isEmpty
    else {
      print("note: STREAMMAP_SHARED is not set: the suite of JSONPath is skipped")
      return nil
    }
    let path = shared + "/conformance/jsonpath-cts.json"
    let text = Array(try Data(contentsOf: URL(filePath: path)))
    let suite = try Mapper(Mapping<JSONValue>.json).decode(text).get()
    guard case .array(let tests)? = suite["tests"] else { return [] }
    return tests.compactMap { test in
      guard case .string(let name)? = test["name"], case .string(let path)? = test["selector"]
      else { return nil }
      var results: [(JSONValue, JSONValue)] = []
      if let values = test["result"], let paths = test["result_paths"] {
        results = [(values, paths)]
      }
      if case .array(let values)? = test["results"], case .array(let paths)? = test["results_paths"]
      {
        results = Array(zip(values, paths))
      }
      return Case(name: name, path: path, document: test["document"] ?? .null, results: results)
    }
  }

  @Test func `each path of the suite selects what it has to, or is refused`() throws {
    guard let cases = try Self.cases() else { return }
    var file = try MappingFile(yaml: "streammap: 1\nrecord: $")
    file.format = .json
    var (same, once) = (0, 0)
    var wrong: [String] = []
    for test in cases where !test.results.isEmpty {
      do {
        file.records = [try PathPattern(reading: test.path)]
        let records = try file.mapper().records(in: Feed(Array(test.document.description.utf8)))
        let found = records.map { $0.value?.description ?? "\($0.error.map { "\($0)" } ?? "-")" }
        if test.results.contains(where: { Self.texts($0.values) == found }) {
          same += 1
        } else if test.results.contains(where: { Self.once($0, in: test.document) == found }) {
          once += 1
        } else {
          wrong.append("\(test.name): \(test.path): \(found)")
        }
      } catch {
        wrong.append("\(test.name): \(error)")
      }
    }
    #expect(wrong == [])
    // The others select a value twice, or what is in a value before what comes after it: here each comes once, in order.
    #expect(same == 445)
    #expect(once == 11)
  }

  @Test func `each path of the suite selects the same in a field, as a list`() throws {
    guard let cases = try Self.cases() else { return }
    var all = try MappingFile(yaml: "streammap: 1\nrecord: $")
    all.format = .json
    var count = 0
    var wrong: [String] = []
    for test in cases where !test.results.isEmpty {
      let pattern = try PathPattern(reading: test.path)
      guard pattern.steps.contains(where: \.meansSeveral),
        pattern.steps.allSatisfy({ $0.refusalInRecord == nil })
      else { continue }
      let feed = Array(test.document.description.utf8)
      all.records = [pattern]
      let values = try all.mapper().records(in: Feed(feed)).compactMap { $0.value?.description }
      var one = try MappingFile([
        MappingFile.PlainField(
          name: "f", path: test.path, pattern, type: .json, isNullable: true)
      ])
      one.format = .json
      let made = try one.mapper().records(in: Feed(feed)).map { $0.value?.description ?? "-" }
      count += 1
      let list = "{\"f\":[\(values.joined(separator: ","))]}"
      // Where the path leads to nothing, or to what is no object or array, there is no list.
      let isRight = made == [list] || values.isEmpty && [["-"], ["{\"f\":null}"]].contains(made)
      if !isRight { wrong.append("\(test.name): \(test.path): \(made), not \(list)") }
    }
    #expect(wrong == [])
    #expect(count > 250)
  }

  @Test func `a path that is none is refused, but for what is read on purpose`() throws {
    guard let cases = try Self.cases() else { return }
    let invalid = cases.filter(\.results.isEmpty)
    let taken = invalid.filter { (try? PathPattern(reading: $0.path)) != nil }
    #expect(invalid.count == 247)
    #expect(taken.map(\.name).filter { !Self.isMeant($0) } == [])
    #expect(taken.count == 68)
  }

  /// Whether an invalid path is read on purpose: names with other signs; quoted texts with control characters, or with an escape of
  /// the other quote.
  private static func isMeant(_ name: String) -> Bool {
    name.contains("embedded U+00") || name.hasSuffix("name shorthand, symbol")
      || name.hasSuffix("name shorthand, number") || name.hasSuffix("invalid escaped single quote")
      || name.hasSuffix("invalid escaped double quote")
  }

  private static func texts(_ values: JSONValue) -> [String] {
    guard case .array(let elements) = values else { return [] }
    return elements.map(\.description)
  }

  /// The values of a result, each once, in the order of the document.
  private static func once(_ result: (values: JSONValue, paths: JSONValue), in document: JSONValue)
    -> [String]
  {
    guard case .array(let values) = result.values, case .array(let paths) = result.paths else {
      return []
    }
    var places: [(place: [Int], text: String)] = []
    for (value, path) in zip(values, paths) {
      guard case .string(let path) = path else { continue }
      let place = place(of: path, in: document)
      if !places.contains(where: { $0.place == place }) {
        places.append((place, value.description))
      }
    }
    return places.sorted { $0.place.lexicographicallyPrecedes($1.place) }.map(\.text)
  }

  /// Where a path leads, as the number of the part at each level.
  private static func place(of path: String, in document: JSONValue) -> [Int] {
    var place: [Int] = []
    var value = document
    for step in (try? PathPattern(reading: path))?.steps ?? [] {
      switch (step, value) {
      case (.index(let index), .array(let elements)) where elements.indices.contains(index):
        place.append(index)
        value = elements[index]
      case (.key(let key), .object(let members)):
        guard let index = members.firstIndex(where: { $0.key == key }) else { return [] }
        place.append(index)
        value = members[index].value
      default: return []
      }
    }
    return place
  }
}
