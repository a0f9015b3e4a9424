/// Another form of a value: an array of a text, JSON of a string, a list of an object's members, and the like.
enum Shape: Sendable, Equatable {
  /// From a text to the array of its parts.
  case split(String)
  /// From an array of scalars to one text.
  case joined(String)
  /// From an object of scalars to one text with their values.
  case template(TextTemplate)
  /// From a string to the JSON in it.
  case json
  /// From the query of a URL (`a=1&b=x%20y`) to an object of texts.
  case query
  /// From an array or an object to the number of its parts.
  case count
  /// From an object to an array of objects, each with a key and a value.
  case entries(key: String, value: String)
  /// From such an array to an object.
  case fromEntries(key: String, value: String)
  /// From wrapped values to what they hold.
  case unwrapped(Wrappers)
}

/// A text with places for the values of an object, which are numbered in its order.
package struct TextTemplate: Sendable, Equatable {
  package indirect enum Piece: Sendable, Equatable {
    case text(String)
    case value(Int)
    /// What vanishes as a whole where one of its values is null.
    case optional([Piece])
  }

  /// In explanations.
  let name: String
  let pieces: [Piece]

  /// A text of these pieces, as it is written.
  package init(_ pieces: [Piece], text: String) {
    self.pieces = pieces
    name = "template \(ValueList.text(text))"
  }

  /// So many values with a text between them.
  package init(joining count: Int, with separator: String) {
    pieces = (0..<count).flatMap { number -> [Piece] in
      number == 0 ? [.value(0)] : [.text(separator), .value(number)]
    }
    name = "joined with \(ValueList.text(separator))"
  }

  /// Whether there is a text even if this value is null: all its places are in optional parts.
  func isOptional(_ value: Int) -> Bool { !pieces.contains(.value(value)) }
}

/// Gives a written value another form, by its text.
final class ShapeTransform: OutputTransform, @unchecked Sendable {
  let name: String?
  let hasWayBack: Bool
  let shape: Shape
  private let way: Way
  private let wrappers: Wrappers?
  private let separator: [UInt8]
  /// The separator inside a string that is written.
  private let quotedSeparator: [UInt8]
  private let key: WrittenKey
  private let value: WrittenKey
  private let pieces: [WrittenPiece]
  /// The texts of the pieces, one after the other.
  private let pieceTexts: [UInt8]
  /// One more than the largest number of a value of the template.
  private let valueCount: Int

  // PERF: the shape without its texts, which would be retained for each value.
  private enum Way: BitwiseCopyable {
    case split, joined, template, json, query, count, entries, fromEntries, unwrapped
  }

  /// A piece of a template; its text is as inside a string that is written.
  private enum WrittenPiece: BitwiseCopyable {
    /// A range of `pieceTexts`.
    case text(Int, Int)
    case value(Int)
    /// So many pieces after it vanish where a value of them is null.
    case optional(Int)
  }

  /// The pieces one after the other, and those inside an optional one after it.
  private static func flat(_ pieces: [TextTemplate.Piece], _ texts: inout [UInt8])
    -> [WrittenPiece]
  {
    var all: [WrittenPiece] = []
    for piece in pieces {
      switch piece {
      case .text(let text):
        let start = texts.count
        texts += inside(text)
        all.append(.text(start, texts.count))
      case .value(let number): all.append(.value(number))
      case .optional(let inner):
        let parts = flat(inner, &texts)
        all.append(.optional(parts.count))
        all += parts
      }
    }
    return all
  }

  /// A text inside a string that is written.
  static func inside(_ text: String) -> [UInt8] {
    Array(WrittenKey(text).quoted.dropFirst().dropLast())
  }

  init(_ shape: Shape) {
    self.shape = shape
    var (text, key, value) = ("", "", "")
    var pieces: [TextTemplate.Piece] = []
    let name: String
    let way: Way
    var wrappers: Wrappers?
    switch shape {
    case .split(let separator):
      way = .split
      text = separator
      name = "split at \(ValueList.text(separator))"
    case .joined(let separator):
      way = .joined
      text = separator
      name = "joined with \(ValueList.text(separator))"
    case .template(let template):
      way = .template
      pieces = template.pieces
      name = template.name
    case .json:
      way = .json
      name = "JSON in a string"
    case .query:
      way = .query
      name = "query of a URL"
    case .count:
      way = .count
      name = "count"
    case .entries(let first, let second):
      way = .entries
      (key, value) = (first, second)
      name = "entries \(first), \(second)"
    case .fromEntries(let first, let second):
      way = .fromEntries
      (key, value) = (first, second)
      name = "from entries \(first), \(second)"
    case .unwrapped(let all):
      way = .unwrapped
      wrappers = all
      name = "unwrap \(all.text)"
    }
    self.way = way
    self.wrappers = wrappers
    separator = Array(text.utf8)
    quotedSeparator = Self.inside(text)
    var pieceTexts: [UInt8] = []
    let flat = Self.flat(pieces, &pieceTexts)
    self.pieces = flat
    self.pieceTexts = pieceTexts
    valueCount = flat.reduce(0) { most, piece in
      if case .value(let number) = piece { max(most, number + 1) } else { most }
    }
    self.key = WrittenKey(key)
    self.value = WrittenKey(value)
    self.name = name
    self.hasWayBack =
      switch shape {
      case .count, .template, .query, .unwrapped: false
      case .split, .joined, .json, .entries, .fromEntries: true
      }
  }

  func change(_ written: UnsafeBufferPointer<UInt8>, in room: TransformRoom) throws {
    let output = room.output
    switch way {
    case .split: split(written, in: room)
    case .joined: try join(written, to: output)
    case .template: fill(with: written, to: output)
    case .json:
      try room.json.append(written.content(in: room.texts), to: output)
    case .query: try query(written.content(in: room.texts), to: output)
    case .count:
      var count = 0
      if written.first == UInt8(ascii: "[") {
        count = WrittenValue(written).elementCount
      } else {
        WrittenValue(written).forEachMember { _, _ in count &+= 1 }
      }
      output.append(decimal: UInt64(count))
    case .entries: entries(of: written, to: output)
    case .fromEntries: try object(of: written, to: output)
    case .unwrapped: try wrappers?.unwrap(written, in: room)
    }
  }

  func output(_ source: OutputValue) -> OutputValue {
    let type: OutputType =
      switch shape {
      case .split: .array(OutputValue(.scalar(.string)))
      case .joined, .template: .scalar(.string)
      case .json, .unwrapped: .json
      case .query: .dictionary(OutputValue(.scalar(.string)))
      case .count: .scalar(.int64)
      case .entries: .array(.json)
      case .fromEntries: .dictionary(.json)
      }
    let mayBeNull =
      switch shape {
      case .json, .unwrapped: true
      case .split, .joined, .template, .query, .count, .entries, .fromEntries: source.isNullable
      }
    return OutputValue(type, isNullable: mayBeNull)
  }

  // MARK: Texts and arrays

  private func split(_ written: UnsafeBufferPointer<UInt8>, in room: TransformRoom) {
    let output = room.output
    let text = written.content(in: room.texts)
    // PERF: parts of a string without escapes have none, either.
    let isPlain = text.count &+ 2 == written.count
    output.append(UInt8(ascii: "["))
    if !text.isEmpty {
      text.forEachPart(between: separator) { part, isLast in
        if isPlain {
          output.append(inQuotes: part)
        } else {
          JSONText.append(quoted: part, to: output)
        }
        if !isLast { output.append(UInt8(ascii: ",")) }
        return true
      }
    }
    output.append(UInt8(ascii: "]"))
  }

  /// The members of a query, in its order; a name without a sign of equality has an empty text.
  private func query(_ text: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) throws {
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    var isRefused = false
    func add(_ part: UnsafeBufferPointer<UInt8>) {
      guard let bytes = PercentText.decoded(part, plusIsSpace: true),
        let text = String(validating: bytes, as: UTF8.self)
      else {
        isRefused = true
        return
      }
      JSONText.append(quoted: text, to: output)
    }
    text.forEachPart(between: [UInt8(ascii: "&")]) { member, _ in
      if member.isEmpty { return true }
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      let equals = member.firstIndex(of: UInt8(ascii: "="), from: 0) ?? member.count
      add(member.part(0, equals))
      output.append(UInt8(ascii: ":"))
      add(member.part(min(equals &+ 1, member.count), member.count))
      return true
    }
    if isRefused {
      throw ConversionFailure(expected: "the query of a URL, in percent-encoding that is UTF-8")
    }
    output.append(UInt8(ascii: "}"))
  }

  private func join(_ written: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) throws {
    output.append(UInt8(ascii: "\""))
    var isFirst = true
    try WrittenValue(written).forEachElement { part in
      if !isFirst { output.append(quotedSeparator) }
      isFirst = false
      switch part.first {
      case UInt8(ascii: "\""): output.append(part.part(1, part.count &- 1))
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n"):
        throw ConversionFailure(expected: "elements that are strings, numbers or booleans")
      default: output.append(part)
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Fills the template with the members of an object, whose names are numbers; one that is null may have been left out.
  private func fill(with written: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) {
    withUnsafeTemporaryAllocation(of: UnsafeBufferPointer<UInt8>.self, capacity: valueCount) {
      values in
      // What is null has no bytes here.
      values.initialize(repeating: UnsafeBufferPointer(start: nil, count: 0))
      WrittenValue(written).forEachMember { name, value in
        var number = 0
        for index in 1..<max(name.count &- 1, 1) { number = number &* 10 &+ Int(name[index] & 15) }
        if number < values.count, !WrittenValue(value).isNull { values[number] = value }
      }
      output.append(UInt8(ascii: "\""))
      pieces.withUnsafeBufferPointer { pieces in
        pieceTexts.withUnsafeBufferPointer { texts in
          Self.write(pieces, texts, UnsafeBufferPointer(values), to: output)
        }
      }
      output.append(UInt8(ascii: "\""))
    }
  }

  private static func write(
    _ pieces: UnsafeBufferPointer<WrittenPiece>, _ texts: UnsafeBufferPointer<UInt8>,
    _ values: UnsafeBufferPointer<UnsafeBufferPointer<UInt8>>, to output: OutputBuffer
  ) {
    var index = 0
    while index < pieces.count {
      switch pieces[index] {
      case .text(let start, let end): output.append(texts.part(start, end))
      case .value(let number):
        let value = values[number]
        let isQuoted = value.first == UInt8(ascii: "\"")
        output.append(isQuoted ? value.part(1, value.count &- 1) : value)
      case .optional(let count):
        if !isWhole(pieces, index &+ 1, count, values) { index &+= count }
      }
      index &+= 1
    }
  }

  /// Whether no value of some pieces is null; those of optional ones inside do not count.
  private static func isWhole(
    _ pieces: UnsafeBufferPointer<WrittenPiece>, _ first: Int, _ count: Int,
    _ values: UnsafeBufferPointer<UnsafeBufferPointer<UInt8>>
  ) -> Bool {
    var index = first
    while index < first &+ count {
      switch pieces[index] {
      case .text: break
      case .value(let number): if values[number].isEmpty { return false }
      case .optional(let count): index &+= count
      }
      index &+= 1
    }
    return true
  }

  // MARK: Objects and lists of their members

  private func entries(of written: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) {
    output.append(UInt8(ascii: "["))
    var isFirst = true
    WrittenValue(written).forEachMember { name, text in
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      output.append(UInt8(ascii: "{"))
      output.append(key.quoted)
      output.append(UInt8(ascii: ":"))
      output.append(name)
      output.append(UInt8(ascii: ","))
      output.append(value.quoted)
      output.append(UInt8(ascii: ":"))
      output.append(text)
      output.append(UInt8(ascii: "}"))
    }
    output.append(UInt8(ascii: "]"))
  }

  private func object(of written: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) throws {
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    try WrittenValue(written).forEachElement { element in
      let entry = WrittenValue(element)
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      let name = entry[key]
      switch name.kind {
      case .string: output.append(name.text)
      case .number, .boolean:
        output.append(UInt8(ascii: "\""))
        output.append(name.text)
        output.append(UInt8(ascii: "\""))
      case .null, .object, .array:
        throw ConversionFailure(
          expected: "entries that are objects with a string, number or boolean at "
            + String(decoding: key.quoted, as: UTF8.self))
      }
      output.append(UInt8(ascii: ":"))
      output.append(entry[value].text)
    }
    output.append(UInt8(ascii: "}"))
  }
}

/// Makes an object of the groups of a pattern that have a name.
final class GroupsTransform: OutputTransform, @unchecked Sendable {
  let name: String?
  let hasWayBack: Bool
  /// Where each group is in a text; nil if there is no match.
  ///
  /// A group that took no part has no place.
  typealias Search = @Sendable (UnsafeBufferPointer<UInt8>) -> [Range<Int>?]?

  let groups: [String]
  let find: Search
  private let failure: ConversionFailure

  init(_ groups: [String], name: String, expected: String, _ find: @escaping Search) {
    self.groups = groups
    self.find = find
    failure = ConversionFailure(expected: expected)
    self.name = name
    self.hasWayBack = false
  }

  func output(_ source: OutputValue) -> OutputValue {
    OutputValue(.dictionary(OutputValue(.scalar(.string))), isNullable: source.isNullable)
  }

  func change(_ written: UnsafeBufferPointer<UInt8>, in room: TransformRoom) throws {
    let output = room.output
    let text = written.content(in: room.texts)
    guard let places = find(text) else { throw failure }
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    for (group, place) in zip(groups, places) {
      guard let place else { continue }
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      JSONText.append(quoted: group, to: output)
      output.append(UInt8(ascii: ":"))
      JSONText.append(quoted: text.part(place.lowerBound, place.upperBound), to: output)
    }
    output.append(UInt8(ascii: "}"))
  }
}
