import Foundation
import Testing

/// `replace_pattern` with a table: parts of a text become what the table has for them.
@Suite struct ReplacementTableTests {
  private let command: Command

  init() throws {
    command = try Command()
    try command.write("id,name,more\nU1,ann,x\nU2,\"b\"\"o, $1\",y\n", to: "users.csv")
  }

  private func outputs(_ steps: String, _ texts: String...) throws -> [String] {
    try command.write("streammap: 1\nrecord: { t: { from: t, text: \(steps) } }\n", to: "m.yaml")
    let feed = texts.map { "{\"t\":\"\($0)\"}\n" }.joined()
    let result = try command.run("-m", "m.yaml", input: feed)
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map { String($0.dropFirst(5).dropLast()) }
  }

  @Test func `matches become what the table has for their first group, and others stay`() throws {
    #expect(
      try outputs(
        #"{ replace_pattern: ['<@(\w+)>', { file: ./users.csv, key: id, value: name }] }"#,
        "hi <@U1>, see <@U9>", "<@U2><@U1>", "U1", "")
        == [#""hi ann, see <@U9>""#, #""b\"o, $1ann""#, #""U1""#, #""""#])
  }

  @Test func `without a group the whole match is looked up, and a group that took no part is not`()
    throws
  {
    let table = "{ file: ./users.csv, key: id, value: name }"
    #expect(
      try outputs(#"[{ replace_pattern: ['U\d', \#(table)] }, upper]"#, "U1 and U3")
        == [#""ANN AND U3""#])
    #expect(
      try outputs(#"{ replace_pattern: ['@(U1)?', \#(table)] }"#, "@U1 @U2") == [#""ann @U2""#])
  }

  @Test(
    arguments: [
      ("['(', { file: ./users.csv, key: id, value: name }]", "the pattern '(' cannot be used"),
      (
        "[a, { file: ./users.csv, key: [id, more], value: name }]",
        "a table of replacements has one column as its key"
      ),
      (
        "[a, { file: ./users.csv, key: id, value: [name] }]", ""
      ),
      ("[a, { file: ./users.csv, key: id }]", "value is missing"),
      ("[a, { file: ./none.csv, key: id, value: name }]", "none.csv"),
      ("[a, { file: ./users.csv, key: ident, value: name }]", "there is no column 'ident'"),
    ])
  func `a mistake is told with its place`(_ step: String, _ message: String) throws {
    try command.write(
      "streammap: 1\nrecord: { t: { from: t, text: { replace_pattern: \(step) } } }\n", to: "m.yaml"
    )
    let result = try command.run("check", "m.yaml")
    #expect(result.status == (message.isEmpty ? 0 : 3), "\(result.errors)")
    #expect(message.isEmpty || result.errors.contains(message), "\(result.errors)")
  }
}
