import StreamMap

/// The fields that were null in all mapped records so far.
struct MissingFields {
  private(set) var names: Set<String>
  private let limits: Limits
  /// Finds the values of these fields in a mapped record; those that are null are left out.
  ///
  /// It reads a record for these fields only, and does not read it at all once there are none.
  private var finder: Mapper<RawJSON>?
  private let members: Mapper<[String: JSONValue]>

  /// - Parameters:
  ///   - fields: All fields that may be missing.
  ///   - limits: The limits within which the mapped records were made.
  /// - Throws: `DefinitionError`: a name that no field can have.
  init(_ fields: [String], within limits: Limits) throws {
    names = Set(fields)
    // A record that was mapped is accepted, whatever its size.
    var limits = limits
    limits.depth = 2 * limits.depth + 512
    for limit in [\Limits.string, \.number, \.key, \.capturedValue, \.replayed, \.record] {
      limits[keyPath: limit] = 1 << 40
    }
    self.limits = limits
    members = try Mapper(.dictionary(of: .json), limits: limits)
    finder = try makeFinder()
  }

  /// Looks for the fields in a mapped record.
  mutating func look(in record: UnsafeBufferPointer<UInt8>) throws {
    guard let finder, let found = finder.decode(record).value, found.bytes.count > 2,
      let present = members.decode(found.bytes).value
    else { return }
    names.subtract(present.keys)
    self.finder = try makeFinder()
  }

  private func makeFinder() throws -> Mapper<RawJSON>? {
    if names.isEmpty { return nil }
    let fields = names.map { OutputField($0, from: .key($0), .nullable(.raw)) }
    return try Mapper(output: .object(fields), omitsNulls: true, limits: limits)
  }
}
