/// Steps that make a text from a text, one after the other, over its UTF-8.
///
/// A step that only leaves out something at an end copies nothing. The work is linear in the texts that the steps make. A step
/// that makes a text longer than ``longest`` fails, so that replacing cannot multiply what a feed sends.
package struct TextSteps: Sendable {
  /// The longest text that a step may make from a shorter one, in bytes.
  package static let longest = 16 << 20

  package let steps: [TextStep]
  // PERF: plain words, so that no references are counted for a text.
  private let operations: FlatMemory<Operation>
  private let functions: [TextFunction]

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  /// A step with its texts as bytes, which live as long as the operations.
  private enum Operation: BitwiseCopyable {
    case trim, lower, upper, squeeze
    case replaceByte(UInt8, UInt8)
    case replace(Bytes, Bytes)
    case prefix(Bytes)
    case suffix(Bytes)
    case stripPrefix(Bytes)
    case stripSuffix(Bytes)
    case slice(Int, Int?)
    case part(Int, Bytes)
    case pad(Int, Bytes, isAtEnd: Bool)
    /// By its number.
    case function(Int)
  }

  /// Words in memory of their own, and texts that they refer to.
  // Invariant: written only while it is made.
  private final class FlatMemory<Element: BitwiseCopyable>: @unchecked Sendable {
    private(set) var elements = UnsafeMutableBufferPointer<Element>(start: nil, count: 0)
    private var texts: [UnsafeMutableBufferPointer<UInt8>] = []

    func keep(_ text: String) -> Bytes {
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
      _ = bytes.initialize(from: text.utf8)
      texts.append(bytes)
      return Bytes(bytes)
    }

    func fill(_ elements: [Element]) {
      self.elements = .allocate(capacity: elements.count)
      _ = self.elements.initialize(from: elements)
    }

    deinit {
      elements.deallocate()
      for text in texts { text.deallocate() }
    }
  }

  package init(_ steps: [TextStep]) {
    self.steps = steps
    let memory = FlatMemory<Operation>()
    var functions: [TextFunction] = []
    memory.fill(
      steps.map { step in
        switch step {
        case .trim: .trim
        case .lower: .lower
        case .upper: .upper
        case .squeeze: .squeeze
        case .replace(let old, let new): Self.replacement(memory.keep(old), memory.keep(new))
        case .prefix(let text): .prefix(memory.keep(text))
        case .suffix(let text): .suffix(memory.keep(text))
        case .stripPrefix(let text): .stripPrefix(memory.keep(text))
        case .stripSuffix(let text): .stripSuffix(memory.keep(text))
        case .slice(let start, let end): .slice(start, end)
        case .part(let index, let text): .part(index, memory.keep(text))
        case .pad(let width, let scalar): .pad(width, memory.keep("\(scalar)"), isAtEnd: false)
        case .padEnd(let width, let scalar): .pad(width, memory.keep("\(scalar)"), isAtEnd: true)
        case .function(let function): Self.call(function, &functions)
        }
      })
    self.functions = functions
    operations = memory
  }

  private static func call(_ function: TextFunction, _ functions: inout [TextFunction])
    -> Operation
  {
    functions.append(function)
    return .function(functions.count - 1)
  }

  private static func replacement(_ old: Bytes, _ new: Bytes) -> Operation {
    if old.count == 1, new.count == 1, let old = old.first, let new = new.first {
      return .replaceByte(old, new)
    }
    return .replace(old, new)
  }

  /// The text after all steps.
  ///
  /// - Parameters:
  ///   - text: Well-formed UTF-8.
  ///   - room: For what is made on the way.
  /// - Returns: A part of the text, or of the room; as long as both are not changed.
  /// - Throws: ``ConversionFailure`` if the text has no such part, or would be too long.
  func applied(to text: UnsafeBufferPointer<UInt8>, in room: TextRoom) throws(ConversionFailure)
    -> UnsafeBufferPointer<UInt8>
  {
    var text = text
    for index in operations.elements.indices {
      switch operations.elements[index] {
      case .trim: text = text.trimmed
      case .lower: text = Self.cased(text, UInt8(ascii: "A"), room, LowerCase.text)
      case .upper: text = Self.cased(text, UInt8(ascii: "a"), room) { $0.uppercased() }
      case .squeeze: text = Self.squeezed(text, room)
      case .replaceByte(let old, let new): text = Self.replacing(old, with: new, in: text, room)
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
      case .part(let number, let separator):
        guard let part = Self.part(number, between: separator, of: text) else {
          throw Self.failure(number, between: separator)
        }
        text = part
      case .pad(let width, let scalar, let isAtEnd):
        text = Self.padded(text, width, scalar, isAtEnd: isAtEnd, room)
      case .function(let number):
        let changed = try functions[number].change(text, room)
        if changed.count > max(Self.longest, text.count) { throw Self.tooLong }
        text = changed
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

  private static func failure(_ number: Int, between separator: Bytes) -> ConversionFailure {
    let separator = ValueList.text(String(decoding: separator, as: UTF8.self))
    return ConversionFailure(expected: "a text with a part \(number) between \(separator)")
  }

  /// The text in another case; `first` is the first letter of ASCII that changes.
  private static func cased(
    _ text: UnsafeBufferPointer<UInt8>, _ first: UInt8, _ room: TextRoom,
    _ change: (String) -> String
  ) -> UnsafeBufferPointer<UInt8> {
    let changed = room.next()
    var others = UInt64(0)
    changeWords(of: text, to: changed) { word in
      let places = word.places(ofLettersFrom: first)
      others |= word.outsideASCII
      // This is the bit in which a small letter differs from its capital.
      return word.word ^ places &>> 2
    }
    if others == 0 { return changed.text }
    // The text may lie in the buffer that comes next.
    let result = change(String(decoding: text, as: UTF8.self))
    let longer = room.next()
    longer.append(Array(result.utf8))
    return longer.text
  }

  /// Writes a text with each byte changed by itself, eight at a time; some are given more than once.
  @inline(__always)
  private static func changeWords(
    of text: Bytes, to changed: TextRoom.Bytes, _ change: (EightBytes) -> UInt64
  ) {
    guard let base = text.baseAddress else { return }
    let source = UnsafeRawPointer(base)
    let count = text.count
    changed.append(count) { room in
      let target = UnsafeMutableRawPointer(room)
      if count < 8 {
        // The bytes of a word of their own; a space is after them.
        var bytes: UInt64 = 0x2020_2020_2020_2020
        withUnsafeMutableBytes(of: &bytes) { bytes in
          bytes.copyMemory(from: UnsafeRawBufferPointer(start: source, count: count))
          let word = change(EightBytes(at: UnsafeRawPointer(bytes.baseAddress ?? target)))
          bytes.storeBytes(of: word.littleEndian, as: UInt64.self)
          target.copyMemory(from: bytes.baseAddress ?? target, byteCount: count)
        }
        return
      }
      var index = 0
      repeat {
        let here = min(index, count &- 8)
        target.storeBytes(
          of: change(EightBytes(at: source + here)).littleEndian, toByteOffset: here,
          as: UInt64.self)
        index &+= 8
      } while index < count
    }
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

  /// The text with another byte for each that is the first one.
  private static func replacing(
    _ old: UInt8, with new: UInt8, in text: Bytes, _ room: TextRoom
  ) -> Bytes {
    let changed = room.next()
    changeWords(of: text, to: changed) { word in
      word.word ^ (word.places(of: old) &>> 7) &* UInt64(old ^ new)
    }
    return changed.text
  }

  private static func replacing(
    _ old: Bytes, with new: Bytes, in text: UnsafeBufferPointer<UInt8>, _ room: TextRoom
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
    _ part: Bytes, _ text: UnsafeBufferPointer<UInt8>, _ room: TextRoom, isBefore: Bool
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
    _ index: Int, between separator: Bytes, of text: UnsafeBufferPointer<UInt8>
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
    _ text: UnsafeBufferPointer<UInt8>, _ width: Int, _ scalar: Bytes, isAtEnd: Bool,
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
