import StreamMap
import Testing

@testable import StreamMapFiles

/// Steps on texts that mapping files have, as records show them.
@Suite struct TextFunctionTests {
  /// What a field makes of the text `x`, or the code of its error.
  private func value(_ keys: String, _ text: String) throws -> String {
    let file = try MappingFile(yaml: "streammap: 1\nrecord: { f: { from: x, \(keys) } }\n")
    let result = try file.mapper().decode(#"{"x":\#(JSONValue.string(text))}"#.utf8)
    guard let value = result.value else { return "\(result.error?.code ?? .invalidValue)" }
    return String(value.description.dropFirst(5).dropLast())
  }

  @Test(
    arguments: [
      ("base64_encode", "grün\"", "Z3LDvG4i"), ("base64_encode", "", ""),
      ("base64_encode", "a", "YQ=="),
      ("base64_decode", "YQ==", "a"), ("base64_decode", "YQ", "a"),
      ("base64_decode", "w7_Dvg==", "ÿþ"),
      ("base64_decode", "YR==", nil), ("base64_decode", "/w==", nil), ("base64_decode", "a b", nil),
      ("hex_encode", "é", "c3a9"), ("hex_decode", "C3a9", "é"), ("hex_decode", "c3a", nil),
      ("hex_decode", "c3", nil), ("hex_decode", "0g", nil),
      ("url_encode", "a b/é~", "a%20b%2F%C3%A9~"), ("url_decode", "a+b%2f%C3%A9", "a+b/é"),
      ("url_decode", "%c3", nil), ("url_decode", "%", nil), ("url_decode", "%2", nil),
      ("{ url: scheme }", "https://a", "https"), ("{ url: scheme }", "//a", nil),
      ("{ url: user }", "ftp://me:pw@b.c:21/d", "me:pw"), ("{ url: user }", "ftp://b.c", nil),
      ("{ url: host }", "ftp://me@b.c:21/d", "b.c"), ("{ url: host }", "http://[::1]:80", "::1"),
      ("{ url: host }", "http://[::1]", "::1"), ("{ url: host }", "mailto:a@b", nil),
      ("{ url: port }", "http://[::1]:80/", "80"), ("{ url: port }", "http://[::1]", nil),
      ("{ url: port }", "http://a:/", nil), ("{ url: path }", "http://a/b/c?d#e", "/b/c"),
      ("{ url: path }", "http://a?d", ""), ("{ url: path }", "a:b", "b"),
      ("{ url: query }", "/b?c=1?d#e?f", "c=1?d"), ("{ url: query }", "/b#e?f", nil),
      ("{ url: fragment }", "/b#e#f", "e#f"),
      (
        "{ hash: sha256 }", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
      ),
      (
        "{ hash: sha256 }", "abc",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      ),
      (
        "{ hash: sha256 }, { hash: sha256 }", "é",
        "e596a79e6c62eb6751ed2a6cf89823a9623aca8282abf60814d2d7e384d8665b"
      ),
      ("{ mask: 4 }", "4111é11é11", "******1é11"), ("{ mask: 2 }", "é", "é"),
      ("{ mask: 0 }", "é1", "**"),
      ("{ mask: -2 }", "é123", "é1**"), ("{ mask: 100 }", "ab", "ab"),
    ] as [(String, String, String?)])
  func `a step makes of a text`(_ step: String, _ text: String, _ expected: String?) throws {
    let expected = expected.map { JSONValue.string($0).description } ?? "invalidValue"
    #expect(try value("text: [\(step)]", text) == expected)
  }

  /// Cases of RFC 4231, and one of an empty text by Python.
  @Test(arguments: [
    (
      "Jefe", "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      "key", "", "5d5d139563c95b5967b9bd9a8c9b233a9dedb45072794cd232dc1b74832607d0"
    ),
    (
      String(repeating: "k", count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "70e4b005732fa7ff79392aa24fb240159b925dbc9f1398420c0f45e6763dcf14"
    ),
  ])
  func `a hash with a key is that of RFC 2104`(_ key: String, _ text: String, _ expected: String)
    throws
  {
    let file = try MappingFile(
      yaml: """
        streammap: 1
        args: { k: { type: string, redact: true } }
        record: { f: { from: x, text: { hmac: sha256, key: { arg: k } } } }
        """, arguments: ["k": key])
    let feed = JSONValue.object([.init("x", .string(text))]).description
    #expect(
      try file.mapper().decode(feed.utf8).get().description == #"{"f":"\#(expected)"}"#)
  }

  @Test(arguments: [
    (#"['(\d+)-(\d+)', '$2/$1']"#, "1-2 3-4", "2/1 4/3"), ("[a, '$0$0$$']", "bab", "baa$b"),
    ("['(?<x>a)|b', '<${x}>']", "ab", "<a><>"), ("[^a, x]", "aa", "xa"),
    ("['x*', -]", "abxd", "-a-b-d-"),
    ("['', é]", "é€", "ééé€é"), ("[a, b]", "", ""), (#"['\bb', x]"#, "ab b", "ab x"),
  ])
  func `each match of a pattern is replaced`(_ keys: String, _ text: String, _ expected: String)
    throws
  {
    #expect(
      try value("text: [{ replace_pattern: \(keys) }]", text)
        == JSONValue.string(expected).description)
  }

  @Test func `a text that grows too much is an error`() throws {
    let text = String(repeating: "a", count: 1 << 20)
    #expect(
      try value("text: [{ replace_pattern: [a, '01234567890123456789'] }]", text) == "limitExceeded"
    )
  }

  @Test(arguments: [
    ("{ m: 0.001 }", "250m", "0.25"), ("{ m: 0.001 }", "2", "2"),
    ("{ m: 0.001 }", "m", "invalidValue"),
    ("{ m: 0.001 }", "1 m", "0.001"), ("{ m: 0.001 }", "1mm", "invalidValue"),
    ("{ Ki: 1024, i: 3, '': 2 }", "1Ki", "1024"), ("{ Ki: 1024, i: 3, '': 2 }", "1i", "3"),
    ("{ Ki: 1024, i: 3, '': 2 }", "1", "2"), ("{ E: 1e18 }", "1E", "1000000000000000000"),
    ("{ E: 1e18 }", "1e3", "1e3"), ("{ m: 1 }", " 1m", "invalidValue"),
    ("{ m: 1 }", "", "invalidValue"),
  ])
  func `a number in a text may have a unit`(_ units: String, _ text: String, _ expected: String)
    throws
  {
    #expect(try value("units: \(units)", text) == expected)
  }

  @Test(
    arguments: [
      ("UTC", "2026-11-21T09:30:00", "2026-11-21T09:30:00Z"),
      ("UTC", "2026-11-21 09:30:00.123456789123", "2026-11-21T09:30:00.123456789Z"),
      ("+02:00", "2026-11-21T09:30:00", "2026-11-21T07:30:00Z"),
      ("-0330", "2026-11-21t09:30:00.5", "2026-11-21T13:00:00.500Z"),
      ("+02:00", "2026-11-21T09:30:00Z", "2026-11-21T09:30:00Z"),
      ("+02:00", "2026-11-21 09:30:00+0100", "2026-11-21T08:30:00Z"),
      ("Europe/Berlin", "2026-07-01T12:00:00", "2026-07-01T10:00:00Z"),
      ("Europe/Berlin", "2026-03-29T02:30:00", nil), ("UTC", "2026-11-21T09:30", nil),
      ("UTC", "2026-11-21T09:30:00.", nil), ("UTC", "2026-02-29T09:30:00", nil),
      ("UTC", "2026-11-21_09:30:00", nil), ("UTC", "2026-11-21T09:30:00 ", nil),
    ] as [(String, String, String?)])
  func `a time without an offset is one of the zone`(
    _ zone: String, _ text: String, _ expected: String?
  ) throws {
    let expected = expected.map { JSONValue.string($0).description } ?? "invalidValue"
    #expect(try value("type: date, zone: '\(zone)'", text) == expected)
  }

  @Test(arguments: [
    ("x", "there is no path in braces, as in {name}"),
    ("{a", "a brace has to be closed, or be doubled"),
    ("a}", "a brace has to be opened, or be doubled"), ("{}", "a path is missing between braces"),
    ("{?a}", "an optional part needs a path, as in {? ({unit})}"),
    ("{?{a}", "an optional part, {? …}, has to be closed"),
    ("{?{a}{?{b}}}", "an optional part cannot have another one inside"),
    ("{a[*]}", "path 'a[*]': [*] means several values here"),
  ])
  func `a template that cannot be read is a mistake`(_ template: String, _ message: String) throws {
    let text = "streammap: 1\nrecord: { f: { template: '\(template)' } }\n"
    let mistakes = #expect(throws: MappingFile.Mistakes.self) { try MappingFile(yaml: text) }
    #expect(mistakes?.mistakes.map(\.message) == ["template: \(message)"])
  }

  @Test func `a template has keys in quotes, doubled braces and a type`() throws {
    let text = """
      streammap: 1
      record:
        a: { template: "{{{['a}b']}}}{? {b}{c}}" }
        n: { template: "{b}.{c}", type: decimal, scale: 2, optionally: null }
      """
    let mapper = try MappingFile(yaml: text).mapper()
    #expect(
      try mapper.decode(#"{"a}b":"x","b":1,"c":5}"#.utf8).get().description
        == #"{"a":"{x} 15","n":3}"#)
    #expect(
      try mapper.decode(#"{"a}b":"x","b":"y"}"#.utf8).get().description
        == #"{"a":"{x}","n":null}"#)
  }
}
