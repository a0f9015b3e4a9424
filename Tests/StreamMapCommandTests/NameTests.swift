import Foundation
import StreamMap
import StreamMapFiles
import Testing

@testable import CommandLineTests
@testable import StreamMapCommand

/// Tests and guides have each name that the code has.
@Suite struct NameTests {
  @Test func `each limit has a test by its option and by its key`() {
    #expect(LimitOptionTests.names == Set(Limits.Name.allCases.map(\.word)))
  }

  @Test func `a message names each limit by its option`() {
    for name in Limits.Name.allCases {
      #expect(LimitOptions.named(in: "Limits.\(name.rawValue)") == "--limit-\(name.word)")
    }
  }

  @Test func `the table of types in the guide to mapping files has each type once`() throws {
    let guide = try String(
      contentsOf: ReadmeTests.root.appending(
        path: "Sources/StreamMap/StreamMap.docc/MappingFile.md"), encoding: .utf8)
    let lines = guide.split(separator: "\n", omittingEmptySubsequences: false)
    let rows = lines.drop { $0 != "| `type` | Takes |" }.dropFirst(2).prefix { $0.hasPrefix("|") }
    let names = rows.flatMap { row in
      row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.output.1) }
    }
    #expect(names.sorted() == TypeName.allCases.map(\.rawValue).sorted())
  }
}
