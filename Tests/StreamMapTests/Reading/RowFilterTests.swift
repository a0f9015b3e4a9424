import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Filters that are asked about rows answer as those that are asked about values that are held: by other parsers, or in other forms.
@Suite struct RowFilterTests {
  private static let values = [
    "1", "1.0", "10e-1", "2", "-1", "0", "-0.0", "12345678901234567890123", "1e400", #""x""#,
    #""é""#, #""e\u0301""#, #""\u0078""#, #""1""#, #""""#, "null", "true", "false", "[1]", "[]",
    #"{"a":1}"#, #"{"a":1.0}"#,
  ]

  /// Elements in which each value stands beside another one, in objects that are written in several ways, and what is no object.
  private static let elements: [String] = {
    var elements = ["[]", #"[{"a":1}]"#, "{}", "7", "null", #""a""#]
    for (number, a) in values.enumerated() {
      let b = values[(number * 7 + 3) % values.count]
      elements += [
        #"{"a":\#(a),"b":\#(b),"n":\#(number)}"#, #"{ "b" : \#(b) , "o":{"x":[{}],"a":\#(a)} }"#,
        #"{"o":{"a":\#(a),"a":\#(b)},"a":\#(b),"a":\#(a)}"#, #"{"\u0061":\#(a),"b":\#(b)}"#,
        #"{"ab":\#(a),"long":{"\u0061":[\#(b)]},"a":\#(a),"é":\#(b)}"#,
      ]
    }
    return elements
  }()

  @Test(
    .long,
    arguments: [
      "@.a", "!@.a", "@.o.a", "@['é']", "@", "@.a == 1", "1 == @.a", "@.a != 1", "@.a < 1",
      "1 < @.a",
      "@.a <= 1.0", "1 >= @.a", "1 <= @.a", "1 > @.a", "@.a >= 1e0", "@.a > -1",
      "@.a == 12345678901234567890123",
      "@.a < 1e399", "@.a == 'x'", "'x' != @.a", "@.a > 'e'", "@.a <= 'é'", "@.a == ''",
      "@.a == null", "@.a <= null", "@.a != null", "@.a == true", "@.a < true", "false >= @.a",
      "@.a == @.b", "@.a != @.b", "@.a < @.b", "@.a >= @.b", "@.o == @.o", "@.o.a == @.a",
      "@.a == @.none", "@.none == @.other", "@ == @", "@.o.a.a == 1",
      "@.a == 1 && @.b == 'x'", "@.a == 1 || !(@.b == null)", "!(@.a && @.b)",
      // These ask more than rows tell.
      "@['a\"b'] == 1", "length(@.a) == 1", "@.l[0] == 1", "count(@.*) > 1", "@..a || @.a == 1",
    ])
  func `a filter takes the same elements of rows as of values that are held`(filter: String) throws
  {
    let mapper = try Mapper(
      output: .object([
        OutputField("a", from: "a", .nullable(.raw)), OutputField("all", from: "$", .raw),
      ]))
    let found = try records(mapper, filter)
    let others = try records(mapper, "!(\(filter))")
    // Each element is taken by one of the two.
    #expect(found.count + others.count == Self.elements.count)
    #expect(Set(found.map { ExactText($0) }).isDisjoint(with: others.map { ExactText($0) }))
  }

  private func records(_ mapper: Mapper<RawJSON>, _ filter: String) throws -> [String] {
    let feed = #"{"x":[\#(Self.elements.joined(separator: " , "))]}"#
    return try Routes.run(
      mapper, Array(feed.utf8), at: ["$.x[?\(filter)]"], format: .json, pieceSizes: [100, 4096]
    ) { $0.description }.map {
      $0.value?.description ?? "at \($0.error?.position?.description ?? "")"
    }
  }
}
