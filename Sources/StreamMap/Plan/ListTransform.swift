/// Takes steps on the elements of a written array, over their texts.
///
/// The work is linear in the text for each step, but for `sort`, which compares as often as sorting takes.
final class ListTransform: OutputTransform, @unchecked Sendable {
  let name: String?
  var hasWayBack: Bool { false }
  let operations: [ListOperation]

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  /// An element, and its index in the array that came.
  struct Element: BitwiseCopyable {
    fileprivate var text: UnsafeBufferPointer<UInt8>
    fileprivate let index: Int
  }

  init(_ operations: [ListOperation]) {
    self.operations = operations
    name = "list: " + operations.map(\.name).joined(separator: ", ")
  }

  func output(_ source: OutputValue) -> OutputValue {
    var value = operations.last?.output ?? source
    if source.isNullable { value.isNullable = true }
    return value
  }

  // MARK: Steps

  func change(_ written: UnsafeBufferPointer<UInt8>, in room: TransformRoom) throws {
    let output = room.output
    // PERF: the memory of the last list.
    var elements: [Element] = []
    swap(&elements, &room.elements)
    defer {
      elements.removeAll(keepingCapacity: elements.capacity <= TransformRoom.mostKept)
      swap(&elements, &room.elements)
    }
    WrittenValue(written).forEachElement {
      elements.append(Element(text: $0, index: elements.count))
    }
    for operation in operations {
      switch operation {
      case .filter(let test):
        try elements.keep { try test.holds(for: $0.text, at: $0.index) }
      case .values(let path):
        elements.keep {
          $0.text = path.value(in: $0.text).text
          return !WrittenValue($0.text).isNull
        }
      case .numbers: try Self.readNumbers(&elements)
      case .flatten: elements = elements.flatMap(Self.parts(of:))
      case .reverse: elements.reverse()
      case .slice(let first, let last): elements = Self.slice(elements, first, last)
      case .sort(let path): try Self.sort(&elements, by: path)
      case .unique(let path):
        var seen: Set<WrittenElements.Key> = []
        elements.keep { seen.insert(WrittenElements.Key(path.value(in: $0.text))).inserted }
      case .element(let index):
        let place = index < 0 ? elements.count + index : index
        return output.append(
          elements.indices.contains(place) ? elements[place].text : WrittenValue.null.text)
      case .count: return output.append(decimal: UInt64(elements.count))
      case .sum: return Self.write(try Self.sum(of: elements), to: output)
      case .mean: return try Self.writeMean(of: elements, to: output)
      case .extreme(let isLeast):
        let element = try Self.extreme(of: elements, isLeast: isLeast)
        return output.append(element?.text ?? WrittenValue.null.text)
      case .utf8: return JSONText.append(quoted: try Self.text(of: elements), to: output)
      case .any(let test):
        let holds = try elements.contains { try test.holds(for: $0.text, at: $0.index) }
        return output.append(holds ? "true" : "false")
      case .all(let test):
        let holds = try elements.allSatisfy { try test.holds(for: $0.text, at: $0.index) }
        return output.append(holds ? "true" : "false")
      }
    }
    output.append(UInt8(ascii: "["))
    for (number, element) in elements.enumerated() {
      if number > 0 { output.append(UInt8(ascii: ",")) }
      output.append(element.text)
    }
    output.append(UInt8(ascii: "]"))
  }

  private static func parts(of element: Element) -> [Element] {
    guard element.text.first == UInt8(ascii: "[") else { return [element] }
    var parts: [Element] = []
    WrittenValue(element.text).forEachElement {
      parts.append(Element(text: $0, index: element.index))
    }
    return parts
  }

  private static func slice(_ elements: [Element], _ first: Int, _ last: Int?) -> [Element] {
    func place(_ index: Int) -> Int {
      max(0, min(index < 0 ? elements.count + index : index, elements.count))
    }
    let (start, end) = (place(first), last.map(place) ?? elements.count)
    return start < end ? Array(elements[start..<end]) : []
  }

  /// The text whose bytes the elements are.
  private static func text(of elements: [Element]) throws -> String {
    let bytes = try elements.map { element -> UInt8 in
      guard WrittenValue(element.text).isNumber,
        case .value(let byte) = NumberText.integer(element.text, as: UInt8.self)
      else { throw failure("whole numbers from 0 to 255", element) }
      return byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Numbers

  private static func failure(_ expected: String, _ element: Element) -> ConversionFailure {
    let kind = WrittenValue(element.text).kind.phrase
    return ConversionFailure(expected: "\(expected); the element [\(element.index)] is \(kind)")
  }

  private static func readNumbers(_ elements: inout [Element]) throws {
    for index in elements.indices {
      let value = WrittenValue(elements[index].text)
      if value.isNull || value.isNumber { continue }
      let text = elements[index].text
      let inside = text.part(1, max(text.count &- 1, 1))
      guard value.kind == .string, NumberText.isNumber(inside) else {
        throw failure("numbers, or texts that are numbers", elements[index])
      }
      elements[index].text = inside
    }
  }

  /// The number of an element; nil for null.
  private static func number(_ element: Element) throws -> ExactDecimal? {
    let value = WrittenValue(element.text)
    if value.isNull { return nil }
    guard value.isNumber else { throw failure("numbers", element) }
    guard let number = ExactDecimal(element.text) else { throw tooLarge }
    return number
  }

  private static var tooLarge: ConversionFailure {
    ConversionFailure(
      expected: "numbers of at most 38 digits, whose sum has no more", code: .numberOutOfRange)
  }

  private static func sum(of elements: [Element]) throws -> ExactDecimal {
    try elements.reduce(ExactDecimal.zero) { sum, element in
      guard let number = try number(element) else { return sum }
      guard let sum = sum.adding(number) else { throw tooLarge }
      return sum
    }
  }

  private static func writeMean(of elements: [Element], to output: OutputBuffer) throws {
    let numbers = elements.filter { !WrittenValue($0.text).isNull }
    if numbers.isEmpty { return output.append(WrittenValue.null.text) }
    let sum = try sum(of: numbers)
    guard let mean = sum.divided(by: ExactDecimal(numbers.count)) else { throw tooLarge }
    write(mean, to: output)
  }

  private static func write(_ number: ExactDecimal, to output: OutputBuffer) {
    output.append(upTo: ExactDecimal.capacity) { number.write(into: $0) }
  }

  // MARK: Order

  /// An element, and what it is ordered by.
  private struct Ranked: BitwiseCopyable {
    // PERF: flat, since sorting copies it again and again.
    enum Kind: UInt8, BitwiseCopyable {
      case number
      /// It has more digits, or a larger exponent, than `number` keeps.
      case longNumber
      case text
      case missing
    }

    let element: Element
    let position: Int
    let rank: Bytes
    var kind = Kind.missing
    var number = ExactDecimal.zero

    init(_ element: Element, at position: Int, by value: WrittenValue) {
      self.element = element
      self.position = position
      rank = value.text
      switch value.kind {
      case .number:
        let number = ExactDecimal(rank)
        kind = number == nil ? .longNumber : .number
        self.number = number ?? .zero
      case .string: kind = .text
      case .boolean, .null, .array, .object: break
      }
    }

    /// Whether this one comes before another; of two kinds there is no order but that what is missing comes last.
    func isBefore(_ other: Ranked) -> Bool {
      switch (kind, other.kind) {
      case (.number, .number): number.order(to: other.number) < 0
      case (.number, .longNumber), (.longNumber, .number), (.longNumber, .longNumber):
        ExactNumber.order(of: rank, to: other.rank) < 0
      case (.text, .text):
        FormulaValue(rank, at: FormulaColumn())
          .order(toString: FormulaValue(other.rank, at: FormulaColumn())) < 0
      case (.number, .missing), (.longNumber, .missing), (.text, .missing): true
      case (.missing, _), (.number, .text), (.longNumber, .text), (.text, .number),
        (.text, .longNumber):
        false
      }
    }
  }

  /// The elements with what they are ordered by: all numbers, or all texts.
  private static func ranked(_ elements: [Element], by path: ElementPath?) throws -> [Ranked] {
    var hasNumbers = false
    var hasTexts = false
    var ranked: [Ranked] = []
    ranked.reserveCapacity(elements.count)
    for (position, element) in elements.enumerated() {
      let value = path?.value(in: element.text) ?? WrittenValue(element.text)
      func failure(_ expected: String) -> ConversionFailure {
        Self.failure(expected, Element(text: value.text, index: element.index))
      }
      switch value.kind {
      case .null: break
      case .number: hasNumbers = true
      case .string: hasTexts = true
      case .boolean, .array, .object: throw failure("numbers or texts")
      }
      if hasNumbers, hasTexts { throw failure("numbers alone or texts alone") }
      ranked.append(Ranked(element, at: position, by: value))
    }
    return ranked
  }

  private static func sort(_ elements: inout [Element], by path: ElementPath) throws {
    var ranked = try ranked(elements, by: path)
    if ranked.count < 2 { return }
    ranked.sort { a, b in
      if a.isBefore(b) { return true }
      return b.isBefore(a) ? false : a.position < b.position
    }
    for (index, element) in ranked.enumerated() { elements[index] = element.element }
  }

  /// The first of the least or of the greatest elements; nil if there is none but null.
  private static func extreme(of elements: [Element], isLeast: Bool) throws -> Element? {
    var best: Ranked?
    for element in try ranked(elements, by: nil) where element.kind != .missing {
      guard let other = best else {
        best = element
        continue
      }
      if isLeast ? element.isBefore(other) : other.isBefore(element) { best = element }
    }
    return best?.element
  }
}

extension [ListTransform.Element] {
  /// Keeps the elements for which `holds` is true, which may change them.
  fileprivate mutating func keep(
    _ holds: (inout ListTransform.Element) throws -> Bool
  ) rethrows {
    var kept = 0
    for index in indices where try holds(&self[index]) {
      if kept < index { self[kept] = self[index] }
      kept += 1
    }
    if kept < count { removeLast(count - kept) }
  }
}
