import Foundation
import Testing

/// Several files of output: `--split`, and paths with fields.
@Suite("Several files")
struct DivisionTests {
  let command: Command

  init() throws {
    command = try Command()
    try command.write(
      (1...5000).map { "{\"id\":\($0),\"name\":\"n\($0 % 7)\",\"at\":{\"day\":\($0 % 3)}}\n" }
        .joined(), to: "x.ndjson")
    try command.write(
      "streammap: 1\nrecord: { id: { from: id, type: int64 }, name: name, at: { from: at, nullable: true, object: { day: day } }, l: { from: l, each: any, default: [] } }\n",
      to: "m.yaml")
  }

  private func run(_ arguments: String...) throws -> CommandResult {
    try command.run(["-m", "m.yaml", "--quiet"] + arguments)
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: command.url(folder).path).sorted()
  }

  // MARK: By size

  @Test(.long, arguments: ["ndjson", "csv", "json", "pretty"], [1, 3])
  func `numbered files hold whole records up to the size`(form: String, jobs: Int) throws {
    let result = try run(
      "x.ndjson", "--to", form, "-o", "out/part.x.txt", "--split", "10kB", "--jobs", "\(jobs)")
    #expect(result.status == 6, "the folder is not there")
    try FileManager.default.createDirectory(
      at: command.url("out"), withIntermediateDirectories: false)
    let written = try run(
      "x.ndjson", "--to", form, "-o", "out/part.x.txt", "--split", "10kB", "--jobs", "\(jobs)")
    #expect(written.status == 0 && written.errors == "", "\(written.errors)")
    let names = try names("out")
    #expect(names.count > 3 && names.first == "part.x-0001.txt")
    let texts = try names.map { try command.read("out/\($0)") }
    #expect(texts.allSatisfy { $0.utf8.count <= 10_000 })
    // Nothing more would have fitted.
    #expect(texts.dropLast().allSatisfy { $0.utf8.count > 9_800 })
    let whole = try run("x.ndjson", "--to", form).output
    switch form {
    case "csv":
      let header = "id,name,at.day,l\n"
      #expect(texts.allSatisfy { $0.hasPrefix(header) })
      #expect(header + texts.map { $0.dropFirst(header.count) }.joined() == whole)
    case "json":
      #expect(texts.allSatisfy { $0.hasPrefix("[\n{") && $0.hasSuffix("}\n]\n") })
      let records = texts.map { $0.dropFirst(2).dropLast(3) }
      #expect("[\n" + records.joined(separator: ",\n") + "\n]\n" == whole)
    default: #expect(texts.joined() == whole)
    }
  }

  @Test func `numbered files may be compressed, and there is always one`() throws {
    #expect(try run("x.ndjson", "-o", "out.ndjson.gz", "--split", "100kB").status == 0)
    #expect(command.exists("out-0001.ndjson.gz") && command.exists("out-0002.ndjson.gz"))
    #expect(
      try command.shell("cat out-*.gz | gzip -dc").output == run("x.ndjson").output)
    try command.write("", to: "empty")
    #expect(try run("empty", "-o", "none.csv", "--split", "1kB").status == 0)
    #expect(try command.read("none-0001.csv") == "id,name,at.day,l\n")
    #expect(try run("empty", "-o", "none", "--to", "json", "--split", "1kB").status == 0)
    #expect(try command.read("none-0001") == "[]\n")
  }

  @Test func `a file that is complete has its name, the last one not`() throws {
    try command.write(command.read("x.ndjson") + "{\"id\":\"bad\"}\n", to: "bad.ndjson")
    let result = try run("bad.ndjson", "-o", "out.ndjson", "--split", "100kB")
    #expect(result.status == 7)
    #expect(
      result.errors.hasSuffix(
        "stream-map: the output is not complete; what was written is in out-*.ndjson.partial\n"))
    let names = try command.names.filter { $0.hasPrefix("out") }
    #expect(names.filter { $0.hasSuffix(".partial") }.count == 1)
    #expect(try names.map { try command.read($0) }.joined() == run("x.ndjson").output)
  }

  @Test func `a numbered file that is an input is refused`() throws {
    try FileManager.default.copyItem(
      at: command.url("x.ndjson"), to: command.url("out-0002.ndjson"))
    let result = try run("out-0002.ndjson", "-o", "out.ndjson", "--split", "50kB")
    #expect(result.status == 2)
    #expect(
      result.errors.contains("cannot write out-0002.ndjson: it is the input out-0002.ndjson"),
      "\(result.errors)")
    #expect(try command.areSame("out-0002.ndjson", "x.ndjson"))
  }

  // MARK: By fields

  @Test(arguments: ["ndjson", "csv", "json"], [1, 3])
  func `each record goes to the file of its values`(form: String, jobs: Int) throws {
    let result = try run(
      "x.ndjson", "--to", form, "-o", "{at.day}/{{{name}}}.out", "--jobs", "\(jobs)")
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    for day in 0..<3 {
      #expect(try names("\(day)") == (0..<7).map { "{n\($0)}.out" })
    }
    try command.write(
      (1...5000).filter { $0 % 21 == 8 }.map {
        "{\"id\":\($0),\"name\":\"n1\",\"at\":{\"day\":2}}\n"
      }.joined(), to: "part")
    #expect(try command.read("2/{n1}.out") == run("part", "--to", form).output)
  }

  @Test(arguments: [
    (["-o", "{{v}}.x"], "{v}.x"), (["-o", "f/{{v}}.x"], "f/{v}.x"), (["-o", "{{{{}}.x"], "{{}.x"),
    (["-o", "{{v}}-{v}.x"], "{v}-1.x"), (["-o", "{{v}}.x", "--split", "1kB"], "{v}-0001.x"),
    (["-o", "a}}.x"], "a}.x"),
  ])
  func `a doubled brace is a brace in every path`(arguments: [String], name: String) throws {
    try FileManager.default.createDirectory(
      at: command.url("f"), withIntermediateDirectories: false)
    let result = try command.run(
      ["--field", "v"] + arguments, input: Array("{\"v\":1}\n".utf8))
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    #expect(try command.read(name) == "{\"v\":1}\n")
  }

  @Test func `folders of a path with fields are made, before its first field and after it`() throws
  {
    let result = try command.run(
      "--field", "v", "-o", "a/b/{v}/c/{v}.x", input: "{\"v\":1}\n{\"v\":2}\n")
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    #expect(
      try names("a") == ["b", "b/1", "b/1/c", "b/1/c/1.x", "b/2", "b/2/c", "b/2/c/2.x"])
    let other = command.url("new").path
    let absolute = try command.run("--field", "v", "-o", other + "/{v}", input: "{\"v\":1}\n")
    #expect(absolute.status == 0, "\(absolute.errors)")
    #expect(try names("new") == ["1"])
    // What is no folder stays, and says so.
    try command.write("", to: "file")
    let refused = try command.run("--field", "v", "-o", "file/{v}", input: "{\"v\":1}\n")
    #expect(refused.status == 6 && refused.errors.contains("cannot write file/1: "))
  }

  @Test func `more files than may be open at a time are written`() throws {
    try command.write(
      (0..<3).flatMap { round in (0..<300).map { "{\"id\":\(round),\"name\":\"f\($0)\"}\n" } }
        .joined(), to: "many")
    let result = try command.shell(
      "ulimit -n 100; mkdir d; stream-map --field id --field name many -o 'd/{name}.ndjson.gz'")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try names("d").count == 300)
    #expect(
      try command.shell("gzip -dc d/f217.ndjson.gz").output
        == (0..<3).map { "{\"id\":\($0),\"name\":\"f217\"}\n" }.joined())
  }

  @Test func `names made of values never leave their folder`() throws {
    let long = String(repeating: "é", count: 200)
    let values = [
      "", ".", "..", "../up", "/etc/passwd", "a/b", ".hidden", "a.b", "a\u{0}b", "a\nb", "%41", "A",
      "é😀", " ", "~", "a\\b", "*", long, long + "x", "-", "x\u{1B}[1m",
    ]
    let lines = try values.map {
      "{\"v\":" + String(decoding: try JSONEncoder().encode($0), as: UTF8.self) + "}\n"
    }
    try command.write((lines + ["{}\n", "{\"v\":1.5}\n", "{\"v\":true}\n"]).joined(), to: "v")
    try FileManager.default.createDirectory(
      at: command.url("d"), withIntermediateDirectories: false)
    let before = try command.names
    let result = try command.run("--field", "v", "v", "-o", "d/{v}")
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    #expect(try command.names == before)
    let made = Set(try names("d"))
    #expect(
      made.isSuperset(of: [
        "_", "%2E", "%2E.", "%2E.%2Fup", "%2Fetc%2Fpasswd", "a%2Fb", "%2Ehidden", "a.b", "a%00b",
        "a%0Ab", "%2541", "A", "é😀", "%20", "%7E", "a%5Cb", "%2A", "-", "x%1B%5B1m", "1.5", "true",
      ]))
    // The two long ones.
    #expect(made.count == 23)
    #expect(made.filter { $0.contains("~") }.allSatisfy { $0.utf8.count <= 180 })
    #expect(try command.read("d/_") == "{\"v\":\"\"}\n{\"v\":null}\n")
  }

  @Test func `links in the folder are not followed`() throws {
    let files = FileManager.default
    try files.createDirectory(at: command.url("d"), withIntermediateDirectories: false)
    try command.write("keep", to: "kept")
    try files.createSymbolicLink(
      atPath: command.url("d/a.partial").path, withDestinationPath: "../kept")
    try files.createSymbolicLink(atPath: command.url("d/b").path, withDestinationPath: "../kept")
    let refused = try command.run("--field", "v", "-o", "d/{v}", input: "{\"v\":\"a\"}\n")
    #expect(
      refused.status == 6 && refused.errors.contains("cannot write d/a.partial: it is a link"))
    #expect(try command.run("--field", "v", "-o", "d/{v}", input: "{\"v\":\"b\"}\n").status == 0)
    #expect(try command.read("kept") == "keep" && command.read("d/b") == "{\"v\":\"b\"}\n")
  }

  @Test func `too many files end the run`() throws {
    let result = try command.run(
      "--field", "id", "x.ndjson", "-o", "{id}.x", "--limit-files", "20")
    #expect(result.status == 5)
    #expect(
      result.errors.hasPrefix(
        "stream-map: cannot write 21.x: there are 20 files already (--limit-files); "),
      "\(result.errors)")
    #expect(try command.names.filter { $0.hasSuffix(".x.partial") }.count == 20)
    #expect(try command.names.filter { $0.hasSuffix(".x") }.isEmpty)
  }

  @Test func `a name that another file has until it is complete is refused`() throws {
    let feed = "{\"v\":\"a\"}\n{\"v\":\"a.partial\"}\n"
    let result = try command.run("--field", "v", "-o", "{v}", input: feed)
    #expect(result.status == 2)
    #expect(result.errors.contains("another file has that name until it is complete"))
  }

  @Test(
    .long,
    arguments: [
      (["-o", "{nam}"], "-o '{nam}': there is no field 'nam'; there are id, name, at.day, l."),
      (["-o", "{l}"], "-o '{l}': 'l' is not one text, number or truth value."),
      (["-o", "a{b"], "-o 'a{b': a brace has to be closed, or be doubled."),
      (["-o", "a}b"], "-o 'a}b': a brace has to be opened, or be doubled."),
      (["-o", "{}"], "-o '{}': a brace has to be closed, or be doubled."),
      (["--split", "1kB"], "--split needs -o FILE: '-' is not one."),
      (["--split", "1kB", "-o", "/dev/null"], "--split needs -o FILE: '/dev/null' is not one."),
      (["--split", "0", "-o", "x"], "The value '0' is invalid for '--split <size>'"),
      (
        ["--split", "1kB", "-o", "{id}"],
        "--split and a path with fields, '{id}', do not go together."
      ),
      (
        ["--checkpoint", "c", "-o", "{id}"],
        "--checkpoint needs one output file: '{id}' is several."
      ),
      (
        ["--checkpoint", "c", "-o", "x", "--split", "1kB"],
        "--checkpoint needs one output file: 'x' is several."
      ),
    ])
  func `what cannot be meant is refused`(arguments: [String], message: String) throws {
    let before = try command.names
    let result = try command.run(["-m", "m.yaml", "x.ndjson"] + arguments)
    #expect(result.status == 2)
    #expect(result.errors.contains("Error: " + message), "\(result.errors)")
    #expect(try command.names == before)
  }
}
