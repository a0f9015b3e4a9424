import Foundation
import Testing

@testable import StreamMapMacrosPlugin

@Suite struct KeyStyleTests {
  /// The library's tests read the same table, so that both make the same keys.
  @Test func `a key style makes the keys of the table`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../KeyStyles.tsv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: "\t").map(String.init) }
    let styles = try #require(lines.first).dropFirst().map { try #require(KeyStyle(rawValue: $0)) }
    #expect(styles.count == KeyStyle.allCases.count - 1)
    for line in lines.dropFirst() {
      #expect(KeyStyle.asIs.key(for: line[0]) == line[0])
      #expect(styles.map { $0.key(for: line[0]) } == Array(line.dropFirst()))
    }
    #expect(lines.count > 1)
  }
}
