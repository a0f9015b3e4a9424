import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Values that are mapped again, in the place where they were written.
@Suite struct RemadeTests {
  private static let steps: [[ListStep]] = [
    [.values(at: "v"), .sum], [.values(at: "v"), .reverse], [.values(at: "v"), .numbers, .mean],
    [.values(at: "v"), .least], [.count], [.values(at: "v"), .element(-1)],
  ]

  private static func policies(_ mapping: OutputMapping) -> [OutputMapping] {
    [
      mapping, .nullable(mapping), .nullable(mapping, when: .missingOrInvalid),
      mapping.default(.number("7")), mapping.default(.string("none"), when: .missingOrInvalid),
    ]
  }

  @Test(arguments: [
    #"{"a":{"x":1,"y":2.5}}"#, #"{"a":{"x":"1","y":2}}"#, #"{"a":{"x":"no"}}"#, #"{"a":{}}"#,
    #"{"a":{"x":null}}"#, #"{"a":null}"#, "{}", #"{"a":[1]}"#, #"{"a":{"x":"\u0041\/"}}"#,
    #"{"a":{"x":{"v":1},"y":[1, 2]}}"#,
  ])
  func `every route agrees on what steps of a list make of entries`(_ text: String) throws {
    for steps in Self.steps {
      for last in Self.policies(.raw) + Self.policies(.any) + [.nullable(.int64)] {
        let list = OutputMapping.list(steps, into: last)
        for mapping in Self.policies(.entries(key: "k", value: "v", into: list)) {
          let object = OutputMapping.object([OutputField("r", from: "a", mapping)])
          let records = try Routes.run(output: object, text)
          try Routes.compare(try #require(records.first), object.definition, text)
        }
      }
    }
  }
}
