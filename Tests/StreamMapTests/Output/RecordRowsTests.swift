import StreamMap
import Testing

@testable import StreamMapTestSupport

/// What becomes of a record's arrays, in every form of output.
struct RecordRowsTests {
  private static let tax = OutputMapping.object([
    OutputField("rate", from: "rate", .nullable(.any)),
    OutputField("tags", from: "tags", .nullable(.array(of: .nullable(.any)))),
  ])

  private static let order = OutputMapping.object([
    OutputField("id", from: "id", .nullable(.any)),
    OutputField(
      "o", from: "o",
      .nullable(
        .object([
          OutputField(
            "lines", from: "lines",
            .nullable(
              .array(
                of: .nullable(
                  .object([
                    OutputField("sku", from: "sku", .nullable(.any)),
                    OutputField("taxes", from: "taxes", .nullable(.array(of: .nullable(tax)))),
                  ])))))
        ]))),
    OutputField("names", from: "names", .nullable(.array(of: .nullable(.any)))),
    OutputField(
      "matrix", from: "matrix",
      .nullable(.array(of: .nullable(.array(of: .nullable(.any)))))),
  ])

  private func rows(
    _ feed: String, _ mapping: OutputMapping = order, explode: String? = nil, joint: String? = nil,
    omitsNulls: Bool = false, jobs: Int = 1, limits: Limits = Limits(),
    as layout: OutputLayout = .lines
  ) throws -> String {
    var plan = try OutputPlan(mapping, omitsNulls: omitsNulls, limits: limits)
    var arrays = RowArrays()
    if let explode { arrays.exploded = explode.isEmpty ? .only : .named(explode) }
    arrays.joint = joint
    try plan.makeRows(arrays)
    let converter = OutputConverter(plan, layout: layout)
    converter.jobs = jobs
    try converter.begin(format: .ndjson, file: nil)
    var errors: [String] = []
    var rest = Array(feed.utf8)[...]
    while true {
      if converter.writeRecords(enough: 5000) != (0, 0) { continue }
      switch converter.next() {
      case .input:
        let piece = rest.prefix(converter.room?.count ?? 7)
        piece.withUnsafeBufferPointer {
          converter.room?.copyBytes(from: $0)
          converter.input($0, isFinal: piece.isEmpty)
        }
        rest = rest.dropFirst(piece.count)
      case .record(let record):
        if let error = record.error { errors.append("\(record.number) \(error)") }
      case .dropped, .records: break
      case .end:
        converter.finish()
        var text = ""
        converter.takeOutput { text = String(decoding: $0, as: UTF8.self) }
        return text + errors.joined(separator: "\n")
      }
    }
  }

  private static let feed = """
    {"id":1,"o":{"lines":[{"sku":"a","taxes":[{"rate":1},{"rate":2,"tags":["x","y"]}]},null,{"sku":"b","taxes":[]}]},"names":["p",null,7,true]}
    {"id":2,"o":{"lines":[]},"names":[],"matrix":[[1,2],[],[3]]}
    {"id":3,"o":null}

    """

  @Test(arguments: [1, 3])
  func `each element of a named array has a row in lines of JSON`(jobs: Int) throws {
    #expect(
      try rows(Self.feed, explode: "o.lines", jobs: jobs) == """
        {"id":1,"o":{"lines":{"sku":"a","taxes":[{"rate":1,"tags":null},{"rate":2,"tags":["x","y"]}]}},"names":["p",null,7,true],"matrix":null}
        {"id":1,"o":{"lines":null},"names":["p",null,7,true],"matrix":null}
        {"id":1,"o":{"lines":{"sku":"b","taxes":[]}},"names":["p",null,7,true],"matrix":null}
        {"id":2,"o":{"lines":null},"names":[],"matrix":[[1,2],[],[3]]}
        {"id":3,"o":null,"names":null,"matrix":null}

        """)
  }

  @Test(arguments: [1, 3])
  func `the elements of lists in a list have a row each, with what is beside both`(jobs: Int) throws
  {
    #expect(
      try rows(Self.feed, explode: "o.lines.taxes", joint: "|", jobs: jobs) == """
        {"id":1,"o":{"lines":{"sku":"a","taxes":{"rate":1,"tags":null}}},"names":"p||7|true","matrix":null}
        {"id":1,"o":{"lines":{"sku":"a","taxes":{"rate":2,"tags":"x|y"}}},"names":"p||7|true","matrix":null}
        {"id":1,"o":{"lines":null},"names":"p||7|true","matrix":null}
        {"id":1,"o":{"lines":{"sku":"b","taxes":null}},"names":"p||7|true","matrix":null}
        {"id":2,"o":{"lines":null},"names":"","matrix":"[1,2]|[]|[3]"}
        {"id":3,"o":null,"names":null,"matrix":null}

        """)
    #expect(
      try rows("{\"matrix\":[[1,2],[],[3]]}\n", explode: "matrix[]", omitsNulls: true, jobs: jobs)
        == "{\"matrix\":1}\n{\"matrix\":2}\n{}\n{\"matrix\":3}\n")
  }

  @Test(arguments: [1, 3])
  func `nulls that are left out are left out of rows, too`(jobs: Int) throws {
    #expect(
      try rows(Self.feed, explode: "o.lines.taxes", omitsNulls: true, jobs: jobs) == """
        {"id":1,"o":{"lines":{"sku":"a","taxes":{"rate":1}}},"names":["p",null,7,true]}
        {"id":1,"o":{"lines":{"sku":"a","taxes":{"rate":2,"tags":["x","y"]}}},"names":["p",null,7,true]}
        {"id":1,"o":{},"names":["p",null,7,true]}
        {"id":1,"o":{"lines":{"sku":"b"}},"names":["p",null,7,true]}
        {"id":2,"o":{},"names":[],"matrix":[[1,2],[],[3]]}
        {"id":3}

        """)
    let first = OutputMapping.object([
      OutputField("l", from: "l", .array(of: .any)), OutputField("a", from: "a", .any),
    ])
    #expect(
      try rows("{\"l\":[],\"a\":1}\n", first, explode: "", omitsNulls: true, jobs: jobs)
        == "{\"a\":1}\n")
  }

  @Test(arguments: [1, 3])
  func `the elements of one array of JSON are rows, too`(jobs: Int) throws {
    let numbers = OutputMapping.object([OutputField("n", from: "n", .array(of: .int64))])
    #expect(
      try rows("{\"n\":[1,2]}\n{\"n\":[3]}\n", numbers, explode: "", jobs: jobs, as: .array)
        == "[\n{\"n\":1},\n{\"n\":2},\n{\"n\":3}\n]\n")
    #expect(
      try rows("[1,2]\n[]\n", .array(of: .int64), explode: "", jobs: jobs) == "1\n2\nnull\n")
  }

  @Test func `texts of elements keep their escapes, and the joint gets them`() throws {
    let one = OutputMapping.object([OutputField("l", from: "l", .array(of: .nullable(.any)))])
    #expect(
      try rows("{\"l\":[\"a\\\"b\",\"\\n\",\"é\"]}\n", one, joint: "\"\t") == """
        {"l":"a\\"b\\"\\t\\n\\"\\té"}

        """)
  }

  @Test(arguments: [1, 3])
  func `rows of one record that are too many are an error, and no row is written`(jobs: Int) throws
  {
    var limits = Limits()
    limits.record = 120
    let many = "{\"id\":4,\"names\":[\(Array(repeating: "0", count: 30).joined(separator: ","))]}"
    let text = try rows(
      "{\"id\":3,\"names\":[1]}\n\(many)\n{\"id\":5}\n", explode: "names", omitsNulls: true,
      jobs: jobs, limits: limits)
    #expect(text.hasPrefix("{\"id\":3,\"names\":1}\n{\"id\":5}\n2 fatal limitExceeded"), "\(text)")
  }

  private func mistake(explode: String, isDeep: Bool = true, _ mapping: OutputMapping = order)
    throws -> String
  {
    var plan = try OutputPlan(mapping)
    var arrays = RowArrays()
    arrays.exploded = explode.isEmpty ? .only : .named(explode)
    arrays.isDeep = isDeep
    do throws(DefinitionError) {
      try plan.makeRows(arrays)
      return "none"
    } catch {
      return error.mistakes.map(\.reason).joined()
    }
  }

  @Test
  func `an array that is not there, or not the only one, is a mistake that names those that are`()
    throws
  {
    #expect(
      try mistake(explode: "") == "arrays: explode makes rows of one array, and the record has 3: "
        + "'o.lines', 'names', 'matrix'; name one, as in 'arrays: { explode: o.lines }'")
    #expect(
      try mistake(explode: "line") == "there is no array 'line' to explode; the record has "
        + "'o.lines', 'o.lines.taxes', 'o.lines.taxes.tags', 'names', 'matrix', 'matrix[]'")
    #expect(
      try mistake(explode: "", .object([OutputField("a", from: "a", .any)]))
        == "arrays: explode makes a row of each element of an array, and the record has none")
    // What is one cell has no arrays of its own.
    #expect(
      try mistake(explode: "o.lines", isDeep: false)
        == "there is no array 'o.lines' to explode; the record has 'names', 'matrix', 'matrix[]'")
    let same = OutputMapping.object([
      OutputField("a.b", from: "x", .array(of: .any)),
      OutputField("a", from: "a", .object([OutputField("b", from: "b", .array(of: .any))])),
    ])
    #expect(try mistake(explode: "a.b", same) == "the record has two arrays that are called 'a.b'")
  }
}
