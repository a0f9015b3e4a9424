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
  struct Container: BitwiseCopyable {
    fileprivate let start: Int
    /// The index after it.
    fileprivate var end = 0
    /// How many containers begin before its end.
    fileprivate var next = 0
    /// The number of the container around it; -1 for none.
    fileprivate let around: Int
    /// The first key of an object; empty if there is none.
    fileprivate var key = TextRange(start: 0, end: 0)
    fileprivate var hasOtherKeys = false
    /// Where its last value starts, and how many containers begin before that.
    fileprivate var value = 0
    fileprivate var first = 0
    /// Whether it is a wrapper whose value is not wrapped itself.
    fileprivate var holdsMembers = false
    /// For a wrapper: the one around it whose bracket is left out later; -1 for none.
    fileprivate var wrapper = -1

    fileprivate init(at start: Int, in around: Int) {
      self.start = start
      self.around = around
    }
  }

  /// Appends a value without what wraps it.
  ///
  /// It reads the text once, however deep values are wrapped, to find where containers end. Then it copies what is between wrappers.
  ///
  /// - Throws: `ConversionFailure` for a number that is none.
  func unwrap(_ text: UnsafeBufferPointer<UInt8>, in room: TransformRoom) throws {
    // PERF: the memory of the last value.
    var containers: [Container] = []
    swap(&containers, &room.containers)
    defer {
      containers.removeAll(keepingCapacity: containers.capacity <= TransformRoom.mostKept)
      swap(&containers, &room.containers)
    }
    Self.find(&containers, in: text)
    let output = room.output
    /// Up to where the text is copied, or left out.
    var done = 0
    /// The innermost wrapper whose bracket is still to be left out; -1 for none.
    var open = -1
    func close(before start: Int) {
      while open >= 0, containers[open].end <= start {
        output.append(text.part(done, containers[open].end &- 1))
        done = containers[open].end
        open = containers[open].wrapper
      }
    }
    var number = 0
    while number < containers.count {
      let container = containers[number]
      close(before: container.start)
      let isBare = container.around >= 0 && containers[container.around].holdsMembers
      guard !isBare, let content = content(of: container, in: text) else {
        number += 1
        continue
      }
      output.append(text.part(done, container.start))
      switch content {
      case .value, .members:
        containers[number].holdsMembers = content == .members
        containers[number].wrapper = open
        open = number
        (done, number) = (container.value, container.first)
      case .number:
        try Self.appendNumber(text.part(container.value, container.end &- 1), to: output)
        (done, number) = (container.end, container.next)
      case .null:
        output.append("null")
        (done, number) = (container.end, container.next)
      }
    }
    close(before: text.count)
    output.append(text.part(done, text.count))
  }

  /// What an object holds, if it wraps a value.
  private func content(
    of container: Container, in text: UnsafeBufferPointer<UInt8>
  ) -> WrappedContent? {
    if container.hasOtherKeys || container.key.end == 0 { return nil }
    let quoted = text.part(container.key.start, container.key.end)
    return wrappers.first { $0.quoted.elementsEqual(quoted) }?.content
  }

  /// Finds the arrays and objects of a value, in the order in which they begin.
  private static func find(
    _ containers: inout [Container], in text: UnsafeBufferPointer<UInt8>
  ) {
    let written = WrittenText(text)
    /// The innermost container that is open; -1 for none.
    var open = -1
    var index = 0
    while let byte = written.byte(at: index) {
      let start = index
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        index = written.endOfValue(from: start)
        guard open >= 0, written.byte(at: index) == UInt8(ascii: ":") else { continue }
        let key = containers[open].key
        if key.end == 0 {
          containers[open].key = TextRange(start: start, end: index)
        } else if !containers[open].hasOtherKeys {
          // PERF: an object of several keys is known by its second one.
          containers[open].hasOtherKeys = !text.part(key.start, key.end)
            .elementsEqual(text.part(start, index))
        }
        (containers[open].value, containers[open].first) = (index + 1, containers.count)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        containers.append(Container(at: start, in: open))
        open = containers.count - 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard open >= 0 else { continue }
        containers[open].end = index
        containers[open].next = containers.count
        open = containers[open].around
      default: break
      }
    }
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
    var isFirst = true
    try WrittenValue(text).forEachElement { element in
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      try append(element)
    }
    output.append(UInt8(ascii: "]"))
  }
}
