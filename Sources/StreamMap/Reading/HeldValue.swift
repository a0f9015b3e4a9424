/// A value of a feed that is held as a whole, until it is known what of it a path selects.
///
/// Its tokens, and its text as it stands in the feed, without what reading has left out between its pieces.
///
/// Not thread-safe.
final class HeldValue {
  private let tokens = HeldRoom<FeedToken>()
  private let bytes = HeldRoom<UInt8>()
  /// For each token that opens a container: the one that closes it; for any other one, itself.
  private let closings = HeldRoom<Int32>()
  /// Where the value starts in the feed.
  private var start: UInt64 = 0
  /// The most bytes of its text.
  private let limit: Int
  /// Whether it had more: then it has nothing.
  private(set) var isTooLarge = false
  // For the work: the containers that are open, and the text of a part.
  private let open = HeldRoom<Int>()
  private let json = HeldRoom<UInt8>()

  init(limit: Int) {
    // The tokens are numbered by 32 bits.
    self.limit = min(limit, 1 << 30)
  }

  /// Adds the next part of the value.
  func add(_ chunk: RecordChunk) {
    guard let first = chunk.tokens.first, let last = chunk.tokens.last, !isTooLarge else { return }
    let known = tokens.count
    if known == 0 { start = first.start }
    let end = Int(clamping: last.end &- start)
    if end > limit {
      clear()
      isTooLarge = true
      return
    }
    bytes.grow(to: end)
    tokens.append(chunk.tokens)
    switch chunk {
    case .index(let index):
      place(index.joined, at: first.start)
      if let stretch = index.stretch { place(stretch.bytes, at: stretch.offset) }
      separate(known)
      if !index.joined.isEmpty { separate(known + 1) }
    case .text(let text):
      place(text)
      for number in known..<tokens.count { separate(number) }
    }
  }

  /// Puts what is left out before a token in its place: who copies the text copies what is between two tokens, and who counts its lines finds
  /// each token on its own.
  private func separate(_ number: Int) {
    guard number > 0, number < tokens.count, tokens[number].start > tokens[number - 1].end else {
      return
    }
    let (before, token) = (tokens[number - 1], tokens[number])
    // In the feed, too, there are as many line feeds between them, the last one before the token's line.
    var place = Int(clamping: before.end &- start)
    if token.line > before.line {
      let last = Int(clamping: token.lineStart &- start) - 1
      for _ in 1..<Int(clamping: token.line &- before.line) {
        bytes[place] = UInt8(ascii: "\n")
        place += 1
      }
      bytes[last] = UInt8(ascii: "\n")
      if place == last { place += 1 }
    }
    if before.isKey {
      bytes[place] = UInt8(ascii: ":")
    } else if needsComma(number, after: 0) {
      bytes[place] = UInt8(ascii: ",")
    }
  }

  private func place(_ text: UnsafeBufferPointer<UInt8>, at offset: UInt64) {
    bytes.place(text, at: Int(clamping: offset &- start))
  }

  /// Takes JSON text apart: its tokens are written as in the feed, with nothing but commas and colons between them.
  private func place(_ text: RecordChunk.Text) {
    var next = 0
    for token in text.tokens {
      while next < text.json.count, Self.separates(text.json[next]) { next += 1 }
      let end = min(next + token.length, text.json.count)
      place(UnsafeBufferPointer(rebasing: text.json[next..<end]), at: token.start)
      next = end
    }
  }

  private static func separates(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
  }

  /// Begins with a value as this engine writes it, without white space; what adds its tokens says that it is whole.
  ///
  /// - Returns: Whether it is not too large for that.
  func begin(_ written: UnsafeBufferPointer<UInt8>) -> Bool {
    clear()
    start = 0
    if written.count > limit { return false }
    bytes.append(written)
    return true
  }

  /// Takes the value of a row, which is whole and finished then; its tokens are counted from its start.
  ///
  /// - Returns: Whether it is not too large for that, and its tokens are known.
  func begin(_ row: RecordRow) -> Bool {
    clear()
    let place = row.place
    guard row.length <= limit, let index = row.index(of: place) else { return false }
    start = 0
    let first = Int(place.start)
    let text = row.text
    bytes.append(UnsafeBufferPointer(start: text + first, count: row.length))
    open.clear()
    var entry = index
    var number = 0
    while entry.pointee < place.end {
      let start = Int(entry.pointee)
      var (end, isKey) = (start + 1, false)
      switch text[start] {
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        entry += 1
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        entry += 1
        open.append(number)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        entry += 1
        if let opening = open.removeLast() {
          closings[opening] = Int32(truncatingIfNeeded: number)
        }
      case UInt8(ascii: "\""):
        // Both quotes have entries.
        end = Int(entry[1]) + 1
        entry += 2
        isKey = text[Int(entry.pointee)] == UInt8(ascii: ":")
      default:
        entry += 1
        end = Int(entry.pointee)
        while end > start, text[end - 1] <= UInt8(ascii: " ") { end -= 1 }
      }
      tokens.append(FeedToken(start - first..<end - first, isKey: isKey))
      closings.append(Int32(truncatingIfNeeded: number))
      number += 1
    }
    return true
  }

  /// Adds the next token of a value that was written.
  func addToken(_ range: Range<Int>, isKey: Bool) {
    tokens.append(FeedToken(range, isKey: isKey))
  }

  /// The text of a value that was written, with all that is in it.
  func written(_ number: Int) -> UnsafeBufferPointer<UInt8> {
    let (first, last) = (tokens[number], tokens[last(of: number)])
    return bytes.slice(Int(clamping: first.start), Int(clamping: last.end &- first.start))
  }

  /// Says that the value is whole.
  func finish() {
    open.clear()
    for number in 0..<tokens.count {
      closings.append(Int32(truncatingIfNeeded: number))
      switch kind(number) {
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(number)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if let opening = open.removeLast() {
          closings[opening] = Int32(truncatingIfNeeded: number)
        }
      default: break
      }
    }
  }

  /// Lets the value go; large memory is given back.
  func clear() {
    tokens.clear()
    bytes.clear()
    closings.clear()
    json.clear()
    isTooLarge = false
  }

  // MARK: All of it

  /// All that was added, as reading hands it over; valid until more is added.
  var chunk: RecordChunk { .index(index(of: tokens.slice(0, tokens.count))) }

  private func index(of tokens: UnsafeBufferPointer<FeedToken>) -> RecordChunk.Index {
    let origin = UInt(bitPattern: bytes.base) &- UInt(truncatingIfNeeded: start)
    return RecordChunk.Index(tokens: tokens, origin: origin, joined: json.slice(0, 0))
  }

  // MARK: Values by the number of their first token; the value itself is number 0

  func token(_ number: Int) -> FeedToken { tokens[number] }

  /// The text of a token.
  func text(_ number: Int) -> UnsafeBufferPointer<UInt8> {
    let token = tokens[number]
    return bytes.slice(Int(clamping: token.start &- start), token.length)
  }

  /// The first byte of a token, which tells its kind.
  func kind(_ number: Int) -> UInt8 { bytes[Int(clamping: tokens[number].start &- start)] }

  func isObject(_ number: Int) -> Bool { kind(number) == UInt8(ascii: "{") }
  func isArray(_ number: Int) -> Bool { kind(number) == UInt8(ascii: "[") }
  private func opens(_ number: Int) -> Bool { isObject(number) || isArray(number) }
  private func closes(_ number: Int) -> Bool {
    kind(number) == UInt8(ascii: "}") || kind(number) == UInt8(ascii: "]")
  }

  /// The last token of a value.
  func last(of number: Int) -> Int { Int(closings[number]) }

  /// A key as it is written, without its quotes.
  func key(_ number: Int) -> UnsafeBufferPointer<UInt8> { Token.inside(text(number)) }

  /// Where a value is.
  func address(of number: Int) -> FeedToken {
    let (first, last) = (tokens[number], tokens[last(of: number)])
    return FeedToken(
      start: first.start, end: last.end, line: first.line, lineStart: first.lineStart)
  }

  /// A value as reading hands records over; valid until the next one is asked for.
  func chunk(of number: Int, asText: Bool) -> RecordChunk {
    let numbers = number...last(of: number)
    let tokens = tokens.slice(number, numbers.count)
    if !asText { return .index(index(of: tokens)) }
    json.clear()
    for number in numbers {
      if needsComma(number, after: numbers.lowerBound) { json.append(UInt8(ascii: ",")) }
      json.append(text(number))
      if self.tokens[number].isKey { json.append(UInt8(ascii: ":")) }
    }
    return .text(RecordChunk.Text(json: json.slice(0, json.count), tokens: tokens))
  }

  private func needsComma(_ number: Int, after first: Int) -> Bool {
    number > first && !closes(number) && !opens(number - 1) && !tokens[number - 1].isKey
  }
}

/// Memory that stays where it is while it is not added to.
///
/// Invariant: the first `count` elements are initialised. What is outside them is not read.
private final class HeldRoom<Element: BitwiseCopyable> {
  // PERF: one reader has it, so there is nothing for the runtime to check.
  @exclusivity(unchecked) private var elements =
    UnsafeMutableBufferPointer<Element>.allocate(capacity: 256)
  @exclusivity(unchecked) private(set) var count = 0

  deinit { elements.deallocate() }

  var base: UnsafeMutablePointer<Element>? { elements.baseAddress }

  subscript(_ index: Int) -> Element {
    get { elements[..<count][index] }
    set { elements[..<count][index] = newValue }
  }

  func slice(_ start: Int, _ length: Int) -> UnsafeBufferPointer<Element> {
    let all = UnsafeBufferPointer(rebasing: elements[..<count])
    guard start >= 0, length >= 0, start <= count - length else {
      return UnsafeBufferPointer(rebasing: all[..<0])
    }
    return UnsafeBufferPointer(rebasing: all[start..<start + length])
  }

  private func reserve(_ needed: Int) {
    guard needed > elements.count else { return }
    let larger = UnsafeMutableBufferPointer<Element>.allocate(
      capacity: max(needed, elements.count * 2))
    _ = larger.update(fromContentsOf: elements[..<count])
    elements.deallocate()
    elements = larger
  }

  func append(_ element: Element) {
    reserve(count + 1)
    elements[count] = element
    count += 1
  }

  func append(_ more: UnsafeBufferPointer<Element>) {
    reserve(count + more.count)
    _ = elements[count...].update(fromContentsOf: more)
    count += more.count
  }

  func removeLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return elements[count]
  }

  func clear() {
    count = 0
    if elements.count > 64 << 10 {
      elements.deallocate()
      elements = .allocate(capacity: 256)
    }
  }
}

extension HeldRoom where Element == UInt8 {
  /// Makes room for so many bytes; those that are not placed are spaces.
  func grow(to size: Int) {
    guard size > count else { return }
    reserve(size)
    elements[count..<size].update(repeating: UInt8(ascii: " "))
    count = size
  }

  func place(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
    guard index >= 0, index <= count - bytes.count else { return }
    _ = elements[index...].update(fromContentsOf: bytes)
  }
}
