/// A calculation or a condition, ready to be evaluated: steps over a stack, without recursion and without loops.
///
/// - Complexity: Evaluating it takes time linear in its text, in that of its operands, and in what its tests take.
final class Formula: @unchecked Sendable {
  private let texts: [String]
  /// As the explanation of a mapping shows it.
  let description: String
  let sources: [FormulaSource]
  /// By source: whether the formula says everywhere what happens where it is missing.
  let mayMiss: [Bool]
  /// How many values are on the stack at most.
  let mostValues: Int
  private let stepCount: Int
  private let tests: [FormulaCode.Test]
  private let intervals: UnsafeMutablePointer<ExactNumber.Interval>
  private let intervalCount: Int
  /// The interval, if the formula only asks whether its source is a number in it, as nearly all conditions do.
  let interval: ExactNumber.Interval?
  /// Whether the formula is one test of its only source.
  private let isOneTest: Bool
  // PERF: read for each record, without counting references or checking bounds.
  private let code: UnsafeMutablePointer<FormulaStep>
  // Invariant: written only in `init`; the literals point into the text, which lives as long.
  private let literals: [FormulaValue]
  private let literalText: UnsafeMutablePointer<UInt8>

  init(_ code: FormulaCode, description: String) {
    self.description = description
    texts = code.texts
    sources = code.sources
    mayMiss = code.mayMiss
    tests = code.tests
    intervals = .allocate(capacity: max(code.intervals.count, 1))
    intervals.initialize(from: code.intervals, count: code.intervals.count)
    intervalCount = code.intervals.count
    interval =
      code.steps.map(\.operation) == [.source, .inInterval] ? code.intervals.first : nil
    isOneTest = code.steps.map(\.operation) == [.source, .test]
    self.code = .allocate(capacity: max(code.steps.count, 1))
    self.code.initialize(from: code.steps, count: code.steps.count)
    stepCount = code.steps.count
    mostValues = code.mostValues
    literalText = .allocate(capacity: max(code.literals.reduce(0) { $0 + $1.count }, 1))
    var end = literalText
    literals = code.literals.map { literal in
      end.initialize(from: literal, count: literal.count)
      defer { end += literal.count }
      var value = FormulaValue(
        UnsafeBufferPointer(start: end, count: literal.count), at: FormulaColumn())
      value.read()
      return value
    }
  }

  deinit {
    literalText.deallocate()
    code.deallocate()
    intervals.deinitialize(count: intervalCount)
    intervals.deallocate()
  }

  /// Why a formula has no value.
  struct Fault: Error {
    enum Reason {
      /// An operand is absent or null.
      case missing
      case wrongType(expected: String)
      case tooLarge
      case divisionByZero
    }

    let reason: Reason
    /// Where the part that has no value, or a wrong one, starts in the formula.
    let column: FormulaColumn
    /// The number of the source that it is, if it is one.
    var source: Int?
    /// The kind of what was found.
    var found: String?
  }

  /// What should have been at the place of a fault.
  func expectation(of fault: Fault) -> String {
    let place = fault.column.description(in: texts)
    switch fault.reason {
    case .missing: return "a value at \(place)"
    case .wrongType(let expected): return "\(expected) at \(place)"
    case .tooLarge: return "a number of at most 38 digits at \(place)"
    case .divisionByZero: return "a divisor that is not 0 at \(place)"
    }
  }

  /// What the formula makes of its operands.
  ///
  /// - Parameters:
  ///   - operands: The texts of its sources.
  ///   - stack: Uninitialised memory for ``mostValues``.
  /// An error in an operand is the formula's error. If there is none, but an operand is absent or null, the operation has no
  /// value, and is an operand that is absent in its turn.
  ///
  /// - Returns: Its value, absent or null only if one of its sources or literals is its value.
  /// - Throws: ``Fault`` if it has none.
  func value(
    of operands: some FormulaOperands, on stack: UnsafeMutablePointer<FormulaValue>
  ) throws(Fault) -> FormulaValue {
    var index = 0
    // The value on top of the stack.
    var top = stack - 1
    while index < stepCount {
      let step = code[index]
      index += 1
      switch step.operation {
      case .source:
        top += 1
        top.initialize(
          to: FormulaValue(
            operands.text(ofSource: Int(step.argument)), source: step.argument, at: step.column))
      case .literal:
        top += 1
        top.initialize(to: literals[Int(step.argument)])
        top.pointee.column = step.column
      case .add, .subtract, .multiply, .divide, .remainder:
        top -= 1
        if try !Self.lacks(top, 2, step) { try Self.calculate(top, step) }
      case .equal, .notEqual:
        top -= 1
        let mayMiss = step.argument == 1
        if try mayMiss ? true : !Self.lacks(top, 2, step) {
          let areEqual = try Self.areEqual(top[0], top[1], mayMiss: mayMiss)
          top.pointee = FormulaValue(areEqual == (step.operation == .equal), at: step.column)
        }
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        top -= 1
        if try !Self.lacks(top, 2, step) { top.pointee = try Self.compared(top[0], top[1], step) }
      case .skipIfFalse, .skipIfTrue:
        if try Self.lacks(top, 1, step) {
          index = Int(step.argument)
        } else if try Self.bool(top[0]) == (step.operation == .skipIfTrue) {
          index = Int(step.argument)
        } else {
          top -= 1
        }
      case .skipIfThere:
        if top[0].kind.isMissing { top -= 1 } else { index = Int(step.argument) }
      case .boolean: if try !Self.lacks(top, 1, step) { _ = try Self.bool(top[0]) }
      case .not:
        if try !Self.lacks(top, 1, step) {
          top.pointee = FormulaValue(!(try Self.bool(top[0])), at: step.column)
        }
      case .test:
        try Self.require(top[0])
        top.pointee = FormulaValue(holds(Int(step.argument), of: top[0]), at: step.column)
      case .inInterval:
        try Self.require(top[0])
        top.pointee = FormulaValue(isIn(Int(step.argument), top[0]), at: step.column)
      case .negate, .magnitude, .floor, .round:
        if try !Self.lacks(top, 1, step) { try Self.change(top, step) }
      case .least, .greatest:
        top -= Int(step.argument) - 1
        if try !Self.lacks(top, Int(step.argument), step) {
          top.pointee = try Self.chosen(top, step)
        }
      case .length:
        if try !Self.lacks(top, 1, step) { top.pointee = try Self.length(of: top[0], step) }
      case .read:
        if try !Self.lacks(top, 1, step) { top.pointee = try Self.read(top[0], step) }
      }
    }
    try Self.require(top[0])
    return top.pointee
  }

  /// Whether a condition holds.
  @inline(__always)
  func holds(
    for operands: some FormulaOperands, on stack: UnsafeMutablePointer<FormulaValue>
  ) throws(Fault) -> Bool {
    if interval != nil {
      let text = operands.text(ofSource: 0)
      return WrittenValue(text).isNumber && intervals.pointee.contains(text)
    }
    // PERF: without the stack, which a test does not need.
    if isOneTest { return holds(0, of: operands.text(ofSource: 0)) }
    return try Self.bool(try value(of: operands, on: stack))
  }

  // MARK: Steps

  /// Whether an operation has no value because one of its operands is absent or null; then the first of them stands for it.
  ///
  /// An operand that is wrong is an error all the same: a value that is missing elsewhere does not hide it.
  @inline(__always)
  private static func lacks(
    _ operands: UnsafeMutablePointer<FormulaValue>, _ count: Int, _ step: FormulaStep
  ) throws(Fault) -> Bool {
    for index in 0..<count where operands[index].kind.isMissing {
      try lack(operands, count, operands[index], step.operation)
      return true
    }
    return false
  }

  // PERF: outlined from the plain case, in which nothing is missing.
  @inline(never)
  private static func lack(
    _ operands: UnsafeMutablePointer<FormulaValue>, _ count: Int, _ missing: FormulaValue,
    _ operation: FormulaStep.Operation
  ) throws(Fault) {
    for index in 0..<count where !operands[index].kind.isMissing {
      try check(operands[index], for: operation)
    }
    operands.pointee = missing
    operands.pointee.isLacking = true
  }

  /// Whether an operation takes an operand.
  private static func check(_ value: FormulaValue, for operation: FormulaStep.Operation)
    throws(Fault)
  {
    switch (operation, value.kind) {
    case (.equal, .string), (.notEqual, .string), (.less, .string), (.lessOrEqual, .string),
      (.greater, .string), (.greaterOrEqual, .string):
      return
    case (.equal, .true), (.equal, .false), (.notEqual, .true), (.notEqual, .false): return
    case (.equal, .array), (.equal, .object), (.notEqual, .array), (.notEqual, .object):
      throw fault(value, expected: "a string, a number or a boolean")
    default: _ = try number(value)
    }
  }

  /// A value that is not there because operands are missing is an error where a value is needed.
  @inline(__always)
  private static func require(_ value: FormulaValue) throws(Fault) {
    if value.isLacking { throw fault(value, expected: "a value") }
  }

  @inline(never)
  private static func fault(_ value: FormulaValue, expected: StaticString) -> Fault {
    let source = value.source >= 0 ? Int(value.source) : nil
    return Fault(
      reason: value.kind.isMissing ? .missing : .wrongType(expected: "\(expected)"),
      column: value.column, source: source, found: value.kind.phrase)
  }

  /// Two sides of different kinds: the record's value is at fault, rather than the formula.
  @inline(never)
  private static func mismatch(_ a: FormulaValue, _ b: FormulaValue) -> Fault {
    let (wrong, other) = b.source < 0 && a.source >= 0 && !b.kind.isMissing ? (a, b) : (b, a)
    switch other.kind {
    case .string: return fault(wrong, expected: "a string, as the other side is")
    case .true, .false: return fault(wrong, expected: "true or false, as the other side is")
    default: return fault(wrong, expected: "a number, as the other side is")
    }
  }

  @inline(__always)
  private static func number(_ value: UnsafePointer<FormulaValue>) throws(Fault) -> ExactDecimal {
    if value.pointee.isRead { return value.pointee.number }
    guard value.pointee.kind == .numeral else {
      throw fault(value.pointee, expected: "a number")
    }
    guard let number = ExactDecimal(value.pointee.text) else {
      throw Fault(reason: .tooLarge, column: value.pointee.column)
    }
    return number
  }

  private static func number(_ value: FormulaValue) throws(Fault) -> ExactDecimal {
    try withUnsafePointer(to: value) { value throws(Fault) in try number(value) }
  }

  private static func bool(_ value: FormulaValue) throws(Fault) -> Bool {
    switch value.kind {
    case .true: return true
    case .false: return false
    default: throw fault(value, expected: "true or false")
    }
  }

  /// Makes the first of two values what is calculated from both.
  @inline(__always)
  private static func calculate(_ values: UnsafeMutablePointer<FormulaValue>, _ step: FormulaStep)
    throws(Fault)
  {
    let (left, right) = (try number(values), try number(values + 1))
    let result: ExactDecimal?
    switch step.operation {
    case .add: result = left.adding(right)
    case .subtract: result = left.subtracting(right)
    case .multiply: result = left.multiplied(by: right)
    default:
      if right.coefficient == 0 {
        throw Fault(reason: .divisionByZero, column: values[1].column)
      }
      result =
        step.operation == .divide ? left.divided(by: right) : left.remainder(dividingBy: right)
    }
    guard let result else { throw Fault(reason: .tooLarge, column: step.column) }
    values.pointee.become(result, at: step.column)
  }

  @inline(__always)
  private static func change(_ value: UnsafeMutablePointer<FormulaValue>, _ step: FormulaStep)
    throws(Fault)
  {
    let number = try number(value)
    let result: ExactDecimal?
    switch step.operation {
    case .negate: result = number.negated
    case .magnitude: result = number.magnitude
    case .floor: result = number.floor
    default: result = number.rounded(to: Int(step.argument))
    }
    guard let result else { throw Fault(reason: .tooLarge, column: step.column) }
    value.pointee.become(result, at: step.column)
  }

  private static func compared(_ a: FormulaValue, _ b: FormulaValue, _ step: FormulaStep)
    throws(Fault) -> FormulaValue
  {
    let order: Int
    if a.kind == .string {
      guard b.kind == .string else { throw mismatch(a, b) }
      order = a.order(toString: b)
    } else {
      let left = try number(a)
      guard b.kind == .number || b.kind == .numeral else { throw mismatch(a, b) }
      order = left.order(to: try number(b))
    }
    switch step.operation {
    case .less: return FormulaValue(order < 0, at: step.column)
    case .lessOrEqual: return FormulaValue(order <= 0, at: step.column)
    case .greater: return FormulaValue(order > 0, at: step.column)
    default: return FormulaValue(order >= 0, at: step.column)
    }
  }

  private static func areEqual(_ a: FormulaValue, _ b: FormulaValue, mayMiss: Bool) throws(Fault)
    -> Bool
  {
    if mayMiss { return a.kind.isMissing && b.kind.isMissing }
    switch a.kind {
    case .string:
      guard b.kind == .string else { throw mismatch(a, b) }
      return a.order(toString: b) == 0
    case .true, .false:
      guard b.kind == .true || b.kind == .false else { throw mismatch(a, b) }
      return a.kind == b.kind
    case .numeral, .number:
      let left = try number(a)
      guard b.kind == .number || b.kind == .numeral else { throw mismatch(a, b) }
      return left.order(to: try number(b)) == 0
    default: throw fault(a, expected: "a string, a number or a boolean")
    }
  }

  private static func chosen(_ values: UnsafeMutablePointer<FormulaValue>, _ step: FormulaStep)
    throws(Fault) -> FormulaValue
  {
    var chosen = try number(values[0])
    for index in 1..<max(Int(step.argument), 1) {
      let next = try number(values[index])
      let order = next.order(to: chosen)
      if step.operation == .least ? order < 0 : order > 0 { chosen = next }
    }
    return FormulaValue(chosen, at: step.column)
  }

  /// The number of a value that is one, or a text that says one.
  private static func read(_ value: FormulaValue, _ step: FormulaStep) throws(Fault)
    -> FormulaValue
  {
    guard value.kind == .string else { return FormulaValue(try number(value), at: step.column) }
    let (isNumber, number) = value.withUnescaped { (NumberText.isNumber($0), ExactDecimal($0)) }
    if isNumber, let number { return FormulaValue(number, at: step.column) }
    if isNumber { throw Fault(reason: .tooLarge, column: value.column) }
    throw fault(value, expected: "a number, or a text that is one,")
  }

  private static func length(of value: FormulaValue, _ step: FormulaStep) throws(Fault)
    -> FormulaValue
  {
    switch value.kind {
    case .string, .array, .object:
      return FormulaValue(ExactDecimal(value.length), at: step.column)
    default: throw fault(value, expected: "a string, an array or an object")
    }
  }

  /// Whether a value is a number in an interval.
  @inline(__always)
  private func isIn(_ interval: Int, _ value: FormulaValue) -> Bool {
    switch value.kind {
    case .numeral: return intervals[interval].contains(value.text)
    case .number:
      return value.withToken { intervals[interval].contains($0.text) } ?? false
    default: return false
    }
  }

  private static func text(of token: Token) -> String {
    token.kind == .boolean
      ? "\(token.isTrue)" : String(decoding: token.text, as: UTF8.self)
  }

  private func holds(_ test: Int, of value: FormulaValue) -> Bool {
    switch value.kind {
    case .absent, .null: return tests[test](.null)
    case .true, .false, .number:
      var text = value.withToken { Self.text(of: $0) } ?? "null"
      return text.withUTF8 { tests[test](WrittenValue($0)) }
    case .numeral, .string, .array, .object: return holds(test, of: value.text)
    }
  }

  private func holds(_ test: Int, of text: UnsafeBufferPointer<UInt8>) -> Bool {
    if text.isEmpty { return tests[test](.null) }
    if WrittenValue(text).kind == .string, text.contains(UInt8(ascii: "\\")) {
      // This engine writes equal strings as equal texts; in a feed, one character can be escaped in several ways.
      let value = FormulaValue(text, at: FormulaColumn())
      var text = JSONValue.string(EscapedText.decoded(value.inside)).description
      return text.withUTF8 { tests[test](WrittenValue($0)) }
    }
    return tests[test](WrittenValue(text))
  }
}

/// The operands of a formula.
protocol FormulaOperands {
  /// The JSON text of a source; nothing if it is absent.
  func text(ofSource number: Int) -> UnsafeBufferPointer<UInt8>
}
