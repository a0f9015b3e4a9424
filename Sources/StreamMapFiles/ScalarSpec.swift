import StreamMap
import StreamMapPlatform

/// A scalar as a mapping file says it: its type, and what else becomes one.
struct ScalarSpec: Equatable {
  /// The kinds of values that can be made one of another kind, where that is asked for.
  enum Coercion: String, CaseIterable {
    case string, number, bool
  }

  struct EnumCase: Equatable {
    let source: String
    let target: JSONValue
  }

  var type: TypeName
  var schemes: [String] = []
  var formats: [DateFormat] = []
  /// For dates whose text has none.
  var zone: Zone?
  var values: [EnumCase] = []
  var coercions: Set<Coercion> = []
  /// Changes of a text before it is read.
  var text = TextSpec()
  /// Changes of a number after it is read.
  var decimal: DecimalChange?
  /// What stands after a number in its text.
  var units: UnitTable?
  /// The form that dates are written in, if it is not that of RFC 3339 in UTC.
  var form: DateForm?
  /// The value for texts that a table does not have.
  var otherwise: JSONValue?

  init(_ type: TypeName) {
    self.type = type
  }

  /// The table of an enum.
  var table: Conversion<String, JSONValue> {
    .oneWayTable(pairs: values.map { ($0.source, $0.target) }, otherwise: otherwise)
  }

  // MARK: Mapping

  var mapping: OutputMapping {
    if text.isEmpty, type != .enum, formats.isEmpty, coercions.isEmpty, form == nil, zone == nil,
      units == nil
    {
      return plain
    }
    let cases = text.isEmpty ? cases : textCases
    // Where only one kind is taken, its own message is the better one.
    return cases.count == 1 ? cases[0].1 : .read(named: explanation, byKind: cases)
  }

  /// The type, and what the keys beside it say, in their order.
  private var explanation: String {
    var parts: [String] = []
    if !coercions.isEmpty {
      parts.append("coerce: \(coercions.map(\.rawValue).sorted().joined(separator: ", "))")
    }
    parts += text.steps.map(\.name)
    if let pattern = text.pattern { parts.append("extract '\(pattern.text)'") }
    if let lookup = text.lookup { parts.append("lookup in \(lookup.name)") }
    parts += formWords
    if type == .enum { parts.append("table of \(values.count)") }
    if let units { parts.append(units.name) }
    if let name = decimal?.name { parts.append(name) }
    return ([type.rawValue] + parts).joined(separator: ", ")
  }

  /// The forms of dates, as read and as written.
  private var formWords: [String] {
    let read = formats.map(\.name).joined(separator: ", ")
    let written = form.map { "as: \($0.format.name)" }
    return (read.isEmpty ? [] : ["format: " + read]) + [written].compactMap(\.self)
  }

  private var plain: OutputMapping {
    if let decimal, case .scalar(let type) = type { return .number(decimal, as: type) }
    return type.mapping(schemes: schemes)
  }

  /// What becomes of each kind of value whose text is taken.
  private var textCases: [(JSONKind, OutputMapping)] {
    var cases = [(JSONKind.string, fromString)]
    if coercions.contains(.number) { cases.append((.number, fromText(of: .number))) }
    if coercions.contains(.bool) { cases.append((.boolean, fromText(of: .bool))) }
    return cases
  }

  /// What becomes of each kind of value that is taken.
  private var cases: [(JSONKind, OutputMapping)] {
    var cases: [(JSONKind, OutputMapping)] = []
    switch type.family {
    case .number:
      cases.append((.number, units == nil ? plain : fromText(of: .number)))
      if coercions.contains(.string) || units != nil { cases.append((.string, fromString)) }
      if coercions.contains(.bool) {
        cases.append((.boolean, converted(from: .bool) { .number($0 == .bool(true) ? "1" : "0") }))
      }
    case .bool:
      cases.append((.boolean, plain))
      if coercions.contains(.string) { cases.append((.string, fromString)) }
      if coercions.contains(.number) {
        let bool = Conversion<Int, Bool>.boolFromNumber
        let number = Conversion<String, Int>.number.then(bool)
        cases.append((.number, converted(from: .number) { .bool(try number.forward($0.text)) }))
      }
    case .date:
      if formats.isEmpty || formats.contains(where: { !$0.isNumber })
        || coercions.contains(.string)
      {
        cases.append((.string, fromString))
      }
      if formats.contains(where: \.isNumber) {
        let format = DateReader(formats.filter(\.isNumber), zone, form)
        let reading = TextReading.json(written) { try format.json($0, $1) }
        cases.append((.number, .text(.number, change, reading, expected: expected)))
      }
    case .string, .enum:
      cases.append((.string, type == .enum ? fromString : plain))
      if coercions.contains(.number) { cases.append((.number, fromText(of: .number))) }
      if coercions.contains(.bool) { cases.append((.boolean, fromText(of: .bool))) }
    case .other:
      cases.append((.string, plain))
    }
    return cases
  }

  private func converted(
    from source: OutputMapping, _ convert: @escaping @Sendable (JSONValue) throws -> JSONValue
  ) -> OutputMapping {
    .converted(from: source, expected: expected, making: written, named: explanation, convert)
  }

  private var fromString: OutputMapping { fromText(of: .string) }

  /// The type, read from a text that a mapping makes, after all that is done with the text.
  func fromText(of source: OutputMapping) -> OutputMapping {
    .text(source, change, reading, expected: expected)
  }

  private var change: TextChange {
    var change = text.change(otherwise: otherwise)
    if type.family == .date { change.note = (["date"] + formWords).joined(separator: ", ") }
    if type == .enum, otherwise != nil || Set(values.map(\.target)).count < values.count {
      change.note = "table of \(values.count)"
      change.canBeWritten = false
    }
    return change
  }

  private var reading: TextReading {
    switch type {
    case .json: return .text
    case .enum: return enumReading
    case .scalar(let scalar):
      switch scalar.family {
      case .any, .string: return .text
      case .number: return .number(scalar, decimal, units)
      case .boolean, .formed: return .function(written, plainReader)
      case .date:
        let dates = dateReader
        return .json(written) { try dates.json($0, $1) }
      }
    }
  }

  /// Looks a text up among what is written for each.
  private var enumReading: TextReading {
    let table = table
    let entries = values.map { (Array($0.source.utf8), Array($0.target.description.utf8)) }
    guard let known = try? LookupTable(entries) else { return .function(written, plainReader) }
    let other = otherwise.map { Array($0.description.utf8) }
    return .json(written) { text, room in
      if let found = known.value(of: text) { return found }
      let json =
        try other ?? Array(table.forward(String(decoding: text, as: UTF8.self)).description.utf8)
      let result = room.next()
      result.append(json)
      return result.text
    }
  }

  private var expected: String {
    switch type.family {
    case .date: DateReader(formats.isEmpty ? [.rfc3339] : formats, zone).expected
    case .enum: "one of " + values.map { "'\($0.source)'" }.joined(separator: ", ")
    default: type.expected
    }
  }

  /// What is written of it.
  var written: OutputValue {
    let value = OutputValue(writtenType, isNullable: type == .json)
    let targets = type == .enum ? values.map(\.target) : []
    return (targets + [otherwise].compactMap(\.self)).reduce(value) { $0.including($1) }
  }

  private var writtenType: OutputType {
    switch type {
    case .json: .json
    case .enum: .oneOf([])
    case .scalar(.date):
      switch form?.format {
      case nil, .rfc3339: .scalar(.date)
      case .unix: .scalar(.number)
      case .pattern("yyyy-MM-dd"): .day
      case .pattern, .rfc822, .dotnet: .scalar(.string)
      }
    case .scalar(let type): .scalar(type)
    }
  }

  // MARK: From text

  /// Whether a text is the value as it is.
  var takesAnyText: Bool {
    guard text.isEmpty, decimal == nil, case .scalar(let scalar) = type else { return false }
    return scalar.family == .string
  }

  /// Reads the type from a text, after all that is done with the text.
  var reader: @Sendable (String) throws -> JSONValue {
    if text.isEmpty, decimal == nil, units == nil { return plainReader }
    let (change, reading, expected) = (change, reading, expected)
    return { try OutputMapping.value(of: $0, change, reading, expected: expected) }
  }

  /// Reads the type from a text as it is.
  private var plainReader: @Sendable (String) throws -> JSONValue {
    switch type {
    case .json: return { .string($0) }
    case .enum:
      let table = table
      return { try table.forward($0) }
    case .scalar(let scalar): return reader(of: scalar)
    }
  }

  private func reader(of scalar: ScalarType) -> @Sendable (String) throws -> JSONValue {
    switch scalar.family {
    case .any, .string: return { .string($0) }
    case .boolean:
      let bool = Conversion<String, Bool>.boolFromString
      return { .bool(try bool.forward($0)) }
    case .formed: return { [schemes] in try scalar.string(fromText: $0, schemes: schemes) }
    case .number: return { try scalar.number(fromText: $0) }
    case .date:
      let dates = dateReader
      return { try dates.value($0) }
    }
  }

  private var dateReader: DateReader {
    // After text keys there is only text, so numbers are written in it.
    let takesNumbers = coercions.contains(.string) || !text.isEmpty
    let formats =
      formats.isEmpty ? [DateFormat.rfc3339] : formats.filter { takesNumbers || !$0.isNumber }
    return DateReader(formats, zone, form)
  }
}

extension JSONValue {
  /// The text of a scalar; nil for null and for containers.
  var scalarText: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let value): "\(value)"
    case .null, .array, .object: nil
    }
  }

  fileprivate var text: String { scalarText ?? "" }
}
