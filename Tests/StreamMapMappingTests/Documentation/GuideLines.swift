import Foundation
import Testing

/// The Swift that a document shows, held against the tests that compile and run it.
enum GuideLines {
  /// A document of the project.
  static func document(_ path: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Every line of the document's Swift blocks stands in the tests, those of a block in their order.
  ///
  /// Comments of their own lines may differ: what they say comes out is said by the tests in other words.
  static func expectTested(
    _ document: String, by tests: String, skipping isSkipped: (String) -> Bool = { _ in false },
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let lines = tests.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let blocks = document.components(separatedBy: "```swift\n").dropFirst()
    #expect(!blocks.isEmpty, sourceLocation: sourceLocation)
    for block in blocks {
      let code = block.components(separatedBy: "```")[0]
      if isSkipped(code) { continue }
      var next = lines.startIndex
      for line in code.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) })
      where !line.hasPrefix("//") {
        let found = lines[next...].firstIndex(of: line)
        #expect(found != nil, "\(line)", sourceLocation: sourceLocation)
        next = found ?? next
      }
    }
  }

  /// A guide of the catalogue, held against the tests in one file or several.
  static func expectTested(
    guide: String, by files: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    expectTested(
      try document("Sources/StreamMap/StreamMap.docc/\(guide).md"),
      by: try files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n"),
      sourceLocation: sourceLocation)
  }
}
