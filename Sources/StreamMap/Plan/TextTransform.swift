/// How a text is changed before it becomes a value: by steps, by what is found in it, by a table; in this order.
package struct TextChange: Sendable {
  /// A part of a text: the part's offsets, or nil if the text has none.
  package typealias Search = @Sendable (UnsafeBufferPointer<UInt8>) -> Range<Int>?

  /// What is looked for in a text.
  package struct Extraction: Sendable {
    let name: String
    let expected: String
    let find: Search

    /// - Parameters:
    ///   - name: In explanations.
    ///   - expected: As in “expected a text with …”.
    ///   - find: Finds it.
    package init(name: String, expected: String, _ find: @escaping Search) {
      self.name = name
      self.expected = expected
      self.find = find
    }
  }

  package var steps: [TextStep]
  package var extraction: Extraction?
  package var table: TextTable?
  /// What an explanation says of how the text is read, if it says anything.
  package var note: String?
  /// Whether reading has a way back.
  package var canBeWritten = true

  package init(
    steps: [TextStep] = [], extraction: Extraction? = nil, table: TextTable? = nil
  ) {
    self.steps = steps
    self.extraction = extraction
    self.table = table
  }

  var name: String {
    (steps.map(\.name) + [extraction?.name, table?.name, note].compactMap(\.self))
      .joined(separator: ", ")
  }

  var hasWayBack: Bool {
    canBeWritten && steps.allSatisfy(\.hasWayBack) && extraction == nil
      && table?.isOneToOne ?? true
  }
}

/// What becomes of a text after its change.
package enum TextReading: Sendable {
  /// It stays a text.
  case text
  /// It is the text of a number of this type, which may have a unit, and may be changed first.
  case number(ScalarType, DecimalChange?, UnitTable? = nil)
  /// What a function makes of it, which is of this type.
  case function(OutputValue, @Sendable (String) throws -> JSONValue)
  /// What a function makes of it, as JSON text: in the room, or as long as the function lives.
  case json(
    OutputValue,
    @Sendable (UnsafeBufferPointer<UInt8>, TextRoom) throws -> UnsafeBufferPointer<UInt8>)

  /// What becomes of it.
  fileprivate var output: OutputValue {
    switch self {
    case .text: OutputValue(.scalar(.string))
    case .number(let type, _, _): OutputValue(.scalar(type))
    case .function(let result, _), .json(let result, _): result
    }
  }
}

/// Changes a text, and reads it: over its bytes, in the place where it was written.
final class TextTransform: OutputTransform, @unchecked Sendable {
  let name: String?
  let hasWayBack: Bool
  let change: TextChange
  let reading: TextReading
  private let steps: TextSteps
  // PERF: apart from the change, whose texts would be retained with it.
  private let find: TextChange.Search?
  private let table: TextTable?
  private let way: Way
  private let failure: ConversionFailure
  /// For a number with a unit that is none of the type, or beyond its range.
  private let unfit: (invalid: ConversionFailure, beyond: ConversionFailure)
  /// For a text in which nothing is found.
  private let missing: ConversionFailure
  private let otherwise: [UInt8]?

  /// What makes JSON text of the text, if something does.
  private let makeJSON: JSONReading?

  private typealias JSONReading =
    @Sendable (UnsafeBufferPointer<UInt8>, TextRoom) throws -> UnsafeBufferPointer<UInt8>

  // PERF: apart from the reading, whose tables and functions would be retained for each text.
  private enum Way {
    case text, json
    /// The text of a number as it is: mostly digits that the type surely takes.
    case digits(ScalarType)
    case reading
  }

  /// - Parameters:
  ///   - change: Of the text.
  ///   - reading: What becomes of it.
  ///   - expected: What the reading accepts, for errors.
  init(_ change: TextChange, _ reading: TextReading, expected: String) {
    self.change = change
    self.reading = reading
    steps = TextSteps(change.steps)
    find = change.extraction?.find
    table = change.table
    way =
      switch reading {
      case .text: .text
      case .number(let type, nil, nil): .digits(type)
      case .json: .json
      case .number, .function: .reading
      }
    makeJSON = if case .json(_, let make) = reading { make } else { nil }
    if case .number(_, _, let units?) = reading {
      failure = units.failure
    } else if case .number = reading {
      failure = ConversionFailure(expected: "a text that is " + expected)
    } else {
      failure = ConversionFailure(expected: expected)
    }
    unfit =
      if case .number(_, _, _?) = reading {
        (
          ConversionFailure(expected: "a number that is \(expected) with its unit"),
          ConversionFailure(
            expected: "a number in the range of \(expected) with its unit", code: .numberOutOfRange)
        )
      } else {
        (failure, ConversionFailure(expected: failure.expected, code: .numberOutOfRange))
      }
    missing = change.extraction.map { ConversionFailure(expected: $0.expected) } ?? failure
    otherwise = change.table?.otherwise.map { Array($0.description.utf8) }
    var hasWayBack = change.hasWayBack
    var name = change.name
    if case .number(_, let decimal, let units) = reading {
      if decimal?.hasWayBack == false || units != nil { hasWayBack = false }
      name = ([name, units?.name, decimal?.name].compactMap(\.self)).filter { !$0.isEmpty }
        .joined(separator: ", ")
    }
    self.name = name
    self.hasWayBack = hasWayBack
  }

  func change(_ written: UnsafeBufferPointer<UInt8>, in room: TransformRoom) throws {
    var text = written.content(in: room.texts)
    // Numbers, and strings that have no escapes.
    let isClean = text.count &+ 2 == written.count || WrittenValue(written).isNumber
    text = try steps.applied(to: text, in: room.texts)
    if let find {
      guard let found = find(text) else { throw missing }
      text = text.part(found.lowerBound, found.upperBound)
    }
    guard let table else {
      return try write(text, room, isClean: isClean && written.holds(text))
    }
    if let found = table.find(text) { return try write(found, room, isClean: false) }
    guard let otherwise else { throw table.failure }
    room.output.append(otherwise)
  }

  /// Writes what becomes of the text; a clean one needs no escapes.
  private func write(
    _ text: UnsafeBufferPointer<UInt8>, _ room: TransformRoom, isClean: Bool
  ) throws {
    switch way {
    case .text where isClean: room.output.append(inQuotes: text)
    case .text: JSONText.append(quoted: text, to: room.output)
    case .digits(let type) where type.surelyTakes(digits: text): room.output.append(text)
    case .json:
      if let json = try makeJSON?(text, room.texts) { room.output.append(json) }
    case .digits, .reading: try read(text, room)
    }
  }

  private func read(_ text: UnsafeBufferPointer<UInt8>, _ room: TransformRoom) throws {
    let output = room.output
    switch reading {
    // They are written without this.
    case .text, .json: return
    case .number(let type, let decimal, let units):
      let text = try units?.number(in: text, room.texts) ?? text
      guard NumberText.isNumber(text) else { throw failure }
      let number = try decimal?.applied(to: text, in: room.texts) ?? text
      switch type.verdict(onNumber: number) {
      case .made: output.append(number, as: type)
      case .outOfRange: throw unfit.beyond
      case .wrongType, .invalid: throw unfit.invalid
      }
    case .function(_, let read):
      let value = try read(String(decoding: text, as: UTF8.self))
      room.writer.beginValue()
      value.emit(to: room.writer)
    }
  }

  func output(_ source: OutputValue) -> OutputValue {
    var value = reading.output
    if source.isNullable { value.isNullable = true }
    return change.table?.otherwise.map(value.including) ?? value
  }

  /// The value that a string becomes.
  func value(of string: String) throws -> JSONValue {
    let (written, output) = (OutputBuffer(), OutputBuffer())
    let room = TransformRoom(output: output, writer: JSONWriter(output: output))
    JSONText.append(quoted: string, to: written)
    return try withExtendedLifetime((written, output)) {
      try apply(to: written.bytes, in: room)
      return WrittenValue(output.bytes).json
    }
  }
}

/// A table from texts to texts.
package final class TextTable: Sendable {
  /// What stands for a text, as long as the function lives; nil if nothing does.
  package typealias Search =
    @Sendable (UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>?

  /// In explanations.
  let name: String
  /// Whether each text stands for one only.
  let isOneToOne: Bool
  /// The value for a text that the table does not have; nil if that is an error.
  let otherwise: JSONValue?
  let failure: ConversionFailure
  let find: Search

  /// - Parameters:
  ///   - name: In explanations.
  ///   - expected: What the table accepts, for errors.
  ///   - isOneToOne: Whether no two texts stand for the same.
  ///   - otherwise: What any other text becomes, if that is not an error.
  ///   - find: Looks a text up.
  package init(
    name: String, expected: String, isOneToOne: Bool, otherwise: JSONValue?,
    _ find: @escaping Search
  ) {
    self.name = name
    self.isOneToOne = isOneToOne && otherwise == nil
    self.otherwise = otherwise
    self.find = find
    failure = ConversionFailure(expected: expected)
  }
}

/// Multiplies and rounds numbers, and checks what they become.
final class NumberTransform: OutputTransform, @unchecked Sendable {
  let name: String?
  let hasWayBack: Bool
  let decimal: DecimalChange
  let type: ScalarType

  init(_ decimal: DecimalChange, as type: ScalarType) {
    self.decimal = decimal
    self.type = type
    self.name = decimal.name
    self.hasWayBack = decimal.hasWayBack
  }

  func output(_ source: OutputValue) -> OutputValue {
    OutputValue(.scalar(type), isNullable: source.isNullable)
  }

  func change(_ written: UnsafeBufferPointer<UInt8>, in room: TransformRoom) throws {
    let number = try decimal.applied(to: written, in: room.texts)
    switch type.verdict(onNumber: number) {
    case .made: room.output.append(number, as: type)
    case .outOfRange:
      throw ConversionFailure(expected: type.expected, code: .numberOutOfRange)
    case .wrongType, .invalid: throw ConversionFailure(expected: type.expected)
    }
  }
}

// MARK: Bytes

extension UnsafeBufferPointer<UInt8> {
  private var hasBackslash: Bool { firstIndex(of: UInt8(ascii: "\\"), from: 0) != nil }

  /// What a written scalar says: a string without its quotes and escapes, anything else as it is.
  ///
  /// - Parameter room: For the content of a string that has escapes; there is no copy of any other.
  /// - Returns: The content.
  func content(in room: TextRoom) -> UnsafeBufferPointer<UInt8> {
    guard first == UInt8(ascii: "\"") else { return self }
    let text = part(1, count &- 1)
    return text.hasBackslash ? text.unescaped(in: room) : text
  }

  /// Whether bytes lie in these.
  fileprivate func holds(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = UInt(bitPattern: part.baseAddress) &- UInt(bitPattern: baseAddress)
    return start <= UInt(count) && UInt(part.count) <= UInt(count) &- start
  }

  /// The content of a string that this engine wrote: only with the escapes that RFC 8259 requires.
  private func unescaped(in room: TextRoom) -> UnsafeBufferPointer<UInt8> {
    let text = room.next()
    var index = 0
    while index < count {
      let byte = self[index]
      index &+= 1
      guard byte == UInt8(ascii: "\\"), index < count else {
        text.append(byte)
        continue
      }
      let escape = self[index]
      index &+= 1
      switch escape {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        // 00 and two digits.
        let digits = String(decoding: part(index, index &+ 4), as: UTF8.self)
        text.append(UInt8(digits, radix: 16) ?? UInt8(ascii: "?"))
        index &+= 4
      default: text.append(escape)
      }
    }
    return text.text
  }
}
