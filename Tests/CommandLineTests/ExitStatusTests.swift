import Testing

@Suite("Exit status")
struct ExitStatusTests {
  let command: Command

  init() throws {
    command = try Command()
  }

  @Test func `the status is 0 when all records are mapped`() throws {
    #expect(try command.run("--field", "a", input: "{\"a\":1}").status == 0)
    #expect(try command.run("--help").status == 0)
    let version = try command.run("--version")
    #expect(version.status == 0 && version.output.contains(/^[0-9]+\.[0-9]+\.[0-9]+\n$/))
  }

  @Test(arguments: ["skip", "reject"])
  func `the status is 1 when some records are rejected`(mode: String) throws {
    let rejects = mode == "reject" ? ["--rejects", "r.ndjson"] : []
    let result = try command.run(
      ["--field", "a:int8", "--errors", mode] + rejects,
      input: "{\"a\":1}\n{\"a\":300}\n{\"a\":}\n{\"a\":4}\n{".utf8)
    #expect(result.status == 1)
    #expect(result.output == "{\"a\":1}\n{\"a\":4}\n")
    #expect(result.errors.hasPrefix("stream-map: 3 of 5 records were rejected\n"))
  }

  @Test(
    .long,
    arguments: [
      ([], "A mapping is missing"),
      (["--field", "a", "-m", "x"], "either --mapping or --field"),
      (["--field", "a:int46"], "there is no type 'int46'; did you mean 'int64'?"),
      (["--field", "a["], "path 'a[': it ends inside [ (at character 3)"),
      (["--field", "a:string=a[*]"], "may select several values"),
      (["--field", "[0]"], "a name is missing; write name=[0]"),
      (["--field", "a", "--records", "$.x["], "--records: path '$.x['"),
      (["--field", "a", "--records", "$.x", "--records", "$.x.y"], "would contain"),
      (["--field", "a", "--field", "a"], "both map to 'a'"),
      (["--field", "a", "--errors", "reject"], "needs --rejects FILE"),
      (["--field", "a", "--errors", "skip", "--rejects", "r"], "--rejects is for --errors reject"),
      (["--field", "a", "--limit-string", "16MiX"], "limit-string"),
      (["--field", "a", "--from", "xml"], "from"),
      (["--field", "a", "--max-error-ratio", "0.1"], "is for --errors skip"),
      (["--field", "a", "--errors", "skip", "--max-error-ratio", "2"], "takes 0 to 1"),
      (["--field", "a", "--max-errors", "1"], "--max-errors is for --errors skip"),
      (["--colour"], "--colour"),
      (["check"], "file"),
    ])
  func `the status is 2 for a mistake of usage`(arguments: [String], message: String) throws {
    let result = try command.run(arguments)
    #expect(result.status == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.output == "")
  }

  @Test func `the status is 3 for a bad mapping file`() throws {
    try command.write("streammap: 1\n", to: "m.yaml")
    #expect(try command.run("-m", "m.yaml").status == 3)
    #expect(try command.run("check", "m.yaml").status == 3)
  }

  @Test(arguments: ["fail", "skip"])
  func `the status is 4 for a malformed feed`(mode: String) throws {
    let result = try command.run(
      "--field", "a", "--records", "$[*]", "--errors", mode, input: "[{\"a\":1},{\"a\":2}x")
    #expect(result.status == 4)
    #expect(result.output == "{\"a\":1}\n{\"a\":2}\n")
    #expect(
      result.errors.hasPrefix("stream-map: standard input: fatal syntax at $"), "\(result.errors)")
    #expect(result.errors.contains("line 1, column 17"), "\(result.errors)")
  }

  @Test(arguments: [
    ("json", "[{\"a\":1},{\"a\":2},"), ("json", ""), ("auto", "[{\"a\":1},{\"a\""),
    ("concat", "[{\"a\":1}]["), ("json", "[]]"), ("json", "\0[\0"),
  ])
  func `the status is 4 in every mode where reading cannot continue`(format: String, feed: String)
    throws
  {
    for mode in ["fail", "skip", "reject"] {
      let rejects = mode == "reject" ? ["--rejects", "/dev/null"] : []
      let arguments = ["--field", "a", "--records", "$[*]", "--from", format, "--errors", mode]
      #expect(
        try command.run(arguments + rejects, input: feed.utf8).status == 4, "--errors \(mode)")
    }
  }

  @Test(arguments: [
    ("--limit-depth", "3", #"{"a":1,"b":[[[[]]]]}"#), ("--limit-string", "2", #"{"a":"xyz"}"#),
    ("--limit-number", "2", #"{"a":100}"#), ("--limit-key", "2", #"{"abc":1}"#),
  ])
  func `a limit that is hit gives status 5 and names its flag`(
    flag: String, value: String, feed: String
  ) throws {
    let result = try command.run("--field", "a", "--from", "json", flag, value, input: feed)
    #expect(result.status == 5)
    #expect(result.errors.contains("limitExceeded"))
    #expect(result.errors.contains(flag), "\(result.errors)")
    let raised = try command.run("--field", "a", "--from", "json", flag, "1KiB", input: feed)
    #expect(raised.status == 0, "\(raised.errors)")
  }

  @Test func `a value mapped as a whole beyond its limit gives status 5`() throws {
    try command.write("streammap: 1\nrecord: { j: { from: j, type: json } }\n", to: "m.yaml")
    let feed = "{\"j\":[\(Array(repeating: "\"0123456789\"", count: 500).joined(separator: ","))]}"
    let result = try command.run("-m", "m.yaml", "--limit-captured", "1kB", input: feed)
    #expect(result.status == 5)
    #expect(result.errors.contains("--limit-captured"))
  }

  @Test func `the status is 6 when input or output fails`() throws {
    let missing = try command.run("--field", "a", "missing.json")
    #expect(missing.status == 6)
    #expect(missing.errors == "stream-map: cannot open missing.json: No such file or directory\n")
    #expect(try command.run("--field", "a", ".").status == 6)
    #expect(try command.run("--field", "a", "-o", "missing/x", input: "{}").status == 6)
    #expect(try command.run("-m", "missing.yaml").status == 6)
  }

  @Test(arguments: ["1", "2"], ["-", "out"])
  func `a missing or folder input gives status 6 and maps nothing`(jobs: String, output: String)
    throws
  {
    try command.write("{\"a\":1}", to: "x.json")
    try command.write("old", to: "out.partial")
    for (input, reason) in [
      ("missing.json", "cannot open missing.json: No such file or directory"),
      (".", "cannot read .: it is a folder"),
    ] {
      let result = try command.run([
        "--field", "a", "-o", output, "--rejects", "r", "--jobs", jobs, "x.json", input,
      ])
      #expect(result.status == 6)
      #expect(result.output == "")
      #expect(result.errors == "stream-map: \(reason)\n")
      #expect(try command.names == ["out.partial", "x.json"])
      #expect(try command.read("out.partial") == "old")
    }
  }

  @Test func `the first rejected record ends the run with status 7`() throws {
    let result = try command.run(
      "--field", "a:int8", input: "{\"a\":1}\n{\"a\":2}\n{\"a\":\"x\"}\n{\"a\":4}\n")
    #expect(result.status == 7)
    #expect(result.output == "{\"a\":1}\n{\"a\":2}\n")
    #expect(
      result.errors == """
        stream-map: standard input: fatal wrongType at $.a → a (record 3, line 3, column 6, \
        bytes 21..<24): expected an integer (Int8), found a string; write --field 'a:any', which takes any scalar, or \
        coerce in a mapping file

        """)
  }

  @Test(arguments: [("0.49", 7), ("0.5", 1), ("1", 1), ("0", 7)])
  func `too large a share of rejected records gives status 7`(ratio: String, status: Int32) throws {
    let result = try command.run(
      "--field", "a:int8", "--errors", "skip", "--max-error-ratio", ratio,
      input: "{\"a\":1}\n{\"a\":\"x\"}\n")
    #expect(result.status == status)
    #expect(result.output == "{\"a\":1}\n")
    #expect((status == 7) == result.errors.contains("1 of 2 records were rejected, more than"))
  }

  @Test func `a record path that does not occur gives status 8`() throws {
    let result = try command.run(
      "--field", "a", "--records", "$.x[*]", "--records", "$.y[*]",
      input: #"{"x":[{"a":1}],"z":[]}"#)
    #expect(result.status == 8)
    #expect(result.output == "{\"a\":1}\n")
    #expect(
      result.errors == "stream-map: standard input: no records: the path $.y[*] does not occur\n")
  }
}
