/// A step on the elements of an array, ready to be taken.
enum ListOperation: Sendable {
  case filter(ElementTest)
  case values(ElementPath)
  case numbers, flatten, reverse
  case slice(Int, Int?)
  case sort(ElementPath)
  case unique(ElementPath)
  case element(Int)
  case count, sum, mean, utf8
  case extreme(isLeast: Bool)
  case any(ElementTest)
  case all(ElementTest)

  /// In explanations.
  var name: String {
    switch self {
    case .filter(let test): "where \(test.name)"
    case .values(let path): "from \(path.text)"
    case .numbers: "numbers"
    case .flatten: "flatten"
    case .reverse: "reverse"
    case .slice(let start, let end): "slice \(start) to \(end.map { "\($0)" } ?? "the end")"
    case .sort(let path): "sort by \(path.text)"
    case .unique(let path): "unique by \(path.text)"
    case .element(let index): "element \(index)"
    case .count: "count"
    case .sum: "sum"
    case .mean: "mean"
    case .utf8: "utf8"
    case .extreme(let isLeast): isLeast ? "min" : "max"
    case .any(let test): "any \(test.name)"
    case .all(let test): "all \(test.name)"
    }
  }

  /// What it makes of an array.
  var output: OutputValue {
    switch self {
    case .filter, .values, .numbers, .flatten, .reverse, .slice, .sort, .unique:
      OutputValue(.array(.json))
    case .element, .extreme: .json
    case .count: OutputValue(.scalar(.int64))
    case .sum: OutputValue(.scalar(.number))
    case .mean: OutputValue(.scalar(.number), isNullable: true)
    case .utf8: OutputValue(.scalar(.string))
    case .any, .all: OutputValue(.scalar(.bool))
    }
  }
}

/// Why steps on a list cannot be used.
struct ListMistake: Error {
  let reason: String
}

/// A path in an element.
// PERF: a class, like the test, since a step is copied for each list.
final class ElementPath: Sendable {
  let path: JSONPath
  private let steps: [ConditionDefinition.Step]
  private let isElement: Bool
  /// As in `price.amount`; `$` for the element itself.
  let text: String

  init(_ path: JSONPath) {
    self.path = path
    isElement = path.components.isEmpty
    text = path.components.isEmpty ? "$" : path.relativeDescription
    steps = path.components.map { step in
      switch step {
      case .key(let key): .key(WrittenKey(key))
      case .index(let index): .index(index)
      }
    }
  }

  /// The value there; null if there is none.
  func value(in element: UnsafeBufferPointer<UInt8>) -> WrittenValue {
    // PERF: most conditions look at the element itself.
    if isElement { return WrittenValue(element) }
    return steps.reduce(WrittenValue(element)) { value, step in
      switch step {
      case .key(let key): value[key]
      case .index(let index): value[index]
      }
    }
  }
}

/// A condition on elements.
final class ElementTest: Sendable {
  let definition: ConditionDefinition
  private let formula: Formula
  private let paths: [ElementPath]

  var name: String { formula.description }

  /// - Throws: A mistake in the condition, or if it looks at what is no element.
  init(_ definition: ConditionDefinition) throws(ListMistake) {
    self.definition = definition
    if let reason = definition.mistakes.first { throw ListMistake(reason: reason) }
    do throws(FormulaSyntaxError) {
      formula = try definition.formula()
    } catch {
      throw ListMistake(reason: "\(error)")
    }
    var paths: [ElementPath] = []
    for source in formula.sources {
      switch source {
      case .path(let path): paths.append(ElementPath(path))
      case .field:
        throw ListMistake(reason: "a condition on elements cannot look at fields of the output")
      case .outside(let source):
        throw ListMistake(reason: "a condition on elements cannot look at \(source.name)")
      }
    }
    self.paths = paths
  }

  private struct Operands: FormulaOperands {
    let element: UnsafeBufferPointer<UInt8>
    let paths: [ElementPath]

    func text(ofSource number: Int) -> UnsafeBufferPointer<UInt8> {
      paths[number].value(in: element).text
    }
  }

  /// Whether the condition holds for an element, which has this index.
  ///
  /// - Throws: ``ConversionFailure`` if that cannot be decided.
  func holds(for element: UnsafeBufferPointer<UInt8>, at index: Int) throws -> Bool {
    try withUnsafeTemporaryAllocation(of: FormulaValue.self, capacity: formula.mostValues) {
      guard let stack = $0.baseAddress else { return false }
      do throws(Formula.Fault) {
        return try formula.holds(for: Operands(element: element, paths: paths), on: stack)
      } catch {
        throw ConversionFailure(
          expected: "\(formula.expectation(of: error)) for the element [\(index)]")
      }
    }
  }
}
