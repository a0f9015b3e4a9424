/// What a formula reads: a value at a path of the object, a field of the result, or what is not in the object at all.
enum FormulaSource: Hashable, Sendable {
  case path(JSONPath)
  /// The field of the output object with this name.
  case field(String)
  case outside(OutsideSource)

  var isOutside: Bool { if case .outside = self { true } else { false } }
}

/// What belongs to the record, and not to the object that is mapped.
package enum OutsideSource: Hashable, Sendable {
  case fact(RecordFact)
  /// A value from outside the record, by its number and its name.
  case context(Int, String)

  /// In explanations.
  var name: String {
    switch self {
    case .fact(let fact): "the \(fact) of the record"
    case .context(_, let name): "the context value '\(name)'"
    }
  }
}

/// One step of a calculation: it takes its operands from the stack, and leaves its result there.
struct FormulaStep: BitwiseCopyable {
  enum Operation: UInt8, BitwiseCopyable {
    case source, literal
    case negate, add, subtract, multiply, divide, remainder
    // With the argument 1, a missing value may be compared: one side is written as `null`.
    case equal, notEqual
    case less, lessOrEqual, greater, greaterOrEqual
    case not
    // Continues at the argument and leaves the value if it decides; else drops the value.
    case skipIfFalse, skipIfTrue, skipIfThere
    /// Leaves a value that has to be true or false.
    case boolean
    case round, floor, magnitude, least, greatest, length
    /// The number that a text says; a number stays.
    case read
    /// A test of the value by a condition.
    case test
    /// Whether the value is a number in an interval.
    case inInterval
  }

  var operation: Operation
  /// The number of a source, a literal or a test, the step to continue at, the number of operands, or of decimal places.
  var argument: Int32 = 0
  /// Where the part of the formula starts.
  var column: FormulaColumn
}

/// A place in one of the texts that a formula is made of.
struct FormulaColumn: BitwiseCopyable {
  private var text: Int32
  private var offset: Int32

  init(text: Int = -1, offset: Int = 0) {
    self.text = Int32(clamping: text)
    self.offset = Int32(clamping: offset)
  }

  /// As in `column 9 of 'price * qty'`.
  func description(in texts: [String]) -> String {
    texts.indices.contains(Int(text)) ? "column \(offset + 1) of '\(texts[Int(text)])'" : ""
  }
}

/// The steps of a formula while they are put together.
struct FormulaCode {
  /// How a value is tested; it is absent as null.
  typealias Test = @Sendable (WrittenValue) -> Bool

  /// Literals as JSON, with the place of each in the formula.
  private(set) var literals: [[UInt8]] = []
  private(set) var sources: [FormulaSource] = []
  private(set) var tests: [Test] = []
  private(set) var intervals: [ExactNumber.Interval] = []
  private(set) var steps: [FormulaStep] = []
  /// The formulas that it is made of, as they are written.
  private(set) var texts: [String] = []
  private var depth = 0
  /// How many values are on the stack at most.
  private(set) var mostValues = 1

  /// Steps that are added from now on have their columns in this text.
  mutating func begin(_ text: String) { texts.append(text) }

  /// Adds a step that takes this many values and leaves one.
  mutating func add(
    _ operation: FormulaStep.Operation, _ argument: Int = 0, takes: Int, at column: Int
  ) {
    steps.append(
      FormulaStep(
        operation: operation, argument: Int32(clamping: argument),
        column: FormulaColumn(text: texts.count - 1, offset: column)))
    depth += 1 - takes
    mostValues = max(mostValues, depth)
  }

  mutating func add(_ source: FormulaSource, at column: Int) {
    let number = sources.firstIndex(of: source) ?? sources.count
    if number == sources.count { sources.append(source) }
    add(.source, number, takes: 0, at: column)
  }

  mutating func add(literal json: JSONValue, at column: Int) {
    literals.append(Array(json.description.utf8))
    add(.literal, literals.count - 1, takes: 0, at: column)
  }

  mutating func add(_ test: @escaping Test, at column: Int) {
    tests.append(test)
    add(.test, tests.count - 1, takes: 1, at: column)
  }

  mutating func add(_ interval: ExactNumber.Interval, at column: Int) {
    intervals.append(interval)
    add(.inInterval, intervals.count - 1, takes: 1, at: column)
  }

  /// By source: whether each of its uses stands before `??`, or is compared with `null`.
  var mayMiss: [Bool] {
    var mayMiss = sources.map { _ in true }
    for (index, step) in steps.enumerated() where step.operation == .source {
      let next = steps[(index + 1)...].prefix(2)
      let isCompared = next.contains {
        ($0.operation == .equal || $0.operation == .notEqual) && $0.argument == 1
      }
      if next.first?.operation != .skipIfThere, !isCompared { mayMiss[Int(step.argument)] = false }
    }
    return mayMiss
  }

  /// Adds a step that may continue elsewhere; ``land(_:)`` says where.
  mutating func addSkip(_ operation: FormulaStep.Operation, at column: Int) -> Int {
    add(operation, takes: 1, at: column)
    // The next steps leave the value instead.
    depth -= 1
    return steps.count - 1
  }

  /// The skip continues here.
  mutating func land(_ skip: Int) { steps[skip].argument = Int32(clamping: steps.count) }
}
