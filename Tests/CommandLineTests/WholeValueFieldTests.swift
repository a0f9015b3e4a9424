import Testing

/// Fields from `$`, from indices, and from the first of several places.
@Suite("Fields of whole values and of several places")
struct WholeValueFieldTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  /// The output of a mapping file, or what it says of the first error.
  private func run(_ record: String, _ feed: String, _ options: String...) throws -> String {
    try command.write("streammap: 1\nrecord:\n  \(record)\n", to: "m.yaml")
    let arguments = ["-m", "m.yaml", "--from", "ndjson"] + options
    let result = try command.run(arguments, input: Array(feed.utf8))
    return result.status == 0 ? result.output : result.errors
  }

  @Test
  func `a null record is the value of a field from $`() throws {
    for jobs in ["1", "3"] {
      #expect(
        try run("x: { from: $, type: int64, nullable: true }", "null\n5\n", "--jobs", jobs)
          == "{\"x\":null}\n{\"x\":5}\n")
    }
    let field = try command.run(
      "--records", "$[*]", "--field", "id:json=$", "--from", "json", input: "[null,1]")
    #expect(field.output == "{\"id\":null}\n{\"id\":1}\n")
    #expect(field.status == 0)
    #expect(try run("x: { from: $, type: int64 }", "null\n").contains("fatal null at $ → x"))
  }

  @Test
  func `an error of alternatives lists each cause once`() throws {
    let errors = try run("x: { first_of: [a, b.c], type: int64, nullable: true }", "{\"b\":7}\n")
    #expect(
      errors.contains(
        "noAlternative at $ → x (record 1, line 1, column 1, bytes 0..<7): expected an integer (Int64) (m.yaml:3)\n"
      ))
    #expect(errors.components(separatedBy: "wrongType at $.b").count == 2)
    #expect(!errors.contains("nothing"))
    let filled = try run("x: { first_of: [a, b], type: int64, default: 3 }", "{\"b\":\"x\"}\n")
    #expect(filled.components(separatedBy: "\n  - ").count == 3)
  }

  @Test
  func `a stand-in applies where no alternative has a value`() throws {
    #expect(
      try run(
        "x: { first_of: [a, b.c], type: int64, default: 3 }",
        "{}\n{\"a\":null,\"b\":{}}\n{\"b\":{\"c\":4}}\n")
        == "{\"x\":3}\n{\"x\":3}\n{\"x\":4}\n")
    #expect(
      try run(
        "x: { first_of: [a, { from: b, type: string }], nullable: true }", "{}\n{\"b\":\"y\"}\n")
        == "{\"x\":null}\n{\"x\":\"y\"}\n")
  }

  @Test
  func `a path by an index requires an array`() throws {
    #expect(
      try run("x: { from: \"$[0]\", nullable: true }", "{}\n").contains(
        "expected an array, found an object"))
  }
}
