import Testing

/// What the ending of an output's name says.
@Suite struct OutputNameTests {
  let command: Command

  init() throws {
    command = try Command()
    try command.write("{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":\"y\"}\n", to: "f.ndjson")
  }

  private static let lines = "{\"a\":1}\n{\"a\":2}\n"

  @Test(arguments: [
    ("o.ndjson", "", lines), ("o.jsonl", "", lines), ("o.txt", "", lines), ("o", "", lines),
    ("o.2026", "", lines), ("o.csv", "", "a\n1\n2\n"), ("o.CSV", "", "a\n1\n2\n"),
    ("o.tsv", "", "a\n1\n2\n"), ("o.json", "", "[\n{\"a\":1},\n{\"a\":2}\n]\n"),
    ("o.json", "--to ndjson", lines),
    ("o.json", "--to pretty", "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n"),
    ("o.csv", "--to text", "1\n2\n"), ("o.yaml", "--to text", "1\n2\n"),
    ("o.txt", "--to csv", "a\n1\n2\n"),
  ])
  func `an ending chooses the form, and an option among those that it allows`(
    name: String, options: String, written: String
  ) throws {
    let options = options.split(separator: " ").map(String.init)
    let result = try command.run(["--field", "a", "f.ndjson", "-o", name] + options)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      try command.read(name).replacing("[\n", with: "[").replacing("[", with: "[\n") == written)
  }

  @Test(arguments: ["o.db", "o.sqlite", "o.sqlite3", "O.DB"])
  func `the ending of a database makes one`(name: String) throws {
    let result = try command.run("--field", "a:int64", "f.ndjson", "-o", name, "--table", "t")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try command.shell("head -c 15 \(name)").output == "SQLite format 3")
  }

  @Test(arguments: [
    ("o.parquet", "", "PAR1", "PAR1"), ("O.PARQUET", "", "PAR1", "PAR1"),
    ("o", "--to parquet", "PAR1", "PAR1"), ("o.arrow", "", "ARROW1", "ARROW1"),
    ("o.feather", "", "ARROW1", "ARROW1"), ("o.ipc", "--to arrow", "ARROW1", "ARROW1"),
    ("o.arrows", "", "\u{FFFD}", "\0"), ("o", "--to arrow", "\u{FFFD}", "\0"),
  ])
  func `the ending of a file of columns says its form`(
    name: String, options: String, start: String, end: String
  ) throws {
    let options = options.split(separator: " ").map(String.init)
    let result = try command.run(["--field", "a:int64", "f.ndjson", "-o", name] + options)
    #expect(result.status == 0, "\(result.errors)")
    let written = try command.read(name)
    #expect(written.hasPrefix(start) && written.hasSuffix(end))
  }

  @Test func `compressed files, numbered ones and those of values have the form of their ending`()
    throws
  {
    let array = "[{\"a\":1},\n{\"a\":2}\n]\n"
    let packed = try command.shell(
      "stream-map --field a f.ndjson -o o.json.gz && gzip -dc o.json.gz;"
        + " stream-map --field a f.ndjson -o n.csv.gz --split 1MB && gzip -dc n-0001.csv.gz;"
        + " stream-map --field a --field b f.ndjson -o 'v/{b}.json' && cat v/x.json v/y.json")
    #expect(packed.errors == "")
    #expect(
      packed.output.replacing("[\n", with: "[") == array + "a\n1\n2\n"
        + "[{\"a\":1,\"b\":\"x\"}\n]\n[{\"a\":2,\"b\":\"y\"}\n]\n")
  }

  @Test(arguments: [
    ("o.parquet.zst", "", "a file of columns is not compressed"),
    ("o.arrow.gz", "", "a file of columns is not compressed"),
    ("o.parquet", "--to arrow", "give --to parquet, or a name that ends in .arrow."),
    ("o.feather", "--to csv", "give --to arrow, or a name that ends in .csv."),
    ("o.xlsx", "--to csv", "spreadsheets open files of --to csv; write them with --csv-safe."),
    ("o.zip", "", "a name that ends in .gz, .zst, .xz or .bz2 compresses the output."),
    ("o.csv.zip", "--to csv", "a name that ends in .gz, .zst, .xz or .bz2 compresses the output."),
    ("o.duckdb", "", "'stream-map ddl' prints the table"),
    ("{b}/o.parquet", "", "--to parquet writes one file: '{b}/o.parquet' is several."),
    ("o.arrow", "--split 1MB", "--to arrow writes one file: 'o.arrow' is several."),
    ("o.parquet", "--checkpoint c", "--to parquet and --checkpoint do not go together"),
    ("o.arrows", "--resume", "--resume is for --to sqlite"),
    (
      "o.csv", "--to tsv",
      "'.csv' is a file of --to csv, and the output is tsv: give --to csv, or a name that ends in .tsv."
    ),
    ("o.ndjson", "--to json", "give --to ndjson, or a name that ends in .json."),
    ("o.ndjson.gz", "--to csv", "give --to ndjson, or a name that ends in .csv."),
    ("o.tsv", "--to pgcopy", "give --to tsv, or a name that ends in .txt."),
    ("o.db", "--to csv", "give --to sqlite, or a name that ends in .csv."),
    ("o.ndjson", "--to sqlite", "give --to ndjson, or a name that ends in .db."),
    ("o.db.gz", "", "a database is not compressed"),
    ("o.db", "--split 1MB", "--to sqlite writes one file"),
    ("{b}.db", "", "--to sqlite writes one file"),
  ])
  func `a name of another form is refused with what to do`(
    name: String, options: String, message: String
  ) throws {
    let before = try command.names
    let options = options.split(separator: " ").map(String.init)
    let result = try command.run(
      ["--field", "a", "--field", "b", "f.ndjson", "-o", name] + options)
    #expect(result.status == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(try command.names == before)
  }

  @Test func `what the mapping file says of the form is held against the name, too`() throws {
    try command.write(
      "streammap: 1\nrecord: { a: a }\noutput: { format: csv }\n", to: "m.yaml")
    let result = try command.run("-m", "m.yaml", "f.ndjson", "-o", "o.json")
    #expect(result.status == 2)
    #expect(
      result.errors.contains(
        "-o o.json: '.json' is a file of --to json, and the output is csv: give --to json, or a name that ends in .csv."
      ))
    #expect(try command.run("-m", "m.yaml", "f.ndjson", "-o", "o.tsv", "--to", "tsv").status == 0)
    #expect(try command.run("-m", "m.yaml", "f.ndjson", "-o", "o").status == 0)
    #expect(try command.read("o") == "a\n1\n2\n")
  }

  @Test(arguments: ["o.csv", "o.json", "o.db", "o.parquet"])
  func `reverse writes lines, and an index is neither compressed`(name: String) throws {
    try command.write("streammap: 1\nrecord: { a: a }\n", to: "m.yaml")
    let reversed = try command.run("reverse", "-m", "m.yaml", "f.ndjson", "-o", name)
    #expect(reversed.status == 2)
    #expect(!command.exists(name))
    let index = try command.run("index", "f.ndjson", "-o", "x.smx.gz")
    #expect(index.status == 2)
    #expect(index.errors.contains("an index is not compressed"))
  }
}
