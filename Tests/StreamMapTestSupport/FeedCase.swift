import Testing

@testable import StreamMap

/// The expected result of a feed, record by record.
enum ExpectedRecord: Sendable {
  /// A record with this text.
  case text(String)
  /// A record without a value: the feed is malformed at the next mark.
  case error(ErrorCode)
  /// The feed is malformed outside records at the next mark.
  case outside(ErrorCode)
}

/// A feed and its expected records, for every route and every mapping.
struct FeedCase: Sendable, CustomTestStringConvertible {
  let id: String
  /// See ``MarkedFeed``.
  let feed: String
  var format = FeedFormat.ndjson
  var paths: [String] = []
  var limits = Limits()
  let expected: [ExpectedRecord]

  var testDescription: String { id }

  /// Maps nothing: everything in a record is skipped.
  static let nothing = OutputMapping.object([OutputField("x", from: "not there", .nullable(.any))])

  func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let feed = MarkedFeed(self.feed)
    let whole = try Routes.run(
      Mapper(output: .raw, limits: limits), feed.bytes, at: paths, format: format,
      sourceLocation: sourceLocation
    ) { $0.description }
    try compare(whole, feed, sourceLocation)
    let passedOver = try Routes.run(
      Mapper(output: Self.nothing, limits: limits), feed.bytes, at: paths, format: format,
      sourceLocation: sourceLocation
    ) { $0.description }
    #expect(
      passedOver.map(Self.address) == whole.map(Self.address), "\(id): mapped and passed over",
      sourceLocation: sourceLocation)
  }

  /// The parts of a record that must not depend on the mapping.
  static func address(_ record: Record<RawJSON>) -> String {
    let position = record.position.map { "\($0)" } ?? "-"
    let fault = record.error.flatMap { $0.code.category == .data ? nil : $0.description } ?? ""
    return "#\(record.number) [\(position)] \(fault)"
  }

  private func compare(
    _ records: [Record<RawJSON>], _ feed: MarkedFeed, _ sourceLocation: SourceLocation
  ) throws {
    let found = Routes.describe(records) { $0.description }
    try #require(records.count == expected.count, "\(id)\n\(found)", sourceLocation: sourceLocation)
    var number = 0
    var end = 0
    var marks = feed.marks[...]
    for (record, expected) in zip(records, expected) {
      let position = try #require(
        record.position, "\(id)\n\(found)", sourceLocation: sourceLocation)
      switch expected {
      case .text(let text):
        number += 1
        let slice = String(decoding: feed.bytes[position.bytes], as: UTF8.self)
        #expect(slice == text, "\(id)", sourceLocation: sourceLocation)
        let json = try #require(NaiveJSON(Array(text.utf8)), sourceLocation: sourceLocation)
        let value = ReferenceInterpreter.map(json, by: OutputMapping.raw.definition).text
        #expect(record.value?.description == value, "\(id)", sourceLocation: sourceLocation)
      case .error(let code), .outside(let code):
        if case .error = expected { number += 1 }
        #expect(record.error?.code == code, "\(id)\n\(found)", sourceLocation: sourceLocation)
        let next = marks.popFirst()
        let mark = try #require(next, "\(id): no mark", sourceLocation: sourceLocation)
        #expect(
          record.error?.position == feed.position(mark), "\(id)", sourceLocation: sourceLocation)
      }
      if case .outside = expected {
        #expect(record.number == 0, "\(id)", sourceLocation: sourceLocation)
      } else {
        #expect(record.number == number, "\(id)\n\(found)", sourceLocation: sourceLocation)
        #expect(
          record.position == feed.position(position.bytes), "\(id)", sourceLocation: sourceLocation)
        // With records at paths, an outer text may be malformed: it starts before the records inside it.
        #expect(
          position.bytes.lowerBound >= end || !paths.isEmpty, "\(id)",
          sourceLocation: sourceLocation)
        end = position.bytes.upperBound
      }
    }
  }
}
