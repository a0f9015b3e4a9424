/// A value while a formula is calculated.
struct FormulaValue: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case absent, null, `false`, `true`
    /// A number as it is written in the record.
    case numeral
    /// A number that was calculated.
    case number
    case string
    case array, object

    var isMissing: Bool { self == .absent || self == .null }

    /// For messages.
    var phrase: String {
      switch self {
      case .absent: "nothing"
      case .null: JSONKind.null.phrase
      case .false, .true: JSONKind.boolean.phrase
      case .numeral, .number: JSONKind.number.phrase
      case .string: JSONKind.string.phrase
      case .array: JSONKind.array.phrase
      case .object: JSONKind.object.phrase
      }
    }
  }

  var kind: Kind
  /// The number of the source that it is; -1 for anything else.
  var source: Int32 = -1
  /// Where its part of the formula starts.
  var column: FormulaColumn
  /// For a calculated number, and for a numeral that was read already.
  private(set) var number = ExactDecimal.zero
  private(set) var isRead = false
  /// For what is absent or null: whether it stands for the operation that has no value because of it.
  var isLacking = false
  /// As JSON, if it is written anywhere: in the record, in the output, or in the formula.
  // Invariant: valid as long as the memory of the operands and of the formula.
  var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  /// The calculated value is true or false.
  init(_ value: Bool, at column: FormulaColumn) {
    kind = value ? .true : .false
    self.column = column
  }

  init(_ number: ExactDecimal, at column: FormulaColumn) {
    kind = .number
    self.column = column
    self.number = number
    isRead = true
  }

  /// Becomes what was calculated.
  // PERF: where it lies, since it is many words.
  @inline(__always)
  mutating func become(_ number: ExactDecimal, at column: FormulaColumn) {
    kind = .number
    source = -1
    self.column = column
    self.number = number
    isRead = true
    text = UnsafeBufferPointer(start: nil, count: 0)
  }

  /// Reads a numeral that is compared or calculated again and again.
  mutating func read() {
    guard kind == .numeral, let number = ExactDecimal(text) else { return }
    self.number = number
    isRead = true
  }

  /// The value of a JSON text; of no text, an absent value.
  @inline(__always)
  init(_ text: UnsafeBufferPointer<UInt8>, source: Int32 = -1, at column: FormulaColumn) {
    self.text = text
    self.source = source
    self.column = column
    switch text.first {
    case nil: kind = .absent
    case UInt8(ascii: "n")?: kind = .null
    case UInt8(ascii: "t")?: kind = .true
    case UInt8(ascii: "f")?: kind = .false
    case UInt8(ascii: "\"")?: kind = .string
    case UInt8(ascii: "{")?: kind = .object
    case UInt8(ascii: "[")?: kind = .array
    default: kind = .numeral
    }
  }

  /// Calls `body` with the token that the value is; nil for what is missing, an array or an object.
  func withToken<Result>(_ body: (Token) throws -> Result) rethrows -> Result? {
    switch kind {
    case .absent, .null, .array, .object: return nil
    case .false: return try body(Token(kind: .boolean))
    case .true: return try body(Token(kind: .boolean, isTrue: true))
    case .numeral: return try body(Token(kind: .number, text: text))
    case .number:
      return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ExactDecimal.capacity) {
        guard let start = $0.baseAddress else { return nil }
        let text = UnsafeBufferPointer(start: start, count: number.write(into: start))
        return try body(Token(kind: .number, text: text))
      }
    case .string: return try withUnescaped { try body(Token(kind: .string, text: $0)) }
    }
  }

  /// Calls `body` with the unescaped bytes of a string.
  func withUnescaped<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows
    -> Result
  {
    let inside = inside
    guard inside.contains(UInt8(ascii: "\\")) else { return try body(inside) }
    var text = EscapedText.decoded(inside)
    return try text.withUTF8(body)
  }

  /// What a string has between its quotes.
  var inside: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: text.dropFirst().dropLast())
  }

  // MARK: Texts

  /// The order of two strings, by Unicode scalars.
  func order(toString other: FormulaValue) -> Int {
    withUnescaped { own in
      other.withUnescaped { others in
        // In UTF-8, the order of the bytes is that of the scalars.
        for (a, b) in zip(own, others) where a != b { return a < b ? -1 : 1 }
        return own.count < others.count ? -1 : own.count == others.count ? 0 : 1
      }
    }
  }

  /// The number of scalars of a string, elements of an array or members of an object: of equal keys, one counts.
  var length: Int {
    switch kind {
    case .string:
      return withUnescaped { $0.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 } }
    case .array: return elementCount
    case .object: return keys.count
    default: return 0
    }
  }

  /// The keys of an object.
  private var keys: Set<ExactText> {
    var keys: Set<ExactText> = []
    var (depth, index) = (0, 0)
    // Whether the next string is a key of this object.
    var isNext = false
    while index < text.count {
      let start = index
      index += 1
      switch text[start] {
      case UInt8(ascii: "\""):
        while index < text.count, text[index] != UInt8(ascii: "\"") {
          index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
        if isNext { keys.insert(ExactText(EscapedText.decoded(text.part(start + 1, index - 1)))) }
        isNext = false
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        isNext = depth == 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ","): isNext = depth == 1
      default: break
      }
    }
    return keys
  }

  /// How many elements an array has.
  private var elementCount: Int {
    var (depth, count, index) = (0, 0, 0)
    var isEmpty = true
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\""):
        isEmpty = false
        index += 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
          index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if depth > 0 { isEmpty = false }
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ","): if depth == 1 { count += 1 }
      default: isEmpty = false
      }
      index += 1
    }
    return isEmpty ? 0 : count + 1
  }
}
