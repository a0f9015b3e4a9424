import Foundation
import Testing

@testable import StreamMap

/// The result of one document by every route, reduced to what tests are about.
struct Decoded<Value> {
  let value: Value?
  /// The fatal errors, each as `code path → target`; the errors inside `severalErrors` are listed one by one.
  let fatal: [String]
  /// The issues, in the same form.
  let issues: [String]
  let error: MappingError?

  /// The errors without their targets: the property names of open classes are not always known to the program.
  var fatalPlaces: [String] { fatal.map(Self.withoutTarget) }
  var issuePlaces: [String] { issues.map(Self.withoutTarget) }

  private static func withoutTarget(_ error: String) -> String {
    error.components(separatedBy: " → ").first ?? error
  }

  /// Whether there are no errors and no issues.
  var isClean: Bool { fatal.isEmpty && issues.isEmpty }

  init(_ record: Record<Value>) {
    value = record.value
    error = record.error
    fatal = record.error.map { Self.flat($0) } ?? []
    issues = record.issues.flatMap { Self.flat($0) }
  }

  private static func flat(_ error: MappingError) -> [String] {
    if error.code == .severalErrors {
      return error.underlying.compactMap { $0 as? MappingError }.flatMap { flat($0) }
    }
    let target = error.target.map(\.relativeDescription) ?? ""
    return ["\(error.code.rawValue) \(error.path)" + (target.isEmpty ? "" : " → \(target)")]
  }
}

/// The result of a mapping for a document, by every route.
func decode<Value>(
  _ mapping: Mapping<Value>, _ document: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> Decoded<Value> {
  let records = try Routes.run(mapping, document, sourceLocation: sourceLocation)
  return Decoded(try #require(records.first, sourceLocation: sourceLocation))
}

/// The JSON of a value.
func encode<Value>(_ mapping: Mapping<Value>, _ value: Value) throws -> String {
  String(decoding: try Mapper(mapping).encode(value), as: UTF8.self)
}

/// The mistakes that compiling a mapping finds.
func mistakes<Value>(_ mapping: Mapping<Value>) -> [String] {
  do {
    _ = try Mapper(mapping)
    return []
  } catch {
    return error.mistakes.map(\.reason)
  }
}

/// Counts how often a mapping is called.
final class Calls: Sendable {
  private let number = Locked(0)

  var count: Int { number.withLock { $0 } }

  func add() { number.withLock { $0 += 1 } }
}
