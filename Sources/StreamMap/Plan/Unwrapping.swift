// Values that a feed wraps in objects of one member, whose key says what the value is, as DynamoDB's `{"N":"7"}`.

/// What an object of one member holds: see ``Mapping/unwrapping(_:into:)``.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum WrappedContent: String, Sendable, CaseIterable {
  /// The value under the key, in which other values may be wrapped.
  case value
  /// A text that is a number, or an array of such texts.
  case number
  /// Nothing: whatever is under the key, the object means null.
  case null
  /// An object or an array whose parts are wrapped, but that is not wrapped itself, whatever keys it has.
  case members
}

/// The keys of objects that wrap a value, in their order.
struct Wrappers: Sendable, Equatable {
  private struct Wrapper: Equatable {
    let name: String
    /// The key as it is written.
    let quoted: [UInt8]
    let content: WrappedContent
  }

  private let wrappers: [Wrapper]

  init(_ contents: some Sequence<(key: String, value: WrappedContent)>) {
    wrappers = contents.map {
      Wrapper(name: $0.key, quoted: WrittenKey($0.key).quoted, content: $0.value)
    }
  }

  /// In explanations.
  var text: String {
    wrappers.map { "\($0.name): \($0.content)" }.joined(separator: ", ")
  }

  /// A key that comes twice.
  var repeated: String? {
    var known: Set<ExactText> = []
    return wrappers.first { !known.insert(ExactText($0.name)).inserted }?.name
  }

  private static let numbers = "numbers in texts"

  // MARK: Values

  /// The value without what wraps it.
  ///
  /// - Parameters:
  ///   - json: The value.
  ///   - isPart: Whether it may be wrapped itself, not only its parts.
  /// - Returns: The value that was wrapped.
  /// - Throws: `ConversionFailure` for a number that is none.
  func unwrapped(_ json: JSONValue, isPart: Bool = true) throws -> JSONValue {
    switch json {
    case .array(let elements): return .array(try elements.map { try unwrapped($0) })
    case .object(let members):
      // If its only key comes twice, the last one counts.
      if isPart, let last = members.last, members.allSatisfy({ $0.key == last.key }),
        let wrapper = wrappers.first(where: { $0.name == last.key })
      {
        let inside = last.value
        switch wrapper.content {
        case .value: return try unwrapped(inside)
        case .number: return try Self.number(inside)
        case .null: return .null
        case .members: return try unwrapped(inside, isPart: false)
        }
      }
      return .object(try members.map { .init($0.key, try unwrapped($0.value)) })
    case .string, .number, .bool, .null: return json
    }
  }

  private static func number(_ json: JSONValue) throws -> JSONValue {
    switch json {
    case .string(let text) where NumberText.isNumber(text): return .number(text)
    case .number: return json
    case .array(let elements):
      return .array(
        try elements.map {
          if case .array = $0 { throw ConversionFailure(expected: numbers) }
          return try number($0)
        })
    case .string, .bool, .null, .object: throw ConversionFailure(expected: numbers)
    }
  }

  // MARK: Text

  /// What is known of an array or an object before it is rewritten.
  private struct Container {
    /// The index after it.
    var end = 0
    /// How many containers begin before its end.
    var next = 0
    /// The first key of an object.
    var key: Range<Int>?
    var hasOtherKeys = false
    /// Where its last value starts, and how many containers begin before that.
    var value = 0
    var first = 0
  }

  /// Appends a value without what wraps it.
  ///
  /// It reads the text twice, however deep values are wrapped: first to find where containers end.
  ///
  /// - Throws: `ConversionFailure` for a number that is none.
  func unwrap(_ text: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) throws {
    let written = WrittenText(text)
    let containers = Self.containers(of: written)
    /// The number of the next container.
    var number = 0
    /// Whether the brackets of each open container are written.
    var open: [Bool] = []
    /// Whether the next value is not wrapped itself.
    var isBare = false
    var index = 0
    while let byte = written.byte(at: index) {
      let wasBare = isBare
      isBare = false
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard number < containers.count else { return }
        let container = containers[number]
        number += 1
        if !wasBare, let content = content(of: container, in: written) {
          switch content {
          case .value, .members:
            isBare = content == .members
            open.append(false)
            (index, number) = (container.value, container.first)
          case .number:
            try Self.appendNumber(
              written.slice(container.value, container.end - 1), to: output)
            (index, number) = (container.end, container.next)
          case .null:
            output.append(Array("null".utf8))
            (index, number) = (container.end, container.next)
          }
          continue
        }
        open.append(true)
        output.append(byte)
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if open.popLast() ?? true { output.append(byte) }
        index += 1
      case UInt8(ascii: "\""):
        let end = written.endOfValue(from: index)
        output.append(written.slice(index, end))
        index = end
      default:
        output.append(byte)
        index += 1
      }
    }
  }

  /// What an object holds, if it wraps a value.
  private func content(of container: Container, in written: WrittenText) -> WrappedContent? {
    guard let key = container.key, !container.hasOtherKeys else { return nil }
    let quoted = written.slice(key.lowerBound, key.upperBound)
    return wrappers.first { $0.quoted.elementsEqual(quoted) }?.content
  }

  /// The arrays and objects of a value, in the order in which they begin.
  private static func containers(of written: WrittenText) -> [Container] {
    var containers: [Container] = []
    var open: [Int] = []
    var index = 0
    while let byte = written.byte(at: index) {
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        let start = index - 1
        index = written.endOfValue(from: start)
        guard let last = open.last, written.byte(at: index) == UInt8(ascii: ":") else { continue }
        if let key = containers[last].key {
          // PERF: an object of several keys is known by its second one.
          if !containers[last].hasOtherKeys {
            containers[last].hasOtherKeys = !written.slice(key.lowerBound, key.upperBound)
              .elementsEqual(written.slice(start, index))
          }
        } else {
          containers[last].key = start..<index
        }
        (containers[last].value, containers[last].first) = (index + 1, containers.count)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(containers.count)
        containers.append(Container())
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard let last = open.popLast() else { continue }
        containers[last].end = index
        containers[last].next = containers.count
      default: break
      }
    }
    return containers
  }

  private static func appendNumber(_ text: UnsafeBufferPointer<UInt8>, to output: OutputBuffer)
    throws
  {
    func append(_ text: UnsafeBufferPointer<UInt8>) throws {
      let value = WrittenValue(text)
      let inside = value.kind == .string ? text.part(1, text.count - 1) : text
      guard value.kind == .string || value.isNumber, NumberText.isNumber(inside) else {
        throw ConversionFailure(expected: numbers)
      }
      output.append(inside)
    }
    guard text.first == UInt8(ascii: "[") else { return try append(text) }
    output.append(UInt8(ascii: "["))
    var failure: (any Error)?
    var isFirst = true
    WrittenValue(text).forEachElement { element in
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      do { try append(element) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    output.append(UInt8(ascii: "]"))
  }
}
