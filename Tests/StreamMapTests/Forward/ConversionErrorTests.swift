import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What a conversion refuses has the address of the whole value that it was given.
@Suite struct ConversionErrorTests {
  struct Refused: Error, CustomStringConvertible { let description = "refused" }
  struct Point { let x: Int }

  private func check<Source>(_ source: Mapping<Source>, _ value: String) throws {
    let mapping: Mapping<[Int]> = .array(
      of: .converted(from: source, { _ in throw Refused() }, reverse: { _ in throw Refused() }))
    let text = "[ \(value)\n]"
    let error = try #require(try Routes.run(mapping, text).first?.error)
    #expect(error.code == .conversionFailed)
    #expect(error.path.description == "$[0]")
    #expect(error.position?.bytes == 2..<2 + value.utf8.count, "\(value)")
    #expect(error.underlying.map { "\($0)" } == ["refused"])
  }

  @Test func `a refused conversion has the address of its whole value`() throws {
    try check(.string, #""text""#)
    try check(.int, "12")
    try check(.array(of: .int), "[1,2]")
    try check(.array(of: .array(of: .int)), "[[1],[2] ]")
    try check(.dictionary(of: .int), #"{"a":1}"#)
    try check(
      Mapping.object(Point.self) { field in field.make(Point.init, field("x", \.x)) },
      #"{"x":1,"y":[]}"#)
    try check(.json, #"{"x":[1,{}]}"#)
    try check(.raw, "[1,[2]]")
    try check(.nullable(.int), "null")
    try check(.converted(from: .array(of: .int), { $0.count }, reverse: { [$0] }), "[1,2]")
  }
}
