import StreamMap
import Testing

@testable import StreamMapFiles

/// Keys and steps of ours that stand a level too high or too low.
///
/// What is suggested for one may be another key only where that does the same: a suggestion that turns the meaning is worse than none.
@Suite struct MisplacedKeyTests {
  /// A file with a map of keys, in which one more stands for the `@`; the keys of that map; and those of the maps around it and in it.
  private struct Place {
    let file: String
    let own: [String]
    let others: [String]
  }

  private static let steps =
    TextReader.words.map(\.name) + ListReader.words.map(\.name) + StepKey.steps.names
    + ListKey.keys.names
  private static let inside =
    RuleName.keys.names + DispatchKey.keys.names + LookupKey.keys.names
    + ConditionKey.comparison.names + steps

  private static func field(_ file: String, _ own: [String], _ others: [String]) -> Place {
    Place(file: "record: { f: \(file) }", own: own, others: others)
  }

  private static let places = [
    field(
      "{ from: x, @ }", ValueKey.field.names,
      inside + ValueKey.case.names + ValueKey.contextValue.names),
    field(
      "{ from: x, each: { from: y, @ } }", ValueKey.element.names, inside + ValueKey.field.names),
    field(
      "{ from: x, validate: { @ } }", RuleName.keys.names,
      ValueKey.field.names + ConditionKey.comparison.names),
    field("{ from: x, text: { @ } }", StepKey.keys.names, ValueKey.field.names + steps),
    field(
      "{ from: x, list: { @ } }", ListKey.keys.names,
      ValueKey.field.names + steps + ConditionKey.comparison.names),
    field(
      "{ from: x, dispatch: { cases: { string: string }, @ } }", DispatchKey.keys.names,
      ValueKey.field.names),
    field(
      "{ from: x, lookup: { file: a.csv, key: a, value: b, @ } }", LookupKey.keys.names,
      ValueKey.field.names),
    field(
      "{ cases: [{ when: { from: x, @ }, const: 1 }] }", ConditionKey.comparison.names,
      ValueKey.field.names + RuleName.keys.names + ConditionKey.combination.names),
    Place(
      file: "record: { a: a }\ninput: { records: $.l }\ncontext: { c: { from: $.c, @ } }",
      own: ValueKey.contextValue.names, others: inside + ValueKey.field.names),
    Place(
      file: "record: { a: a }\nargs: { a: { type: string, @ } }", own: ValueKey.argument.names,
      others: ValueKey.field.names),
    Place(
      file: "record: { a: a }\n@", own: FileKey.keys.names,
      others: InputKey.keys.names + OutputKey.keys.names + ErrorsKey.keys.names
        + ValueKey.field.names),
    Place(
      file: "record: { a: a }\ninput: { @ }", own: InputKey.keys.names,
      others: FileKey.keys.names + LimitKey.keys.names),
    Place(
      file: "record: { a: a }\noutput: { @ }", own: OutputKey.keys.names,
      others: FileKey.keys.names + ArraysKey.keys.names),
    Place(
      file: "record: { a: a }\nerrors: { @ }", own: ErrorsKey.keys.names,
      others: FileKey.keys.names),
    Place(
      file: "record: { a: a }\noutput: { arrays: { explode: l, @ } }", own: ArraysKey.keys.names,
      others: OutputKey.keys.names),
    Place(
      file: "record: { a: a }\ninput: { limits: { @ } }", own: LimitKey.keys.names,
      others: InputKey.keys.names),
  ]

  private static let values = ["true", "5", "p", "[a, b]", "[0, 2]", "{ from: a, equals: 1 }"]

  /// The keys that another one is taken for, since they do the same there.
  private static let sameMeaning: [String: Set<String>] = [
    // In a list.
    "length": ["count"], "at": ["nth"], "map": ["from"],
    // A value, or where it is.
    "field": ["from"], "key": ["from"], "by": ["on"], "const": ["equals"],
    "equals": ["equal_to"], "values": ["one_of"], "kind": ["type"], "either": ["first_of"],
    "default": ["otherwise"], "from": ["records"], "list": ["records"], "input": ["records"],
    "elements": ["records"], "output": ["rejects"],
  ]

  /// What is said of a key in a place, without the beginning that all such messages have.
  private static func answers(_ key: String, _ value: String, in place: Place) -> [(
    text: String, suggestion: String?
  )] {
    let text = "streammap: 1\n" + place.file.replacing("@", with: "\(key): \(value)") + "\n"
    do throws(MappingFile.Mistakes) {
      _ = try MappingFile(yaml: text, named: "m.yaml")
      return []
    } catch {
      return error.mistakes.filter { $0.message.hasPrefix("unknown key '\(key)'") }.map {
        ($0.message, $0.suggestion)
      }
    }
  }

  @Test(arguments: places.indices)
  func `no suggestion for a misplaced key names one of another meaning`(_ number: Int) throws {
    let place = Self.places[number]
    let names = Set(place.others).subtracting(place.own)
    #expect(!names.isEmpty)
    for key in names.sorted() {
      let allowed = Self.sameMeaning[key, default: []].union([key])
      for value in Self.values {
        for (text, suggestion) in Self.answers(key, value, in: place) {
          if let suggestion { #expect(allowed.contains(suggestion), "\(text): \(suggestion)") }
          if let other = text.firstMatch(of: /', as '(\w+)'$/) {
            #expect(allowed.contains(String(other.1)), "\(text)")
          }
          // A step is shown by its name, unless a slice does what it was meant to do.
          if text.contains("it is a step"), !["first", "last"].contains(key) {
            let example = text.replacing(/unknown key '\w+'/, with: "")
            #expect(allowed.contains { example.contains($0) }, "\(text)")
          }
        }
      }
    }
  }

  @Test(arguments: [
    (StepKey.steps.names + TextReader.words.map(\.name), "of text"),
    (ListKey.keys.names + ListReader.words.map(\.name), "of list"),
  ])
  func `a step that stands as a key of a field is told to be one`(
    _ steps: [String], _ owner: String
  ) {
    // Those of them that are keys of fields have a meaning there; the others have advice of their own.
    let known = ValueKey.field.names + ["mask", "flatten"]
    for step in steps where !known.contains(step) {
      let found = Self.answers(step, "null", in: Self.places[0])
      #expect(found.count == 1)
      #expect(found.allSatisfy { $0.text.contains(owner) }, "\(step): \(found)")
    }
  }

  @Test func `what is suggested for a step that takes nothing can be pasted`() throws {
    for (step, value, list) in [
      ("sum", "p", "[{ from: p }, sum]"), ("first", "3", "{ slice: [0, 3] }"),
      ("last", "3", "{ slice: [-3] }"), ("max", "p", "[{ from: p }, max]"),
    ] {
      let place = Self.field("{ from: x, list: { @ } }", [], [])
      let found = Self.answers(step, value, in: place)
      #expect(
        found.map(\.text) == [
          "unknown key '\(step)' in a step of list: the step '\(step)' takes nothing; write list: \(list)"
        ])
      #expect(throws: Never.self) {
        try MappingFile(
          yaml: "streammap: 1\nrecord: { f: { from: x, list: \(list) } }\n")
      }
    }
  }
}
