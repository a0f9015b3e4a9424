import StreamMapMacros
import Testing

@testable import StreamMap

/// Decodes a text by every route, encodes the value, and decodes that again.
@discardableResult
func roundTrip<Value: Mappable & Equatable>(
  _ text: String, encoded: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Value {
  let record = try #require(
    try Routes.run(Value.mapping, text, sourceLocation: sourceLocation).first,
    sourceLocation: sourceLocation)
  let value = try record.get()
  #expect(record.issues.isEmpty, sourceLocation: sourceLocation)
  let mapper = try Mapper(Value.self)
  let written = try mapper.encode(value)
  #expect(
    String(decoding: written, as: UTF8.self) == encoded ?? text, sourceLocation: sourceLocation)
  #expect(try mapper.decode(written).get() == value, sourceLocation: sourceLocation)
  return value
}

/// The errors and issues of a text, by every route, as `code path`.
func findings<Value: Mappable>(
  _ type: Value.Type, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) throws -> [String] {
  let record = try #require(
    try Routes.run(Value.mapping, text, sourceLocation: sourceLocation).first,
    sourceLocation: sourceLocation)
  let fatal: [MappingError] =
    switch record.error {
    case nil: []
    case let error? where error.code == .severalErrors:
      error.underlying.compactMap { $0 as? MappingError }
    case let error?: [error]
    }
  return fatal.map { "fatal \($0.code) \($0.path)" } + record.issues.map { "\($0.code) \($0.path)" }
}
