import Testing

@Suite("Rejected records")
struct RejectLineTests {
  let command: Command

  init() throws {
    command = try Command()
    try command.write(
      """
      streammap: 1
      record:
        id: { from: user.id, type: int64 }
        name: { from: name, type: string }
      errors: { mode: reject, rejects: rejects.ndjson }
      """, to: "m.yaml")
  }

  @Test func `a reject line tells position, path, errors and raw text`() throws {
    try command.write(
      """
      {"user":{"id":1},"name":"a"}
      {"user":{"id":"x"},"name":"b"}
      {"user":{"id":1e99}}
      {"user" 5}
      {"user":{"id":2},"name":"c"}

      """, to: "x.ndjson")
    let result = try command.run("-m", "m.yaml", "x.ndjson")
    #expect(result.status == 1)
    #expect(result.output == "{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"c\"}\n")
    let lines = try command.read("rejects.ndjson").split(separator: "\n").map(String.init)
    try #require(lines.count == 3)
    #expect(
      lines[0] == #"""
        {"file":"x.ndjson","record":2,"offset":29,"end":59,"line":2,"column":1,"errors":[\#
        {"offset":43,"end":46,"line":2,"column":15,"path":"$.user.id",\#
        "target":"id","code":"wrongType","expected":"an integer (Int64)","found":"a string",\#
        "message":"expected an integer (Int64), found a string"}],\#
        "raw":"{\"user\":{\"id\":\"x\"},\"name\":\"b\"}"}
        """#)
    #expect(
      lines[1] == #"""
        {"file":"x.ndjson","record":3,"offset":60,"end":80,"line":3,"column":1,"path":"$",\#
        "errors":[{"offset":74,"end":78,"line":3,"column":15,\#
        "path":"$.user.id","target":"id","code":"numberOutOfRange","expected":"an integer (Int64)",\#
        "found":"a number beyond its range",\#
        "message":"expected an integer (Int64), found a number beyond its range"},\#
        {"offset":60,"end":80,"line":3,"column":1,"path":"$.name","target":"name","code":"missing",\#
        "expected":"a string","message":"a string is missing"}],"raw":"{\"user\":{\"id\":1e99}}"}
        """#)
    #expect(
      lines[2] == #"""
        {"file":"x.ndjson","record":4,"offset":81,"end":91,"line":4,"column":1,"errors":[\#
        {"offset":89,"end":90,"line":4,"column":9,"path":"$.user",\#
        "code":"syntax","expected":"a colon","found":"'5'","message":"expected a colon, found '5'"}],\#
        "raw":"{\"user\" 5}"}
        """#)
  }

  @Test func `the raw text is left out on request and when long`() throws {
    let short = String(repeating: "s", count: 64 << 10)
    let feed = "{\"x\":\"\(short)\"}\n{\"x\":\"s\"}\n"
    let result = try command.run("-m", "m.yaml", input: feed)
    #expect(result.status == 1)
    let lines = try command.read("rejects.ndjson").split(separator: "\n")
    #expect(lines.map { $0.contains("\"raw\":") } == [false, true])
    _ = try command.run("-m", "m.yaml", "--no-raw", "--rejects", "other.ndjson", input: feed)
    #expect(try !command.read("other.ndjson").contains("\"raw\":"))
  }

  @Test(arguments: [1000, 65_536, 300_000])
  func `a record across reading windows is rejected with its text`(pieceSize: Int) throws {
    let filler = String(repeating: "é", count: 25_000)
    let records = (1...30).map { "{\"n\":\($0),\"filler\":\"\(filler)\"}" }
    let result = try command.run(
      "-m", "m.yaml", input: records.joined(separator: "\n"), pieceSize: pieceSize)
    #expect(result.status == 1)
    let lines = try command.read("rejects.ndjson").split(separator: "\n")
    #expect(lines.count == 30)
    for (line, record) in zip(lines, records) {
      let raw = record.replacing("\"", with: "\\\"")
      #expect(line.hasSuffix("\"raw\":\"\(raw)\"}"))
    }
  }

  @Test func `the rejects option alone turns on the reject mode`() throws {
    let result = try command.run("--field", "a:bool", "--rejects", "r.ndjson", input: "{\"a\":1}")
    #expect(result.status == 1)
    #expect(try command.read("r.ndjson").hasPrefix("{\"file\":\"-\",\"record\":1,"))
  }

  @Test func `a very long path is whole in rejects and short in messages`() throws {
    let feed = String(repeating: "[", count: 600) + "\n"
    let result = try command.run(
      "--field", "a:json=$", "--from", "ndjson", "--rejects", "r.ndjson", input: feed)
    #expect(result.status == 1)
    let whole = "\"path\":\"$" + String(repeating: "[0]", count: 512) + "\""
    #expect(try command.read("r.ndjson").contains(whole))
    let failed = try command.run("--field", "a:json=$", "--from", "ndjson", input: feed)
    #expect(failed.errors.contains("[0]…(488 steps left out)…[0]"))
    #expect(failed.errors.utf8.count < 400)
  }

  @Test func `the malformed rest of a document is the last reject line`() throws {
    let result = try command.run(
      "--field", "a:bool", "--records", "$[*]", "--rejects", "r.ndjson",
      input: "[{\"a\":1},{\"a\":true}")
    #expect(result.status == 4)
    #expect(result.output == "{\"a\":true}\n")
    let lines = try command.read("r.ndjson").split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.last?.contains("\"code\":\"truncated\"") == true)
    #expect(lines.last?.contains("\"record\":") == false)
  }
}
