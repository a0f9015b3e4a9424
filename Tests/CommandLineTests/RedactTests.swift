import Testing

/// A marked value never stands in rejects, messages, figures or samples.
@Suite struct RedactTests {
  private let secret = "hunter2SECRET"
  private let command: Command

  init() throws {
    command = try Command()
  }

  private func mapping(_ pin: String, _ more: String = "") -> String {
    "streammap: 1\n\(more)\nrecord:\n  id: { from: id, type: int8, nullable: true }\n  pin: \(pin)\n"
  }

  /// All that a run shows besides its output, by every way to run.
  private func shown(_ mapping: String, _ feed: String) throws -> (rejects: String, all: String) {
    try command.write(mapping, to: "m.yaml")
    try command.write(feed, to: "x.ndjson")
    var all = ""
    for jobs in ["1", "3"] {
      for mode in [["--errors", "fail"], ["--errors", "skip"], ["--rejects", "r"]] {
        for stats in ["human", "json"] {
          let result = try command.run(
            ["-m", "m.yaml", "--from", "ndjson", "--jobs", jobs, "--stats", stats, "x.ndjson"]
              + mode)
          all += result.errors
        }
      }
    }
    let rejects = try command.read("r")
    let check = try command.run("check", "m.yaml", "--sample", "x.ndjson")
    let explained = try command.run("explain", "m.yaml", "--sample", "x.ndjson")
    all += explained.output + explained.errors
    return (rejects, all + rejects + check.output + check.errors)
  }

  @Test(
    .long,
    arguments: [
      "{ from: pin, type: int8, redact: true }",
      "{ from: pin, type: date, format: [rfc822, yyyy], redact: true }",
      "{ from: pin, type: enum, values: { A: a }, redact: true }",
      "{ from: pin, type: bool, coerce: [number], redact: true }",
      "{ from: pin, type: string, validate: { max_length: 3, one_of: [a, b] }, redact: true }",
      "{ from: pin, map: { type: int8, redact: true } }",
      "{ from: pin, each: { type: int8, redact: true } }",
      "{ from: pin, object: { a: { from: b, type: int8 } }, redact: true }",
      "{ first_of: [pin, pin.x], type: int8, redact: true }",
      "{ join: [pin, id], with: '-', type: int8, redact: true }",
      "{ from: pin, dispatch: { on: t, cases: { a: { object: { b: b } } } }, redact: true }",
      "{ from: pin, type: json, optionally: null, redact: true }",
      "{ calc: pin + 1, redact: true }",
      "{ calc: length(pin) > 3, type: int8, redact: true }",
      "{ cases: [{ when: { from: pin, min: 3 }, const: 1 }], otherwise: { calc: pin * 2 }, redact: true }",
      "{ cases: [{ when: { from: pin.x, exists: true }, from: pin, type: int8, redact: true }], otherwise: { calc: id + 1 } }",
      "{ from: pin, each: { calc: $ + 1, redact: true } }",
    ])
  func `a redacted value is in no reject, message or sample`(_ pin: String) throws {
    let values = [
      "\"\(secret)\"", "{\"\(secret)\":\"\(secret)\"}", "[\"\(secret)\"]", "{\"t\":\"\(secret)\"}",
      "{\"b\":\"\(secret)\"}", "{\"b\":{\"\(secret)\" 7}}", "\"\(secret)", secret,
      "\"\(secret)\\q\"",
      "\"\(secret)\" \"\(secret)\"",
    ]
    let feed = values.map { "{\"id\":1,\"pin\":\($0)}\n" }.joined()
    let (rejects, all) = try shown(mapping(pin), feed)
    #expect(rejects.contains("\"code\":\"syntax\""))
    #expect(!rejects.contains("\"raw\":"))
    #expect(!all.contains(secret))
    #expect(!all.contains("hunter"))
  }

  /// Without it the text of the record is there, and keys are.
  @Test(.long) func `only without redaction a reject shows raw text and keys`() throws {
    let feed = "{\"id\":1,\"pin\":{\"\(secret)\":\"x\"}}\n"
    let plain = try shown(mapping("{ from: pin, map: int8 }"), feed)
    #expect(plain.rejects.contains("\"raw\":"))
    #expect(plain.rejects.contains("\"path\":\"$.pin.\(secret)\""))
    let redacted = try shown(mapping("{ from: pin, map: int8, redact: true }"), feed)
    #expect(redacted.rejects.contains("\"path\":\"$.pin\""))
    #expect(redacted.all.contains("redacted"))
  }

  /// A value from outside the records is kept back, too, with the text of the records.
  @Test func `a redacted context value is in no reject or message`() throws {
    let file = """
      streammap: 1
      input: { records: "$.items[*]" }
      context: { token: { from: $.token, type: int8, redact: true } }
      record: { id: { from: id, type: int8 }, token: { context: token } }
      """
    try command.write(file, to: "m.yaml")
    for feed in [
      "{\"token\":\"\(secret)\",\"items\":[{\"id\":1}]}",
      "{\"token\":\"\(secret)\\q\",\"items\":[{\"id\":1}]}",
      "{\"token\":1,\"items\":[{\"id\":\"\(secret)\"}]}",
    ] {
      let result = try command.run("-m", "m.yaml", "--rejects", "r", input: feed)
      #expect(result.status != 0)
      let rejects = try command.read("r")
      #expect(!(rejects + result.errors).contains("hunter"))
    }
  }

  /// What is mapped is what is asked for.
  @Test func `a redacted value is in the output`() throws {
    try command.write(mapping("{ from: pin, type: string, redact: true }"), to: "m.yaml")
    let result = try command.run("-m", "m.yaml", input: "{\"pin\":\"\(secret)\"}")
    #expect(result.output == "{\"id\":null,\"pin\":\"\(secret)\"}\n")
  }

  @Test func `redact with another value than true or false is a mistake`() throws {
    try command.write(mapping("{ from: pin, redact: maybe }"), to: "m.yaml")
    let result = try command.run("check", "m.yaml")
    #expect(result.status == 3)
    #expect(result.errors.contains("redact"))
  }
}
