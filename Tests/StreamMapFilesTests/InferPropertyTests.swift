import StreamMap
import StreamMapFiles
import Testing

/// The promise of `infer`: none of the records that were read is rejected.
@Suite struct InferPropertyTests {
  /// Texts that are dates in some forms, or almost.
  private static let dates = [
    "2026-01-01T10:00:00Z", "2026-01-01T10:00:00+00:00", "2026-01-01T10:00:00+0000",
    "2026-01-01t10:00:00z", "2026-01-01T10:00:00-0830", "2026-01-01T10:00:00+24:00",
    "2026-01-01T10:00:00", "2026-01-01T10:00:00.5", "2026-01-01T10:00:00.123",
    "2026-01-01 10:00:00", "2026-01-01 10:00:00.123456", "2026-01-01 10:00:00+02:00",
    "2026-01-01 10:00", "2026-01-01T10:00", "2026-06-30T23:59:60Z", "2026-06-30T12:00:60Z",
    "0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "2026-01-01T10:00:00,5Z",
    "2026-01-01", "2026-02-30", "0000-01-01", "2026/01/01", "2026-1-1", "20260101", "01/02/2026",
    "02/13/2026", "13/02/2026", "01.02.2026", "1.2.2026", "Thu, 01 Jan 2026 10:00:00 GMT",
    "1 Jan 2026 10:00 +0000", "Thu Jan 01 10:00:00 +0000 2026", "2026-W01-1", "10:00:00",
    "/Date(1767261600000)/", "1767261600",
  ]
  private static let texts = [
    "", " ", "x", "1", "1.5", "1e5", "007", "+1", "NaN", "true", "null", "~", "https://a.example/x",
    "HTTPS://A.EXAMPLE", "http://", "https://a b", "https://ä.example", "ftp://a.example",
    "123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000",
    "{123e4567-e89b-12d3-a456-426614174000}", "123e4567e89b12d3a456426614174000",
  ]
  private static let numbers = [
    "0", "-0", "0.0", "-0.0", "1", "1.0", "1e2", "1E+2", "1e-2", "1.5", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616", "1e400", "-1e400", "1e-400", "0.123456", "0.1234567", "1767261600",
    "1767261600000", "1767261600.5", "12345678901234567890123456789012345678",
    "123456789012345678901234567890123456789", "99999999999999999999999999999999999999.999999",
    "0.00000000000000000000000000000000000000000001", "5e-324", "1.7976931348623159e308",
  ]
  private static let others = ["null", "true", "{}", "[]", #"{"b":1}"#, "[1,\"x\"]"]

  /// JSON of scalars, a few of each of which come to one place.
  private static let scalars =
    (dates + texts).map { JSONValue.string($0).description } + numbers + others

  private func mapping(of feed: [UInt8], _ choices: InferChoices) throws -> String {
    var sample = FeedSample(at: nil)
    try feed.withUnsafeBufferPointer { bytes in
      var pieces = [bytes]
      try sample.add(format: .ndjson, most: 10_000) {
        pieces.popLast() ?? UnsafeBufferPointer(rebasing: bytes[..<0])
      }
    }
    return InferredMapping(of: sample, format: nil, feed: "a feed", choices).yaml
  }

  /// Infers a mapping of lines, and expects that it takes all of them.
  private func expectTaken(_ lines: [String]) throws {
    let feed = Array((lines.joined(separator: "\n") + "\n").utf8)
    let yaml = try mapping(of: feed, InferChoices())
    let mapper = try MappingFile(yaml: yaml).mapper()
    for record in try mapper.records(in: Feed(feed)) {
      if case .failure(let error) = record.result {
        Issue.record("\(error)\n\(lines)\n\(yaml)")
      }
    }
  }

  private static func line(_ value: String) -> String {
    // Names of times make dates of numbers.
    #"{"a":\#(value),"created_at":\#(value),"l":[\#(value)]}"#
  }

  @Test func `a mapping takes the one value that it was inferred from`() throws {
    for value in Self.scalars { try expectTaken([Self.line(value)]) }
  }

  @Test func `a mapping takes all values that it was inferred from`() throws {
    var random = SeededNumbers(seed: 26)
    let lists = [Self.dates.map { JSONValue.string($0).description }, Self.numbers, Self.scalars]
    for _ in 0..<600 {
      let list = lists[Int(random.next() % UInt64(lists.count))]
      let values = (0..<(2 + random.next() % 3)).map { _ in
        list[Int(random.next() % UInt64(list.count))]
      }
      try expectTaken(values.map(Self.line))
    }
  }

  // MARK: Dates

  private func field(_ texts: String...) throws -> String? {
    let lines = texts.map { #"{"d":\#(JSONValue.string($0))}"# + "\n" }
    var choices = InferChoices()
    choices.showsSamples = false
    let yaml = try mapping(of: Array(lines.joined().utf8), choices)
    return yaml.split(separator: "\n").last { $0.contains("d: {") }.map { line in
      line.split(separator: " ").joined(separator: " ")
    }
  }

  @Test func `offsets without a colon are read by the form that takes them`() throws {
    #expect(
      try field("2026-01-01T10:00:00+0000", "2026-01-01T10:00:00Z")
        == "d: { from: d, type: date, format: rfc3339 } # always")
  }

  @Test func `times without a zone are read with and without a fraction, and the zone is said`()
    throws
  {
    for text in ["2026-01-01T10:00:00", "2026-01-01 10:00:00", "2026-01-01T10:00:00.123"] {
      #expect(
        try field(text)
          == "d: { from: d, type: date, zone: UTC } # always, UTC where no zone is named"
      )
    }
    #expect(
      try field("2026-01-01 10:00")
        == "d: { from: d, type: date, format: \"yyyy-MM-dd HH:mm\" } # always, UTC where no zone is named"
    )
  }

  @Test func `days whose order the values do not prove stay texts`() throws {
    let lines = try mapping(of: Array(#"{"d":"01/02/2026"}"#.utf8), InferChoices())
      .split(separator: "\n").map(String.init)
    #expect(lines.contains("  d: { from: d, type: string }"))
    #expect(
      lines.contains {
        $0.hasPrefix(
          "  # always, not clear whether days or months come first: write format: dd/MM/yyyy or format: MM/dd/yyyy,"
            + " with type: date and as: yyyy-MM-dd")
      })
    #expect(try field("01/02/2026", "02/13/2026")?.contains("format: MM/dd/yyyy") == true)
    #expect(try field("01/02/2026", "13/02/2026")?.contains("format: dd/MM/yyyy") == true)
    #expect(try field("02/13/2026", "13/02/2026")?.contains("type: string") == true)
  }
}

/// Numbers that a seed tells (SplitMix64).
private struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
