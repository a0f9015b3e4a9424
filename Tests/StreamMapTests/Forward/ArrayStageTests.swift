import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Arrays of every length around those at which they are made another way: four elements; 64, or 512 bytes of them.
@Suite struct ArrayStageTests {
  static let lengths = [0, 1, 2, 3, 4, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 192, 193, 300]

  struct Words {
    var (a, b, c, d, e, f, g, h) = (0, 1, 2, 3, 4, 5, 6, 7)
  }

  /// Two of these do not fit into 512 bytes.
  struct Wide: Equatable {
    let a: Int
    let b: String
    let c: [Double]
    let d: Bool?
    var filler = (first: Words(), second: Words(), third: Words(), fourth: Words())

    init(_ a: Int, _ b: String, _ c: [Double], _ d: Bool?) {
      (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    static func == (a: Wide, b: Wide) -> Bool {
      a.a == b.a && a.b == b.b && a.c == b.c && a.d == b.d && a.filler.third.h == b.filler.third.h
    }
  }

  /// The arrays that a mapping makes of an array of these elements, by some routes.
  private func arrays<Element: Equatable>(
    _ mapping: Mapping<[Element]>, _ elements: [String]
  ) throws -> [Record<[Element]>] {
    let mapper = try Mapper(mapping)
    let feed = "[" + elements.joined(separator: ",") + "]"
    return try Routes.run(
      mapper, Array(feed.utf8), at: [], format: .json,
      pieceSizes: TestExtent.isLong ? [1, 7, 64, 1000] : [7, 1000]
    ) { "\($0)" }
  }

  private func check<Element: Equatable>(
    _ mapping: Mapping<Element>, _ element: (Int) -> (Element, String)
  ) throws {
    for length in Self.lengths {
      let elements = (0..<length).map(element)
      let record = try #require(try arrays(.array(of: mapping), elements.map(\.1)).first)
      #expect(try record.get() == elements.map(\.0))
    }
  }

  @Test(.long) func `arrays of scalars are right at every length`() throws {
    try check(.int) { ($0 * 1_000_003, "\($0 * 1_000_003)") }
    try check(.double) { (Double($0) / 7, "\(Double($0) / 7)") }
    try check(.bool) { ($0 % 3 == 0, "\($0 % 3 == 0)") }
    try check(Mapping<Int8>.int8) { (Int8($0 % 100), "\($0 % 100)") }
    try check(.string) { ("a string of its own \($0)", "\"a string of its own \($0)\"") }
    try check(.nullable(.string)) { $0 % 5 == 0 ? (nil, "null") : ("\($0)", "\"\($0)\"") }
  }

  @Test(.long) func `arrays of containers are right at every length`() throws {
    try check(.array(of: .int)) { number in
      let inner = Array(0..<number % 70)
      return (inner, "\(inner)")
    }
    try check(.dictionary(of: .array(of: .string))) {
      (["k\($0)": ["\($0)"]], "{\"k\($0)\":[\"\($0)\"]}")
    }
    let wide = Mapping.object(Wide.self) { field in
      field.make(
        Wide.init, field("a", \.a, .int), field("b", \.b, .string),
        field("c", \.c, .array(of: .double)), field("d", \.d, .nullable(.bool)))
    }
    try check(wide) { number in
      let inner = (0..<number % 66).map { Double($0) / 7 }
      let value = Wide(number, "number \(number)", inner, number % 2 == 0 ? nil : true)
      let d = number % 2 == 0 ? "null" : "true"
      return (value, "{\"a\":\(number),\"b\":\"number \(number)\",\"c\":\(inner),\"d\":\(d)}")
    }
  }

  @Test(arguments: lengths) func `elements left out are reported at every array length`(length: Int)
    throws
  {
    for step in [1, 2, 64, 65] {
      let elements = (0..<length).map { $0 % step == step - 1 ? "\"x\"" : "\($0)" }
      let record = try #require(try arrays(.array(of: .int, omitsInvalid: true), elements).first)
      #expect(try record.get() == (0..<length).filter { $0 % step != step - 1 })
      #expect(record.issues.count == min(length / step, Limits().errorsPerRecord))
    }
  }

  @Test(arguments: lengths) func `a failing element has its index at every array length`(
    length: Int
  ) throws {
    for wrong in [0, 63, 64, length - 1] where (0..<length).contains(wrong) {
      let elements = (0..<length).map { $0 == wrong ? "\"x\"" : "\($0)" }
      let record = try #require(try arrays(.array(of: .int), elements).first)
      #expect(record.error?.path.description == "$[\(wrong)]")
    }
  }

  // MARK: Lifetimes

  private func tracked(_ counter: LifetimeCounter) -> Mapping<LifetimeTracked> {
    .converted(from: .string, { LifetimeTracked($0, counter) }, reverse: { $0.text })
  }

  @Test func `elements live as long as their array`() throws {
    for length in Self.lengths {
      let counter = LifetimeCounter()
      let mapper = try Mapper(.array(of: tracked(counter)))
      let feed = "[" + (0..<length).map { "\"\($0)\"" }.joined(separator: ",") + "]"
      var value: [LifetimeTracked]? = try mapper.decode(feed.utf8).get()
      #expect(value?.map(\.text) == (0..<length).map { "\($0)" })
      #expect(counter.live == length)
      value = nil
      #expect(counter.live == 0)
    }
  }

  @Test func `elements of a discarded array are released`() throws {
    let counter = LifetimeCounter()
    var limits = Limits()
    limits.elements = 200
    // Such a bound takes the short way: with it, nothing is built before the record is whole.
    limits.replayed = 1 << 20
    let mapper = try Mapper(.array(of: .array(of: tracked(counter))), limits: limits)
    for length in Self.lengths {
      let inner = (0..<length).map { "\"\($0)\"" }.joined(separator: ",")
      for end in ["", ",", ",1", ",1]", "]", "],[\"a\"", "],[\"a\"],1]", "],[\"a\"],x"] {
        let feed = Array(("[[\"before\"],[" + inner + end).utf8)
        var errors = 0
        let stream = try mapper.stream(format: .json)
        // In pieces, so that much is built before the fault comes.
        for start in stride(from: 0, to: feed.count, by: 50) {
          let end = min(start + 50, feed.count)
          stream.feed(feed[start..<end]) { errors += $0.error == nil ? 0 : 1 }
        }
        stream.finish { errors += $0.error == nil ? 0 : 1 }
        #expect(errors == 1)
        #expect(counter.live == 0, "\(length) elements and '\(end)'")
      }
    }
    #expect(counter.made > 10_000)
  }
}
