/// One step on the elements of an array.
///
/// A step makes a list of a list, or ends them with one value. Elements are looked at as they stand: of equal keys the last counts.
package enum ListStep: Sendable {
  /// The elements for which a condition holds; its paths are relative to the element.
  case filter(Condition)
  /// What is at a path in each element; elements without it, or with null, are left out.
  case values(at: FieldSource)
  /// The numbers that texts say; numbers stay, and null.
  case numbers
  /// The elements of elements that are arrays; others stay.
  case flatten
  case reverse
  /// From one element up to another, or to the end; a negative number counts from the end. Missing elements are left out.
  case slice(from: Int, to: Int?)
  /// By the number or text at a path, the least first; where it is absent or null, at the end. Equal ones keep their order.
  case sort(by: FieldSource)
  /// The first of those that are equal, or that have equal values at a path; numbers are compared by value.
  case unique(by: FieldSource)

  /// An element by its index; a negative one counts from the end. Null if there is none.
  case element(Int)
  /// How many there are.
  case count
  /// The exact sum of the numbers, without null; of none it is 0.
  case sum
  /// The mean of the numbers, without null: exact, or of 38 digits; of none it is null.
  case mean
  /// The least number or text, as it stands, without null; of none it is null.
  case least
  case greatest
  /// Whether a condition holds for one of them.
  case any(Condition)
  /// Whether a condition holds for each of them.
  case all(Condition)

  /// Whether it makes a list, so that others can follow.
  package var makesList: Bool {
    switch self {
    case .filter, .values, .numbers, .flatten, .reverse, .slice, .sort, .unique: true
    case .element, .count, .sum, .mean, .least, .greatest, .any, .all: false
    }
  }

  /// What the steps make of an array: what is written, before it is mapped.
  package enum Result: Sendable {
    case list, element, count, number, truth
  }

  package var result: Result {
    switch self {
    case .filter, .values, .numbers, .flatten, .reverse, .slice, .sort, .unique: .list
    case .element, .least, .greatest: .element
    case .count: .count
    case .sum, .mean: .number
    case .any, .all: .truth
    }
  }
}

/// Why steps on a list cannot be used.
struct ListMistake: Error {
  let reason: String
}

/// A path in an element.
struct ElementPath: Sendable {
  let steps: [ConditionDefinition.Step]
  /// As in `price.amount`; `$` for the element itself.
  let text: String

  init(_ source: FieldSource) throws(ListMistake) {
    switch source.source {
    case .path(let path) where source.fallbacks.isEmpty: self.init(path)
    case .invalid(let error): throw ListMistake(reason: "\(error)")
    default: throw ListMistake(reason: "a step of a list looks at one path")
    }
  }

  init(_ path: JSONPath) {
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
    steps.reduce(WrittenValue(element)) { value, step in
      switch step {
      case .key(let key): value[key]
      case .index(let index): value[index]
      }
    }
  }
}

/// A condition on elements.
struct ElementTest: Sendable {
  private let formula: Formula
  private let paths: [ElementPath]

  var name: String { formula.description }

  init(_ condition: Condition) throws(ListMistake) {
    let definition = condition.definition
    if let reason = definition.mistakes.first { throw ListMistake(reason: reason) }
    do throws(FormulaSyntaxError) {
      formula = try definition.formula()
    } catch {
      throw ListMistake(reason: "\(error)")
    }
    var paths: [ElementPath] = []
    for source in formula.sources {
      guard case .path(let path) = source else {
        throw ListMistake(reason: "a condition on elements cannot look at fields of the output")
      }
      paths.append(ElementPath(path))
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
