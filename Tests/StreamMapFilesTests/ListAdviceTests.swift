import StreamMap
import Testing

@testable import StreamMapFiles

/// What a field is told whose path means several values.
@Suite struct ListAdviceTests {
  private static func message(_ path: String) -> String? {
    do throws(MappingFile.Mistakes) {
      _ = try MappingFile(
        yaml: "streammap: 1\nrecord:\n  f:\n    from: \(path)\n    type: json\n", named: "m.yaml")
      return nil
    } catch {
      return error.mistakes.first?.message
    }
  }

  private static let record =
    #"{"l":[{"a":1,"s":"x","m":[{"b":1},{"b":2}]},{"a":2,"s":"y","m":[{"b":3}]},{"a":3,"s":"x","m":[]}]}"#

  @Test(arguments: [
    ("l[0:2].a", "from: l, list: [{ slice: [0, 2] }, { from: a }]", "[1,2]"),
    ("l[-1:].a", "from: l, list: [{ slice: [-1] }, { from: a }]", "[3]"),
    ("l[*].a", "from: l, list: { from: a }", "[1,2,3]"),
    ("l[*].m[*].b", "from: l, list: [{ from: m }, flatten, { from: b }]", "[1,2,3]"),
    (
      "l[?@.a > 1].a", "from: l, list: [{ where: { from: a, greater_than: 1 } }, { from: a }]",
      "[2,3]"
    ),
    ("l[?@.a != 2].a", "from: l, list: [{ where: { not: { from: a, equals: 2 } } }, { from: a }]", "[1,3]"),
    (
      "l[?@.s == 'x'].a", "from: l, list: [{ where: { from: s, equals: 'x' } }, { from: a }]",
      "[1,3]"
    ),
    ("l[?@.m].a", "from: l, list: [{ where: { from: m, exists: true } }, { from: a }]", "[1,2,3]"),
  ])
  func `what is written instead of a path to several values has these values`(
    _ path: String, _ advice: String, _ values: String
  ) throws {
    let message = try #require(Self.message(path))
    #expect(message.hasSuffix("means several values here; write \(advice)"), "\(message)")
    let mapping = try MappingFile(yaml: "streammap: 1\nrecord: { f: { \(advice) } }\n")
    let made = try mapping.mapper().decode(Self.record.utf8).get().description
    #expect(made == "{\"f\":\(values)}")
  }

  @Test func `a path to all elements is an array for each`() throws {
    #expect(
      Self.message("l[*]")
        == "path 'l[*]': [*] means several values here; write from: l, and each for the elements, or map for the members of an object"
    )
    #expect(Self.message("l[0, 1]")?.hasSuffix("; write a field for each") == true)
    #expect(Self.message("l[?@.a == 1 && @.s]")?.hasSuffix("there is list, with where") == true)
  }
}
