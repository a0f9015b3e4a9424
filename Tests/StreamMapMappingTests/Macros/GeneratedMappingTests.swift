import StreamMap
import Testing

@testable import StreamMapTestSupport

/// Generated code that were wrong stops, and reads no other memory.
@Suite struct GeneratedMappingTests {
  struct Point: Equatable {
    let x: Int
    let y: Double
  }

  static var fields: _GeneratedFields<Point> {
    var fields = _GeneratedFields<Point>()
    fields.add("x", at: "x", \.x) { $0.x }
    fields.add("y", at: "y", \.y) { $0.y }
    return fields
  }

  static func decode(_ make: @escaping @Sendable (inout _GeneratedSlots) -> Point) throws -> Point {
    try Mapper(Mapping(_generated: fields, make: make)).decode(#"{"x":1,"y":2.5}"#.utf8).get()
  }

  @Test func `generated slots give their values in order`() throws {
    let point = try Self.decode { slots in Point(x: slots.take(), y: slots.take()) }
    #expect(point == Point(x: 1, y: 2.5))
  }

  @Test func `taking a value of another type stops the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = try GeneratedMappingTests.decode { slots in
        Point(x: Int(slots.take(Double.self)), y: slots.take())
      }
    }
  }

  @Test func `taking one value too many stops the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = try GeneratedMappingTests.decode { slots in
        _ = slots.take(Int.self)
        _ = slots.take(Double.self)
        return Point(x: slots.take(), y: 0)
      }
    }
  }

  @Test func `taking one value too few stops the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = try GeneratedMappingTests.decode { slots in Point(x: slots.take(), y: 0) }
    }
  }
}
