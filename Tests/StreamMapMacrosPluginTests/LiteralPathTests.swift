import Foundation
import Testing

@testable import StreamMapMacrosPlugin

/// Paths that stand as literals in attributes.
@Suite struct LiteralPathTests {
  /// The library's tests read the same table, so that both accept the same paths and tell of the same mistakes.
  @Test func `a literal path has the mistake of the table`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../FieldPaths.tsv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: "\t").map(String.init) }
    #expect(lines.count > 40)
    for line in lines.dropFirst() {
      let mistake = LiteralPath.mistake(in: line[0])
      let found = mistake.map { ["\($0.offset + 1)", $0.reason] } ?? []
      #expect(found == Array(line.dropFirst()), "\(line[0])")
    }
  }

  @Test func `a mistake in a path is shown at its character`() {
    expectError(
      "..b means several values here (at character 2)", line: 1, column: 29,
      in: #"@Mappable struct A { @Key("a..b") let b: Int }"#)
    expectError(
      "it ends inside [ (at character 3)", line: 2, column: 16,
      in: """
        @Mappable struct A {
          @Key("b", "a[") let b: Int
        }
        """)
    expectError(
      "a path does not start with a dot (at character 1)", line: 1, column: 28,
      in: #"@Mappable struct A { @Key(".a") let b: Int }"#)
    expectError(
      "this is a calculation, not a path; if it is a key, quote it, or write literal: (at character 3)",
      line: 1, column: 30, in: #"@Mappable struct A { @Key("a * 2") let b: Int }"#)
    expectError(
      "a filter means several values here (at character 2)", line: 1, column: 29,
      in: #"@Mappable struct A { @Key("a[?@.b]") let b: Int }"#)
    expectError(
      "[*] means several values here (at character 2)", line: 1, column: 28,
      in: #"@Mappable(discriminator: "a[*]") enum E { case b(c: Int) }"#)
  }

  @Test func `a mistake after escapes and wide characters is shown at its character`() {
    expectError(
      "a name is missing (at character 4)", line: 1, column: 39,
      in: #"@Mappable struct A { @Key("é\u{20AC}.") let b: Int }"#)
    expectError(
      "] is missing (at character 6)", line: 1, column: 35,
      in: #"@Mappable struct A { @Key("a[\"b\"c]") let b: Int }"#)
    expectError(
      "a name is missing (at character 3)", line: 1, column: 31,
      in: ##"@Mappable struct A { @Key(#"a."#) let b: Int }"##)
  }

  @Test func `a literal key and a path that is made at run time are not read`() {
    expectNothingSaid(
      #"""
      @Mappable struct A {
        @Key(literal: "a..b") let b: Int
        @Key("\(c)[") let d: Int
        @Key(name + "..") let e: Int
      }
      """#)
  }
}
