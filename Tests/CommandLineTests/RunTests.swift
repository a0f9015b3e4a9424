import Testing

@Suite("Running a mapping")
struct RunTests {
  static let tweets = """
    {"meta":{"count":2},"statuses":[
      {"id":505874924095815681,"text":"a \\"b\\" \\u00e9","user":{"screen_name":"ann","n":3},
       "entities":{"hashtags":[{"text":"x"},{"text":"y"}]},"geo":{"lat":1.50,"lon":-0.0}},
      {"id":2,"text":null,"user":{"screen_name":"bob"},"entities":{"hashtags":[]},"geo":null}
    ]}
    """

  static let mapping = """
    streammap: 1
    name: tweets
    input:
      records: $.statuses[*]
    record:
      id: { from: id, type: int64 }        # rename, type
      text: text
      author: { object: { name: screen_name, n: { from: n, type: int32, default: 0 } }, from: user }
      tags: { from: entities.hashtags, each: { object: { t: { from: text, type: string } } } }
      geo: { from: geo, type: json }
      lang: { const: en }
    """

  static let mapped = """
    {"id":505874924095815681,"text":"a \\"b\\" é","author":{"name":"ann","n":3},"tags":[{"t":"x"},\
    {"t":"y"}],"geo":{"lat":1.50,"lon":-0.0},"lang":"en"}
    {"id":2,"text":null,"author":{"name":"bob","n":0},"tags":[],"geo":null,"lang":"en"}

    """

  let command: Command

  init() throws {
    command = try Command()
    try command.write(Self.mapping, to: "tweets.map.yaml")
    try command.write(Self.tweets, to: "tweets.json")
  }

  @Test
  func `records are copied without fields, if the command says where they are or how to write`()
    throws
  {
    let users = try command.run("--records", "$.statuses[*].user", "tweets.json")
    #expect(users.output == "{\"screen_name\":\"ann\",\"n\":3}\n{\"screen_name\":\"bob\"}\n")
    #expect(users.errors == "")
    let array = try command.run("--to", "json", input: "1\n[2]\n")
    #expect(array.output == "[\n1,\n[2]\n]\n")
  }

  @Test func `a YAML mapping file maps a document's records`() throws {
    let result = try command.run("run", "-m", "tweets.map.yaml", "tweets.json")
    #expect(result.output == Self.mapped)
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  @Test func `a JSON mapping file maps the same as a YAML one`() throws {
    try command.write(
      """
      {"streammap": 1, "input": {"records": ["$.statuses[*]"]}, "record": {
        "id": {"from": "id", "type": "int64"}, "text": "text",
        "author": {"from": "user", "object": {
          "name": "screen_name", "n": {"from": "n", "type": "int32", "default": 0}}},
        "tags": {"from": "entities.hashtags", "each": {"object": {
          "t": {"from": "text", "type": "string"}}}},
        "geo": {"from": "geo", "type": "json"}, "lang": {"const": "en"}}}
      """, to: "tweets.map.json")
    let result = try command.run("-m", "tweets.map.json", "tweets.json")
    #expect(result.output == Self.mapped)
    #expect(result.errors == "")
  }

  @Test(arguments: [[], ["-"]])
  func `standard input is read without an input and for a dash`(inputs: [String]) throws {
    let result = try command.run(["-m", "tweets.map.yaml"] + inputs, input: Self.tweets.utf8)
    #expect(result.output == Self.mapped)
  }

  @Test func `several inputs make one output`() throws {
    let result = try command.run(
      "-m", "tweets.map.yaml", "tweets.json", "tweets.json", "--to", "json")
    let line = Self.mapped.split(separator: "\n").joined(separator: ",\n")
    #expect(result.output == "[\n\(line),\n\(line)\n]\n")
  }

  @Test func `a JSON output of no records is an empty array`() throws {
    let result = try command.run(
      "-m", "tweets.map.yaml", "--to", "json", input: #"{"statuses":[]}"#)
    #expect(result.output == "[]\n")
    #expect(result.status == 0)
  }

  @Test(arguments: [
    (["--field", "id"], #"{"id":"x"}"#),
    (["--field", "user.name"], #"{"name":"ann"}"#),
    (["--field", "n=user.name", "--field", "i=id"], #"{"n":"ann","i":"x"}"#),
    (["--field", "c:int64=user.count"], #"{"c":7}"#),
    (["--field", "id:string"], #"{"id":"x"}"#),
    (["--field", "first=['t,=:'][0]"], #"{"first":1}"#),
    (["--field", "['t,=:'][1]"], #"{"t,=:":2}"#),
    (["--field", "absent"], #"{"absent":null}"#),
  ])
  func `a field option maps a path to a name and type`(arguments: [String], expected: String) throws
  {
    let feed = #"{"id":"x","user":{"name":"ann","count":7},"t,=:":[1,2]}"#
    let result = try command.run(arguments + ["--quiet"], input: feed.utf8)
    #expect(result.output == expected + "\n")
    #expect(result.errors == "")
  }

  @Test func `command line options override the mapping file`() throws {
    try command.write(
      """
      streammap: 1
      input: { format: json, records: $.wrong }
      record: { a: a }
      output: { format: json, nulls: omit }
      """, to: "m.yaml")
    let result = try command.run(
      "-m", "m.yaml", "--records", "$.x[*]", "--records", "$.y", "--from", "ndjson", "--to",
      "ndjson",
      input: #"{"x":[{"a":1},{}],"y":{"a":2}}"# + "\n" + #"{"y":{"a":3},"x":[]}"#)
    #expect(result.output == "{\"a\":1}\n{}\n{\"a\":2}\n{\"a\":3}\n")
    #expect(result.status == 0)
  }

  @Test func `a value of every type comes out as it went in`() throws {
    let types = [
      ("any", "true"), ("string", #""s""#), ("bool", "false"), ("int8", "-128"),
      ("int16", "-32768"),
      ("int32", "-2147483648"), ("int64", "9223372036854775807"), ("uint8", "255"),
      ("uint16", "65535"),
      ("uint32", "4294967295"), ("uint64", "18446744073709551615"), ("number", "1e400"),
      ("float", "1.50"), ("double", "1.0e10"), ("decimal", "0.10"), ("url", #""http://a.b/c""#),
      ("uuid", #""6BA7B810-9DAD-11D1-80B4-00C04FD430C8""#), ("date", #""2024-02-29T12:00:00Z""#),
      ("json", #"{"a":[1,null]}"#),
    ]
    let fields = types.map { "  \($0.0): { from: \($0.0), type: \($0.0) }\n" }.joined()
    try command.write("streammap: 1\nrecord:\n\(fields)", to: "m.yaml")
    let feed = "{" + types.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    let result = try command.run("-m", "m.yaml", input: feed)
    #expect(result.output == feed + "\n")
    #expect(result.errors == "")
  }

  @Test func `stand-ins replace absent, null and wrong values`() throws {
    try command.write(
      """
      streammap: 1
      record:
        n: { from: a, type: int32, nullable: true }
        d: { from: a, type: int32, default: 7 }
        o: { from: a, type: int32, optionally: -1 }
        l: { from: list, each: int32, on_item_error: drop }
        m: { from: map, map: { each: bool, optionally: null }, default: {} }
      """, to: "m.yaml")
    let result = try command.run(
      "-m", "m.yaml", "--errors", "skip", "--stats", "json",
      input: """
        {"list":[1,"x",2],"map":{"a":[true],"b":1}}
        {"a":null,"list":[]}
        {"a":5,"list":[]}
        {"a":"x","list":[]}
        """)
    #expect(
      result.output == """
        {"n":null,"d":7,"o":-1,"l":[1,2],"m":{"a":[true],"b":null}}
        {"n":null,"d":7,"o":-1,"l":[],"m":{}}
        {"n":5,"d":5,"o":5,"l":[],"m":{}}

        """)
    #expect(result.errors.contains(#""mapped":3,"rejected":1,"dropped":0,"issues":5,"#))
    #expect(result.status == 1)
  }

  @Test func `a path within elements or dictionary values selects a part`() throws {
    try command.write(
      """
      streammap: 1
      record:
        codes: { from: x, each: { from: a.c, type: int8 }, on_item_error: drop }
        any: { from: x, each: { from: a.c, type: int8, optionally: -1 } }
        m: { from: m, map: { from: p, each: { from: "q[1]", nullable: true } }, default: {} }
      """, to: "m.yaml")
    let feed = #"{"x":[{"a":{"c":1}},{"a":{"c":300}},{},null],"m":{"k":{"p":[{"q":[1,2]},{}]}}}"#
    let result = try command.run("-m", "m.yaml", "--errors", "skip", input: feed)
    #expect(result.output == #"{"codes":[1],"any":[1,-1,-1,-1],"m":{"k":[2,null]}}"# + "\n")
    #expect(result.errors == "")
  }

  @Test func `an error in the selected part of an element tells its path`() throws {
    try command.write(
      "streammap: 1\nrecord: { codes: { from: x, each: { from: a.c, type: int8 } } }\n",
      to: "m.yaml")
    let result = try command.run("-m", "m.yaml", input: #"{"x":[{"a":{"c":"y"}}]}"#)
    #expect(result.errors.contains("fatal wrongType at $.x[0].a.c → codes[0] (record 1,"))
  }

  @Test func `records that are arrays or scalars can be mapped`() throws {
    try command.write(
      """
      streammap: 1
      record:
        first: "[0]"
        second: { from: "$[1]", type: bool }
      """, to: "m.yaml")
    let result = try command.run("-m", "m.yaml", input: "[1,true]\n[\"a\",false,3]\n")
    #expect(result.output == "{\"first\":1,\"second\":true}\n{\"first\":\"a\",\"second\":false}\n")
    try command.write("streammap: 1\nrecord: { value: $ }\n", to: "m.yaml")
    let scalars = try command.run("-m", "m.yaml", input: "1\n\"a\"\ntrue\n")
    #expect(scalars.output == "{\"value\":1}\n{\"value\":\"a\"}\n{\"value\":true}\n")
  }
}
