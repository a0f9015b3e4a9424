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

  /// The most elements whose memory is kept for the next list.
  private static let mostKept = 1024

  func change(from start: Int, in room: TransformRoom) throws {
    if room.output.slice(start, start &+ 1).first == UInt8(ascii: "n") { return }
    let output = room.output
    // PERF: the memory of the last list.
    var elements: [Element] = []
    swap(&elements, &room.elements)
    defer {
      elements.removeAll(keepingCapacity: elements.capacity <= Self.mostKept)
      swap(&elements, &room.elements)
    }
    WrittenValue(room.take(from: start)).forEachElement {
      elements.append(Element(text: $0, index: elements.count))
    }
    for operation in operations {
      switch operation {
      case .filter(let test):
        try elements.removeAll { try !test.holds(for: $0.text, at: $0.index) }
      case .values(let path):
        for index in elements.indices {
          elements[index].text = path.value(in: elements[index].text).text
        }
        elements.removeAll { WrittenValue($0.text).isNull }
      case .numbers: try Self.readNumbers(&elements)
      case .flatten: elements = elements.flatMap(Self.parts(of:))
      case .reverse: elements.reverse()
      case .slice(let first, let last): elements = Self.slice(elements, first, last)
      case .sort(let path): elements = try Self.sorted(elements, by: path)
      case .unique(let path):
        var seen: Set<WrittenElements.Key> = []
        elements.removeAll {
          !seen.insert(WrittenElements.Key(path.value(in: $0.text))).inserted
        }
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

  /// What elements are ordered by.
  private enum Rank {
    case number(ExactNumber)
    case text(FormulaValue)
    case missing

    /// Whether this one comes before another; of two kinds there is no order but that what is missing comes last.
    func isBefore(_ other: Rank) -> Bool {
      switch (self, other) {
      case (.number(let a), .number(let b)): a < b
      case (.text(let a), .text(let b)): a.order(toString: b) < 0
      case (.number, .missing), (.text, .missing): true
      case (.missing, _), (.number, .text), (.text, .number): false
      }
    }
  }

  /// The ranks of elements, which are all numbers, or all texts.
  private static func ranks(of elements: [Element], by path: ElementPath?) throws -> [Rank] {
    var hasNumbers = false
    var hasTexts = false
    return try elements.map { element in
      let value = path?.value(in: element.text) ?? WrittenValue(element.text)
      let rank: Rank
      switch value.kind {
      case .null: return .missing
      case .number:
        hasNumbers = true
        guard let number = ExactNumber(String(decoding: value.text, as: UTF8.self)) else {
          return .missing
        }
        rank = .number(number)
      case .string:
        hasTexts = true
        rank = .text(FormulaValue(value.text, at: FormulaColumn()))
      case .boolean, .array, .object:
        throw failure("numbers or texts", Element(text: value.text, index: element.index))
      }
      if hasNumbers, hasTexts {
        throw failure(
          "numbers alone or texts alone", Element(text: value.text, index: element.index))
      }
      return rank
    }
  }

  private static func sorted(_ elements: [Element], by path: ElementPath) throws -> [Element] {
    let ranks = try ranks(of: elements, by: path)
    return elements.indices.sorted { a, b in
      if ranks[a].isBefore(ranks[b]) { return true }
      return ranks[b].isBefore(ranks[a]) ? false : a < b
    }.map { elements[$0] }
  }

  /// The first of the least or of the greatest elements; nil if there is none but null.
  private static func extreme(of elements: [Element], isLeast: Bool) throws -> Element? {
    let ranks = try ranks(of: elements, by: nil)
    var best: Int?
    for index in elements.indices {
      if case .missing = ranks[index] { continue }
      guard let other = best else {
        best = index
        continue
      }
      let isBetter =
        isLeast ? ranks[index].isBefore(ranks[other]) : ranks[other].isBefore(ranks[index])
      if isBetter { best = index }
    }
    return best.map { elements[$0] }
  }
}
