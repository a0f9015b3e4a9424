import Testing

@Suite("Mapping files")
struct MappingFileTests {
  let command: Command

  init() throws {
    command = try Command()
  }

  private func mistakes(_ text: String, _ name: String = "m.yaml") throws -> [String] {
    try command.write(text, to: name)
    let result = try command.run("check", name)
    #expect(result.status == (result.errors.isEmpty ? 0 : 3))
    let lines = result.mistakes
    guard let last = result.errors.split(separator: "\n").last else { return [] }
    let count = lines.count == 1 ? "1 mistake" : "\(lines.count) mistakes"
    #expect(last == "stream-map: \(count) in \(name)")
    return lines.map { String($0.dropFirst(name.count + 1)) }
  }

  @Test func `a sound mapping file is explained on request`() throws {
    try command.write(
      "streammap: 1\nrecord:\n  id: { from: a.b, type: int64 }\n  t: t\n", to: "m.yaml")
    #expect(try command.run("check", "m.yaml").output == "m.yaml: ok\n")
    #expect(
      try command.run("explain", "m.yaml").output == """
        $: record
          a.b → id: int64
          t → t: any, absent or null: null

        """)
  }

  @Test func `all mistakes of a mapping file are reported at once`() throws {
    let found = try mistakes(
      """
      streammap: 2
      nmae: x
      input: { format: jsn, records: [ "$.a[*", "$.", "$.a[?x]" ], limits: { depth: lots } }
      record:
        id: { from: sku, type: int46 }
        id: x
        a: { type: url, schemes: http }
        no: { from: on, type: bool, nullable: yes }
        b: [0]
        c: { from: x, each: string, object: { y: z } }
        d: { from: q, type: int8, default: 300 }
        e: { from: q, type: int8, optionally: 007 }
        f: { jion: [a, b] }
        g: { const: 1, from: x }
        h: { from: "x[*]", type: string, default: a, nullable: true }
        i: { from: x, type: string, schemes: [http], on_item_error: drop }
        j: { from: x, each: { object: { y: { from: z, tpye: enum } } }, on_item_error: skip }
        k: { from: x, type: enum }
        l: true
        m: { from: x, map: nothing, default: 1 }
        n:
      where: 1
      output: { format: xml, nulls: none }
      errors: { mode: ignore, max: 1.5 }
      """)
    #expect(
      found == [
        "1:12: streammap has to be 1, the version of the format; found the number 2",
        "2:1: unknown key 'nmae' in a mapping file; did you mean 'name'?",
        "3:18: format has to be one of auto, json, ndjson, concat, seq; found 'jsn'; "
          + "did you mean 'json'?",
        "3:34: path '$.a[*': ] is missing (at character 6)",
        "3:43: path '$.': a name is missing (at character 3)",
        "3:49: path '$.a[?x]': 'x' is no value; a path starts with @ or $, a text has quotes "
          + "(at character 6)",
        "3:79: depth has to be a size of at least 1, such as 1000, 64KiB or 16MiB; found 'lots'",
        "5:26: there is no type 'int46'; did you mean 'int64'?",
        "6:3: duplicate key 'id': the first one is in line 5",
        "7:3: from is missing: the path of field 'a', or $ for the whole record",
        "8:41: nullable has to be true or false; found 'yes'",
        "9:6: 'b' has to be a path; found a list; "
          + "a path that starts with a bracket has to be quoted: \"[0]\"",
        "10:31: field 'c' has 'each' and 'object'; keep one of them",
        "11:38: default: expected an integer (Int8), found a number beyond its range",
        "12:41: JSON cannot write the number 007; if it is meant to be a string, quote it",
        "13:8: unknown key 'jion' in field 'f'; did you mean 'join'?",
        "14:18: a field with const cannot have 'from'",
        "15:14: path 'x[*]': it may select several values, and they are a list; "
          + "write each for what becomes of each, list for one value of them, or type: json",
        "15:48: field 'h' has 'default' and 'nullable'; keep one of them",
        "16:31: schemes is only for 'type: url'",
        "16:48: on_item_error is only for 'each'",
        "17:49: unknown key 'tpye' in field 'y'; did you mean 'type'?",
        "17:82: on_item_error has to be one of drop, fail; found 'skip'; did you mean 'drop'?",
        "18:17: values is missing: the texts of 'type: enum'",
        "19:6: 'l' has to be a path; found true (if that is a key, quote it)",
        "20:22: there is no type 'nothing'; types are any, string, bool, int8, int16, int32, int64, "
          + "uint8, uint16, uint32, uint64, number, float, double, decimal, url, uuid, date, json, "
          + "enum",
        "21:5: 'n' has to be a path; found null (if that is a key, quote it)",
        "22:8: where has to be a map with one of all, any, not, field, from, calc, context, meta; found the number 1",
        "23:19: format has to be one of ndjson, json, pretty, csv, tsv, text, pgcopy, sqlite, parquet, arrow; found 'xml'",
        "23:31: nulls has to be one of keep, omit; found 'none'; did you mean 'omit'?",
        "24:17: mode has to be one of fail, skip, reject; found 'ignore'; did you mean 'skip'?",
        "24:30: max has to be a whole number of records; found the number 1.5",
      ])
  }

  @Test func `mistakes of a JSON mapping file are reported with their places`() throws {
    let text = """
      {"streammap": 1,
       "record": {"é\\ud83d\\ude00": "a[", "a": 5, "t": {"from": "x", "tpye": "string"},
         "a": "b", "u": {"from": ["x"]}}, "inptu": {}}
      """
    #expect(
      try mistakes(text, "m.json") == [
        "2:30: path 'a[': it ends inside [ (at character 3)",
        "2:41: 'a' has to be a path; found the number 5 (if that is a key, quote it)",
        "2:63: unknown key 'tpye' in field 't'; did you mean 'type'?",
        "3:4: duplicate key 'a': the first one is in line 2",
        "3:28: from has to be a path; found a list; "
          + "a path that starts with a bracket has to be quoted: \"[x]\"",
        "3:37: unknown key 'inptu' in a mapping file; did you mean 'input'?",
      ])
    #expect(
      try mistakes("{\"streammap\": 1,\n  \"record\": {\"é\" 5}}", "m.json") == [
        "2:18: not JSON: expected a colon, found '5'"
      ])
  }

  @Test func `required parts that a mapping file lacks are reported`() throws {
    #expect(
      try mistakes("name: x\n") == [
        "1:1: 'streammap: 1' is missing: it says which version of the format this is",
        "1:1: record is missing: it says what becomes of each record",
      ])
    #expect(try mistakes("# nothing\n") == ["1:1: the file is empty"])
    #expect(try mistakes("- 1\n").count == 1)
  }

  @Test func `bracket paths inside braces have to be quoted`() throws {
    #expect(
      try mistakes("streammap: 1\nrecord:\n  a: { from: images[0].url, type: url }\n") == [
        "3:20: inside { } and [ ] a path with brackets has to be quoted: \"images[0].url\""
      ])
    #expect(
      try mistakes("streammap: 1\ninput: { records: [$.a[*], $.b[*]] }\nrecord: { a: b }\n") == [
        "2:23: inside { } and [ ] a path with brackets has to be quoted: \"$.a[*]\""
      ])
  }

  @Test func `YAML beyond maps, lists and scalars is refused`() throws {
    #expect(
      try mistakes("streammap: 1\nrecord: { a: &x b, c: *x, d: !!str e }\n") == [
        "2:14: anchors and aliases (& and *) are not part of mapping files: a text that starts with one of these has to be quoted",
        "2:23: anchors and aliases (& and *) are not part of mapping files: a text that starts with one of these has to be quoted",
        "2:30: tags (tag:yaml.org,2002:str) are not part of mapping files",
      ])
    #expect(
      try mistakes("streammap: 1\nrecord: { [a]: b, c: d }\n") == ["2:11: a key has to be a name"])
    #expect(
      try mistakes("a: b\n c: d\n").first?.hasPrefix("2:3: no value can start here: ") == true)
    #expect(try mistakes("streammap: 1\nrecord: {a: b}\n---\nx: y\n").count == 1)
  }

  @Test func `a key given many times is reported each time`() throws {
    #expect(
      try mistakes("streammap: 1\nrecord: { a: b, \"a\": c, 'a': d }\nstreammap: 1\n") == [
        "2:17: duplicate key 'a': the first one is in line 2",
        "2:25: duplicate key 'a': the first one is in line 2",
        "3:1: duplicate key 'streammap': the first one is in line 1",
      ])
  }

  @Test func `words of older YAML stay strings, and constants keep their text`() throws {
    try command.write(
      """
      streammap: 1
      record:
        no: on
        yes: { const: no }
        list: { const: [1.50, true, ~, "5", 1e3, {off: Null}] }
      """, to: "m.map")
    let result = try command.run("-m", "m.map", input: #"{"on":1}"#)
    #expect(
      result.output == #"{"no":1,"yes":"no","list":[1.50,true,null,"5",1e3,{"off":null}]}"# + "\n")
  }

  @Test func `a mistake that the compiler finds has a place too`() throws {
    #expect(
      try mistakes(
        """
        streammap: 1
        input:
          records: [ $.a, $.a.b ]
        record: { x: x }
        """) == ["3:14: records: records at $.a would contain those of another path"])
  }

  @Test func `a mapping file without a telling name is read by its content`() throws {
    try command.write(#"{"streammap":1,"record":{"a":"a"}}"#, to: "mapping")
    #expect(try command.run("check", "mapping").output == "mapping: ok\n")
  }
}
