import Foundation
import StreamMap
import Testing

@Suite struct KeyCaseTests {
  private static let cases: [String: KeyCase] = [
    "snakeCase": .snakeCase, "upperSnakeCase": .upperSnakeCase, "kebabCase": .kebabCase,
    "camelCase": .camelCase, "upperCamelCase": .upperCamelCase,
  ]

  /// The tests of `@Mappable` read the same table, so that both make the same keys.
  @Test func `a key case makes the keys of the table`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../KeyStyles.tsv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: "\t").map(String.init) }
    let cases = try #require(lines.first).dropFirst().map { try #require(Self.cases[$0]) }
    #expect(cases.count == Self.cases.count)
    for line in lines.dropFirst() {
      #expect(cases.map { $0.key(for: line[0]) } == Array(line.dropFirst()))
    }
    #expect(lines.count > 1)
  }
}
