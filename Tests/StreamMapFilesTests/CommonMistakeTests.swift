import Foundation
import StreamMap
import Testing

@testable import StreamMapFiles

/// What people write who come from elsewhere, and what they are told: place, cause and fix.
///
/// The files in `Mistakes` hold mapping files without their first line, each with its mistakes below it, as `=` and line, column and
/// message.
@Suite struct CommonMistakeTests {
  private struct Case {
    let text: String
    let expected: [String]
  }

  private static let names = [
    "conditions", "fields", "files", "fields-of-others", "files-of-others",
  ]

  private static func cases(_ name: String) throws -> [Case] {
    try Project.text("Tests/StreamMapFilesTests/Mistakes/\(name).txt").components(
      separatedBy: "\n\n"
    )
    .map { block in
      let lines = block.split(separator: "\n").map(String.init)
      return Case(
        text: lines.filter { !$0.hasPrefix("= ") }.joined(separator: "\n"),
        expected: lines.filter { $0.hasPrefix("= ") }.map { String($0.dropFirst(2)) })
    }
  }

  private static func found(_ text: String) -> [String] {
    do throws(MappingFile.Mistakes) {
      _ = try MappingFile(yaml: "streammap: 1\n\(text)\n")
      return []
    } catch {
      return error.mistakes.map { mistake in
        let hint = mistake.suggestion.map { Suggestion.hint($0) } ?? ""
        return "\(mistake.line):\(mistake.column) \(mistake.message)\(hint)"
      }
    }
  }

  @Test(arguments: names)
  func `each common mistake is told with its place, its cause and its fix`(_ name: String) throws {
    for one in try Self.cases(name) {
      #expect(Self.found(one.text) == one.expected, "\(one.text)")
      #expect(!one.expected.isEmpty, "\(one.text)")
    }
  }

  @Test func `at least 300 mistakes of mapping files are in the table, none twice`() throws {
    let texts = try Self.names.flatMap { try Self.cases($0) }.map(\.text)
    #expect(texts.count >= 300)
    #expect(Set(texts).count == texts.count)
  }

  // MARK: Meanings

  /// All lists of names that a word is looked for in.
  private static let lists: [[String]] = [
    ValueKey.field.names, ValueKey.element.names, ValueKey.contextValue.names, FileKey.keys.names,
    InputKey.keys.names, ErrorsKey.keys.names, OutputKey.keys.names, RuleName.keys.names,
    ConditionKey.comparison.names, ConditionKey.combination.names, DispatchKey.keys.names,
    StepKey.keys.names, LookupKey.keys.names, InputFormat.allCases.map(\.rawValue),
    MappingFile.Output.Format.allCases.map(\.rawValue),
    MappingFile.Output.WriteMode.allCases.map(\.rawValue),
    MappingFile.Errors.Mode.allCases.map(\.rawValue), JSONKind.allCases.map(\.rawValue),
    RecordFact.allCases.map(\.rawValue), UnknownKeyPolicy.allCases.map(\.rawValue),
    KeptMembers.allCases.map(\.rawValue), OutputReader.Nulls.allCases.map(\.rawValue),
    OutputReader.Arrays.allCases.map(\.rawValue), TypeName.allCases.map(\.rawValue),
  ]

  @Test(arguments: [
    ("and", ["any", "not"]), ("allOf", ["any", "either", "not"]), ("or", ["all", "not"]),
    ("anyOf", ["all", "not"]), ("nor", ["any", "all"]), ("in", ["min", "not"]),
    ("nin", ["min", "one_of", "in"]), ("not_in", ["one_of", "not", "min"]),
    ("notin", ["one_of", "not", "min"]), ("ne", ["equals", "equal_to", "not"]),
    ("neq", ["equals", "equal_to"]), ("!=", ["equals", "equal_to"]),
    ("not_equals", ["equals", "equal_to"]), ("notequal", ["equals", "equal_to"]),
    ("gt", ["less_than", "max", "min"]), ("gte", ["less_than", "max", "greater_than"]),
    ("lt", ["greater_than", "min", "max"]), ("lte", ["greater_than", "min", "less_than"]),
    (">", ["less_than"]), ("<", ["greater_than"]), (">=", ["greater_than"]), ("<=", ["less_than"]),
    ("minimum", ["max"]), ("maximum", ["min"]), ("exclusiveMinimum", ["max", "min", "less_than"]),
    ("exclusiveMaximum", ["max", "min", "greater_than"]), ("minItems", ["max_count"]),
    ("maxItems", ["min_count"]), ("is_null", ["exists", "null", "nulls"]),
    ("isNull", ["exists"]), ("missing", ["exists"]), ("absent", ["exists"]),
    ("not_null", ["nullable", "null"]), ("present", ["not"]),
    ("optional", ["optionally", "required"]),
    ("mandatory", ["nullable", "optionally"]), ("starts_with", ["matches", "matches_anywhere"]),
    ("startsWith", ["matches"]), ("contains", ["matches", "count"]), ("exclude", ["rest", "keep"]),
    ("include", ["drop", "omit"]), ("ignore", ["keep", "fail"]), ("abort", ["skip", "reject"]),
    ("strict", ["skip", "keep"]), ("append", ["replace", "upsert", "prefix"]),
    ("prepend", ["suffix", "pad_end"]), ("overwrite", ["insert", "upsert"]),
    ("false", ["keep"]), ("true", ["drop"]), ("lpad", ["pad_end"]), ("rpad", ["pad"]),
    ("removeprefix", ["strip_suffix", "prefix"]), ("uppercase", ["lower"]),
    ("lowercase", ["upper"]),
    ("not_contains", ["contains", "matches", "matches_anywhere"]), ("not_between", ["range"]),
    ("isnot", ["equals", "is"]), ("none", ["any", "all", "one_of"]), ("and_not", ["all", "any"]),
    ("isempty", ["exists"]), ("is_false", ["equals", "exists"]), ("divide", ["scale", "units"]),
    ("then", ["when"]), ("else", ["when", "cases"]), ("ceil", ["floor"]), ("keepfirst", ["last"]),
    ("keeplast", ["first"]), ("column", ["key", "file"]), ("tostring", ["joined"]),
    ("descending", ["sort"]), ("frombase64", ["base64_encode"]),
    ("base64", ["base64_decode", "base64_encode"]),
    ("source", ["coerce"]), ("distinct", ["not"]), ("default", ["drop"]), ("explode", ["json"]),
  ])
  func `a suggestion never turns a meaning round`(_ word: String, _ never: [String]) {
    for names in Self.lists where !names.contains(word) {
      let meant = Suggestion.nameMeant(by: word, among: names)
      #expect(meant.map { !never.contains($0) } ?? true, "\(word) → \(meant ?? "")")
    }
  }

  @Test func `a word of the table is taken for nothing that only looks like it`() {
    for word in OtherWords.all {
      for names in Self.lists where !names.contains(word) {
        guard let name = Suggestion.nameMeant(by: word, among: names) else { continue }
        let isSame = name.filter { $0 != "_" } == word
        #expect(isSame || OtherWords.meaning(of: word, among: names) == .name(name), "\(word)")
      }
    }
  }

  @Test func `a misspelt key is taken for itself, or for nothing`() {
    for names in Self.lists {
      for name in names {
        let letters = Array(name)
        let misspelt = letters.indices.flatMap { index in
          var (without, other) = (letters, letters)
          without.remove(at: index)
          other[index] = "q"
          return [String(without), String(other), name + "q"]
        }
        for word in misspelt
        where !names.contains(word) && OtherWords.meaning(of: word, among: names) == nil {
          let meant = Suggestion.nearest(to: word, among: names)
          #expect(meant == nil || meant == name, "\(word) of \(name) → \(meant ?? "")")
        }
      }
    }
  }
}
