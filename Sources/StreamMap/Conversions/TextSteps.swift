/// Steps that make a text from a text, one after the other, over its UTF-8.
///
/// A step that only leaves out something at an end copies nothing. The work is linear in the texts that the steps make. A step
/// that makes a text longer than ``longest`` fails, so that replacing cannot multiply what a feed sends.
package struct TextSteps: Sendable {
  /// The longest text that a step may make from a shorter one, in bytes.
  static let longest = 16 << 20

  package let steps: [TextStep]
  private let operations: [Operation]

  /// A step with its texts as bytes.
  private enum Operation: Sendable {
    case trim, lower, upper, squeeze
    case replace([UInt8], [UInt8])
    case prefix([UInt8])
    case suffix([UInt8])
    case stripPrefix([UInt8])
    case stripSuffix([UInt8])
    case slice(Int, Int?)
    case part(Int, [UInt8], ConversionFailure)
    case pad(Int, [UInt8], isAtEnd: Bool)
  }

  package init(_ steps: [TextStep]) {
    self.steps = steps
    operations = steps.map { step in
      switch step {
      case .trim: .trim
      case .lower: .lower
      case .upper: .upper
      case .squeeze: .squeeze
      case .replace(let old, let new): .replace(Array(old.utf8), Array(new.utf8))
      case .prefix(let text): .prefix(Array(text.utf8))
      case .suffix(let text): .suffix(Array(text.utf8))
      case .stripPrefix(let text): .stripPrefix(Array(text.utf8))
      case .stripSuffix(let text): .stripSuffix(Array(text.utf8))
      case .slice(let start, let end): .slice(start, end)
      case .part(let index, let text):
        .part(
          index, Array(text.utf8),
          ConversionFailure(
            expected: "a text with a part \(index) between \(ValueList.text(text))"))
      case .pad(let width, let scalar): .pad(width, Array(String(scalar).utf8), isAtEnd: false)
      case .padEnd(let width, let scalar): .pad(width, Array(String(scalar).utf8), isAtEnd: true)
      }
    }
  }

  /// The text after all steps.
  ///
  /// - Parameters:
  ///   - text: Well-formed UTF-8.
  ///   - room: For what is made on the way.
  /// - Returns: A part of the text, or of the room; as long as both are not changed.
  /// - Throws: ``ConversionFailure`` where the text has no such part, or would be too long.
  func applied(to text: UnsafeBufferPointer<UInt8>, in room: TextRoom) throws(ConversionFailure)
    -> UnsafeBufferPointer<UInt8>
  {
    var text = text
    for operation in operations {
      switch operation {
      case .trim: text = text.trimmed
      case .lower: text = Self.cased(text, UInt8(ascii: "A"), room) { $0.lowercased() }
      case .upper: text = Self.cased(text, UInt8(ascii: "a"), room) { $0.uppercased() }
      case .squeeze: text = Self.squeezed(text, room)
      case .replace(let old, let new): text = try Self.replacing(old, with: new, in: text, room)
      case .prefix(let prefix): text = try Self.joined(prefix, text, room, isBefore: true)
      case .suffix(let suffix): text = try Self.joined(suffix, text, room, isBefore: false)
      case .stripPrefix(let prefix):
        if text.starts(with: prefix) { text = text.part(prefix.count, text.count) }
      case .stripSuffix(let suffix):
        let rest = text.count &- suffix.count
        if rest >= 0, text.part(rest, text.count).elementsEqual(suffix) {
          text = text.part(0, rest)
        }
      case .slice(let start, let end): text = Self.slice(text, start, end)
      case .part(let index, let separator, let failure):
        guard let part = Self.part(index, between: separator, of: text) else { throw failure }
        text = part
      case .pad(let width, let scalar, let isAtEnd):
        text = Self.padded(text, width, scalar, isAtEnd: isAtEnd, room)
      }
    }
    return text
  }

  /// The text after all steps, as a string.
  func applied(to text: String) throws(ConversionFailure) -> String {
    var text = text
    let room = TextRoom()
    let result: Result<String, ConversionFailure> = text.withUTF8 { bytes in
      do throws(ConversionFailure) {
        return .success(String(decoding: try applied(to: bytes, in: room), as: UTF8.self))
      } catch {
        return .failure(error)
      }
    }
    // What is made lies in the room until here.
    withExtendedLifetime(room) {}
    return try result.get()
  }

  // MARK: Case

  /// The text in another case; `first` is the first letter of ASCII that changes.
  private static func cased(
    _ text: UnsafeBufferPointer<UInt8>, _ first: UInt8, _ room: TextRoom,
    _ change: (String) -> String
  ) -> UnsafeBufferPointer<UInt8> {
    var found = UInt8(0)
    for byte in text { found |= byte & 0x80 | (byte &- first < 26 ? 1 : 0) }
    if found == 0 { return text }
    let changed = room.next()
    if found & 0x80 != 0 {
      changed.append(Array(change(String(decoding: text, as: UTF8.self)).utf8))
    } else {
      changed.append(text)
      changed.flip(from: first)
    }
    return changed.text
  }

  // MARK: White space

  private static func squeezed(_ text: UnsafeBufferPointer<UInt8>, _ room: TextRoom)
    -> UnsafeBufferPointer<UInt8>
  {
    let changed = room.next()
    var index = 0
    var isInside = false
    while index < text.count {
      let space = text.whiteSpace(at: index)
      if space == 0 {
        changed.append(text[index])
        index &+= 1
        isInside = false
      } else {
        if !isInside { changed.append(UInt8(ascii: " ")) }
        isInside = true
        index &+= space
      }
    }
    return changed.text
  }

  // MARK: Parts

  private static func replacing(
    _ old: [UInt8], with new: [UInt8], in text: UnsafeBufferPointer<UInt8>, _ room: TextRoom
  ) throws(ConversionFailure) -> UnsafeBufferPointer<UInt8> {
    guard var found = text.firstOccurrence(of: old, from: 0) else { return text }
    let changed = room.next()
    var rest = 0
    while true {
      changed.append(text.part(rest, found))
      changed.append(new)
      if changed.count > max(longest, text.count) { throw tooLong }
      rest = found &+ old.count
      guard let next = text.firstOccurrence(of: old, from: rest) else { break }
      found = next
    }
    changed.append(text.part(rest, text.count))
    if changed.count > max(longest, text.count) { throw tooLong }
    return changed.text
  }

  private static var tooLong: ConversionFailure {
    ConversionFailure(
      expected: "a text that steps make no longer than \(longest) bytes", code: .limitExceeded)
  }

  private static func joined(
    _ part: [UInt8], _ text: UnsafeBufferPointer<UInt8>, _ room: TextRoom, isBefore: Bool
  ) throws(ConversionFailure) -> UnsafeBufferPointer<UInt8> {
    if text.count &+ part.count > max(longest, text.count) { throw tooLong }
    let changed = room.next()
    if isBefore { changed.append(part) }
    changed.append(text)
    if !isBefore { changed.append(part) }
    return changed.text
  }

  private static func slice(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int?)
    -> UnsafeBufferPointer<UInt8>
  {
    let first = text.offset(ofScalar: start)
    let last = end.map { text.offset(ofScalar: $0) } ?? text.count
    return text.part(first, max(first, last))
  }

  private static func part(
    _ index: Int, between separator: [UInt8], of text: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8>? {
    var left = index
    if index < 0 {
      var count = 1
      text.forEachPart(between: separator) { _, isLast in
        if !isLast { count &+= 1 }
        return true
      }
      left = count + index
      if left < 0 { return nil }
    }
    var found: UnsafeBufferPointer<UInt8>?
    text.forEachPart(between: separator) { part, _ in
      if left == 0 { found = part }
      left &-= 1
      return found == nil
    }
    return found
  }

  private static func padded(
    _ text: UnsafeBufferPointer<UInt8>, _ width: Int, _ scalar: [UInt8], isAtEnd: Bool,
    _ room: TextRoom
  ) -> UnsafeBufferPointer<UInt8> {
    let missing = width - text.scalarCount
    if missing <= 0 { return text }
    let changed = room.next()
    if isAtEnd { changed.append(text) }
    for _ in 0..<missing { changed.append(scalar) }
    if !isAtEnd { changed.append(text) }
    return changed.text
  }
}

extension TextRoom.Bytes {
  /// Changes the case of the letters of ASCII, the first of which is this one.
  fileprivate func flip(from first: UInt8) {
    let bytes = UnsafeMutableBufferPointer(mutating: text)
    for index in bytes.indices where bytes[index] &- first < 26 { bytes[index] ^= 0x20 }
  }
}
