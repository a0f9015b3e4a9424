import Foundation

@testable import StreamMap

/// An `ArrowArray`, as the specification of the Arrow C Data Interface lays it out.
struct ArrowMemory {
  typealias Release = @convention(c) (UnsafeMutableRawPointer?) -> Void
  var length: Int64 = 0
  var nullCount: Int64 = 0
  var offset: Int64 = 0
  var bufferCount: Int64 = 0
  var childCount: Int64 = 0
  var buffers: UnsafeMutablePointer<UnsafeRawPointer?>?
  var children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowMemory>?>?
  var dictionary: UnsafeMutableRawPointer?
  var release: Release?
  var privateData: UnsafeMutableRawPointer?
}

/// The same of an `ArrowSchema`.
struct ArrowSchemaMemory {
  var format: UnsafePointer<CChar>?
  var name: UnsafePointer<CChar>?
  var metadata: UnsafePointer<CChar>?
  var flags: Int64 = 0
  var childCount: Int64 = 0
  var children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchemaMemory>?>?
  var dictionary: UnsafeMutableRawPointer?
  var release: ArrowMemory.Release?
  var privateData: UnsafeMutableRawPointer?
}

/// Reads columns back, each value as a text, and says what the same value would be from an output record.
struct ArrowRows {
  let layout: ColumnLayout

  /// The rows of a batch.
  func texts(_ array: ArrowMemory) throws -> [String] {
    try (0..<Int(array.length)).map { try Self.text(array, layout, $0) }
  }

  struct Broken: Error {
    let what: String
  }

  private static let parser: Mapper<JSONValue>? = try? Mapper(Mapping<JSONValue>.json)

  private static func check(_ holds: Bool, _ what: String) throws {
    if !holds { throw Broken(what: what) }
  }

  /// A value of a column.
  static func text(_ array: ArrowMemory, _ layout: ColumnLayout, _ row: Int) throws -> String {
    try check(row >= 0 && row < Int(array.length), "\(layout.name): row \(row) of \(array.length)")
    guard let buffers = array.buffers else { throw Broken(what: "no buffers") }
    for buffer in (0..<Int(array.bufferCount)).compactMap({ buffers[$0] }) {
      try check(UInt(bitPattern: buffer) % 64 == 0, "\(layout.name): not aligned")
    }
    if let validity = buffers[0] {
      let byte = validity.load(fromByteOffset: row / 8, as: UInt8.self)
      if byte >> (row % 8) & 1 == 0 { return "null" }
    } else {
      try check(array.nullCount == 0, "\(layout.name): nulls without a bitmap")
    }
    func child(_ index: Int) throws -> ArrowMemory {
      guard index < Int(array.childCount), let child = array.children?[index] else {
        throw Broken(what: "\(layout.name): no child \(index)")
      }
      return child.pointee
    }
    if case .object(let members, _) = layout.kind {
      let parts = try members.enumerated().map { index, member in
        "\(member.name)=\(try text(try child(index), member, row))"
      }
      return "{\(parts.joined(separator: " "))}"
    }
    guard let values = buffers[1] else { throw Broken(what: "\(layout.name): no values") }
    func value<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
      values.load(fromByteOffset: row * MemoryLayout<Value>.stride, as: type)
    }
    func range() -> Range<Int> {
      let start = values.load(fromByteOffset: row * 4, as: Int32.self)
      return Int(start)..<Int(values.load(fromByteOffset: row * 4 + 4, as: Int32.self))
    }
    func bytes() throws -> UnsafeRawBufferPointer {
      let range = range()
      guard let start = buffers[2] else { throw Broken(what: "\(layout.name): no bytes") }
      return UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count)
    }
    switch layout.kind {
    case .bool:
      return values.load(fromByteOffset: row / 8, as: UInt8.self) >> (row % 8) & 1 == 1
        ? "true" : "false"
    case .int8: return "\(value(Int8.self))"
    case .int16: return "\(value(Int16.self))"
    case .int32: return "\(value(Int32.self))"
    case .int64: return "\(value(Int64.self))"
    case .uint8: return "\(value(UInt8.self))"
    case .uint16: return "\(value(UInt16.self))"
    case .uint32: return "\(value(UInt32.self))"
    case .uint64: return "\(value(UInt64.self))"
    case .float: return "\(value(Float.self))"
    case .double: return "\(value(Double.self))"
    case .decimal: return "\(value(Int128.self))"
    case .timestamp: return "\(value(Int64.self))"
    case .day: return "\(value(Int32.self))"
    case .string: return String(reflecting: String(decoding: try bytes(), as: UTF8.self))
    case .binary: return try bytes().map { String($0, radix: 16) }.joined(separator: ",")
    case .json:
      // As a value: how it is written does not matter.
      guard let parsed = Self.parser?.decode(Array(try bytes())).value else {
        throw Broken(what: "\(layout.name): no JSON")
      }
      return "json \(parsed)"
    case .list(let element):
      return "[" + (try range().map { try text(try child(0), element, $0) }).joined(separator: " ")
        + "]"
    case .map(let member):
      guard let entries = try child(0).children, let keys = entries[0], let members = entries[1]
      else { throw Broken(what: "no entries") }
      let parts = try range().map {
        "\(try text(keys.pointee, ColumnLayout("key", .string), $0))=\(try text(members.pointee, member, $0))"
      }
      return "<\(parts.joined(separator: " "))>"
    case .object: return ""
    }
  }
}

/// What stands in columns of an output record, worked out from its text by other code.
struct ExpectedColumns {
  /// Nil if a value has no place in its column.
  static func text(_ value: JSONValue, _ layout: ColumnLayout) -> String? {
    if case .null = value { return "null" }
    switch (layout.kind, value) {
    case (.bool, .bool(let value)): return "\(value)"
    case (.float, .number(let text)): return Float(text).map { "\($0)" }
    case (.double, .number(let text)): return Double(text).map { "\($0)" }
    case (.decimal(let scale), .number(let text)): return scaled(text, scale)
    case (.timestamp(let scale), .string(let text)): return time(text, scale)
    case (.day, .string(let text)):
      return time(text + "T00:00:00Z").flatMap { Int64($0) }.map { "\($0 / 86_400_000_000)" }
    case (.string, .string(let text)): return String(reflecting: text)
    case (.binary, .string(let text)):
      return Data(base64Encoded: text).map {
        $0.map { String($0, radix: 16) }.joined(separator: ",")
      }
    case (.json, _): return "json " + value.description
    case (.list(let element), .array(let values)):
      let parts = values.map { text($0, element) }
      return parts.contains(nil) ? nil : "[" + parts.compactMap(\.self).joined(separator: " ") + "]"
    case (.map(let member), .object(let members)):
      let parts = members.map { entry in
        text(entry.value, member).map { "\(String(reflecting: entry.key))=\($0)" }
      }
      return parts.contains(nil) ? nil : "<" + parts.compactMap(\.self).joined(separator: " ") + ">"
    case (.object(let columns, let isOpen), .object(let members)):
      return object(members, columns, isOpen)
    case (_, .number(let text)):
      return scaled(text, 0).flatMap { whole($0, layout.kind) }
    default: return nil
    }
  }

  private static func object(
    _ members: [JSONValue.Member], _ columns: [ColumnLayout], _ isOpen: Bool
  ) -> String? {
    var rest = members
    var parts: [String] = []
    for column in isOpen ? columns.dropLast() : columns[...] {
      var part = "null"
      if let place = rest.firstIndex(where: { $0.key.utf8.elementsEqual(column.name.utf8) }) {
        guard let made = text(rest.remove(at: place).value, column) else { return nil }
        part = made
      }
      if part == "null", !column.isNullable { return nil }
      parts.append("\(column.name)=\(part)")
    }
    if isOpen, let column = columns.last {
      parts.append("\(column.name)=json " + JSONValue.object(rest).description)
    } else if !rest.isEmpty {
      return nil
    }
    return "{\(parts.joined(separator: " "))}"
  }

  private static func whole(_ text: String, _ kind: ColumnLayout.Kind) -> String? {
    switch kind {
    case .int8: Int8(text).map { "\($0)" }
    case .int16: Int16(text).map { "\($0)" }
    case .int32: Int32(text).map { "\($0)" }
    case .int64: Int64(text).map { "\($0)" }
    case .uint8: UInt8(text).map { "\($0)" }
    case .uint16: UInt16(text).map { "\($0)" }
    case .uint32: UInt32(text).map { "\($0)" }
    case .uint64: UInt64(text).map { "\($0)" }
    default: nil
    }
  }

  /// A number times a power of ten, as the digits of a whole number; nil if it is none, or has more than 38.
  static func scaled(_ text: String, _ scale: Int) -> String? {
    let parts = text.lowercased().split(separator: "e", maxSplits: 1)
    let exponent = parts.count > 1 ? (Int(parts[1].drop { $0 == "+" }) ?? 1 << 20) : 0
    let sign = parts[0].hasPrefix("-") ? "-" : ""
    let halves = parts[0].drop { $0 == "-" }.split(separator: ".")
    var digits = halves.joined().drop { $0 == "0" }.description
    if digits.isEmpty { return "0" }
    var shift = scale + exponent - (halves.count > 1 ? halves[1].count : 0)
    while shift < 0, digits.hasSuffix("0") {
      digits.removeLast()
      shift += 1
    }
    guard shift >= 0, digits.count + shift <= 38 else { return nil }
    return sign + digits + String(repeating: "0", count: shift)
  }

  /// Microseconds since 1970.
  private static func time(_ text: String, _ scale: Int = 6) -> String? {
    let scalars = Array(text)
    // The calendar's part, the fraction, and the offset.
    let clock = String(scalars.prefix(19)).uppercased() + "Z"
    var rest = scalars.dropFirst(19)
    var fraction = ""
    if rest.first == "." {
      fraction = String(rest.dropFirst().prefix { $0.isNumber })
      rest = rest.dropFirst(fraction.count + 1)
    }
    let digits = rest.filter(\.isNumber).compactMap(\.wholeNumberValue)
    var offset = 0
    if digits.count == 4 {
      offset = (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60
    }
    if rest.first == "-" { offset = -offset }
    let numbers = clock.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count == 6, let utc = TimeZone(identifier: "UTC") else { return nil }
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = utc
    let parts = DateComponents(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
      second: numbers[5])
    guard let date = calendar.date(from: parts) else { return nil }
    let part = Int128((fraction + "000000000").prefix(scale)) ?? 0
    let unit: Int128 = scale == 9 ? 1_000_000_000 : 1_000_000
    let seconds = Int128(date.timeIntervalSince1970) - Int128(offset)
    return Int64(exactly: seconds * unit + part).map { "\($0)" }
  }
}
