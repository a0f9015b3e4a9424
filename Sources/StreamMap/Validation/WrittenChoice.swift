/// A set of allowed values.
final class WrittenChoice: Sendable {
  /// The numbers, in order, each once.
  private let numbers: [ExactNumber]
  /// Strings, booleans and null, as they are written.
  private let texts: KeyTable
  private let containers: Set<UnifiedText>
  /// The text for “expected …”.
  let limit: String

  init(_ values: [JSONValue]) {
    var numbers: [ExactNumber] = []
    var texts: [String] = []
    var containers: Set<UnifiedText> = []
    var words: [String] = []
    for value in values {
      switch value {
      case .number(let text):
        if let number = ExactNumber(text) { numbers.append(number) }
        words.append(text)
      case .array, .object:
        containers.insert(UnifiedText(value))
        words.append(value.description)
      case .string(let text):
        texts.append(value.description)
        words.append(ValueList.text(text))
      case .null, .bool:
        texts.append(value.description)
        words.append(value.description)
      }
    }
    self.numbers = Set(numbers).sorted()
    var known: Set<ExactText> = []
    self.texts = KeyTable(
      texts.filter { known.insert(ExactText($0)).inserted }.enumerated().map { ($1, Int32($0)) })
    self.containers = containers
    limit = ValueList.text(oneOf: words.map { Word(description: $0) })
  }

  /// A word that is listed without quotes.
  private struct Word: CustomStringConvertible {
    let description: String
  }

  func contains(_ value: WrittenValue) -> Bool {
    if value.isNumber { return containsNumber(value.text) }
    switch value.kind {
    case .number, .string, .boolean, .null:
      var noGuess = Int32.max
      return texts.find(value.text, guess: &noGuess) != KeyTable.absent
    case .array, .object: return !containers.isEmpty && containers.contains(UnifiedText(value))
    }
  }

  private func containsNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var (first, end) = (0, numbers.count)
    while first < end {
      let middle = (first + end) / 2
      let order = numbers[middle].order(of: text)
      if order == 0 { return true }
      if order < 0 { end = middle } else { first = middle + 1 }
    }
    return false
  }
}

/// Compares the elements of an array with each other.
enum WrittenElements {
  /// Up to this many elements are compared one by one, which is less work than hashing them.
  private static let few = 8

  /// - Complexity: O(*n*) in the text, on average.
  static func allDiffer(in array: WrittenValue) -> Bool {
    if let differ = fewDiffer(in: array) { return differ }
    var seen: Set<Key> = []
    var differ = true
    array.forEachElement { element in
      if differ { differ = seen.insert(Key(WrittenValue(element))).inserted }
    }
    return differ
  }

  /// Nil if there are more elements, or elements that have to be examined more closely.
  private static func fewDiffer(in array: WrittenValue) -> Bool? {
    withUnsafeTemporaryAllocation(of: UnsafeBufferPointer<UInt8>.self, capacity: few) { seen in
      var count = 0
      var answer: Bool? = true
      array.forEachElement { element in
        guard answer == true else { return }
        guard count < few, element.first != UInt8(ascii: "{"), element.first != UInt8(ascii: "[")
        else {
          answer = nil
          return
        }
        for index in 0..<count where areEqual(seen[index], element) {
          answer = false
          return
        }
        seen.initializeElement(at: count, to: element)
        count += 1
      }
      return answer
    }
  }

  /// Whether two scalars are the same.
  private static func areEqual(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    if a.count == b.count, a.elementsEqual(b) { return true }
    guard WrittenValue(a).isNumber, WrittenValue(b).isNumber else { return false }
    return ExactNumber.areEqual(a, b)
  }

  /// A key for an element; equal elements have equal keys.
  enum Key: Hashable {
    case number(ExactNumber)
    case text([UInt8])
    case container(UnifiedText)

    init(_ value: WrittenValue) {
      switch value.kind {
      case .number:
        let text = String(decoding: value.text, as: UTF8.self)
        self = ExactNumber(text).map { .number($0) } ?? .text(Array(value.text))
      case .array, .object: self = .container(UnifiedText(value))
      case .string, .boolean, .null: self = .text(Array(value.text))
      }
    }
  }
}

/// A text that arrays and objects share if they are equal: their numbers by value, their members whatever the order.
struct UnifiedText: Hashable {
  private let bytes: [UInt8]

  init(_ value: WrittenValue) {
    self.init { WrittenText(value.text).emit(to: $0) }
  }

  init(_ value: JSONValue) {
    self.init { value.emit(to: $0) }
  }

  private init(_ emit: (EventSink) -> Void) {
    let builder = JSONValueBuilder(sortsKeys: true) { SignificantDigits($0)?.unifiedText }
    emit(builder)
    bytes = Array((builder.value ?? .null).description.utf8)
  }
}
