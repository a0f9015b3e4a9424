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
  /// The text whose bytes the elements are; what is not UTF-8 becomes U+FFFD.
  case utf8
  /// Whether a condition holds for one of them.
  case any(Condition)
  /// Whether a condition holds for each of them.
  case all(Condition)

  /// Whether it makes a list, so that others can follow.
  package var makesList: Bool {
    switch self {
    case .filter, .values, .numbers, .flatten, .reverse, .slice, .sort, .unique: true
    case .element, .count, .sum, .mean, .least, .greatest, .utf8, .any, .all: false
    }
  }

  /// What the steps make of an array: what is written, before it is mapped.
  package enum Result: Sendable {
    case list, element, count, number, text, truth
  }

  package var result: Result {
    switch self {
    case .filter, .values, .numbers, .flatten, .reverse, .slice, .sort, .unique: .list
    case .element, .least, .greatest: .element
    case .count: .count
    case .sum, .mean: .number
    case .utf8: .text
    case .any, .all: .truth
    }
  }
}

extension ListStep {
  /// The step, ready to be taken.
  ///
  /// - Throws: A mistake in its path or condition.
  func operation() throws(ListMistake) -> ListOperation {
    switch self {
    case .filter(let condition): .filter(try ElementTest(condition.definition))
    case .values(let source): .values(try Self.path(source))
    case .numbers: .numbers
    case .flatten: .flatten
    case .reverse: .reverse
    case .slice(let start, let end): .slice(start, end)
    case .sort(let source): .sort(try Self.path(source))
    case .unique(let source): .unique(try Self.path(source))
    case .element(let index): .element(index)
    case .count: .count
    case .sum: .sum
    case .mean: .mean
    case .least: .extreme(isLeast: true)
    case .greatest: .extreme(isLeast: false)
    case .utf8: .utf8
    case .any(let condition): .any(try ElementTest(condition.definition))
    case .all(let condition): .all(try ElementTest(condition.definition))
    }
  }

  /// A path in elements.
  ///
  /// - Throws: A mistake in it.
  static func path(_ source: FieldSource) throws(ListMistake) -> ElementPath {
    switch source.source {
    case .path(let path) where source.fallbacks.isEmpty: return ElementPath(path)
    case .invalid(let error): throw ListMistake(reason: "\(error)")
    case .path, .constant, .unknown, .fact:
      throw ListMistake(reason: "a step of a list looks at one path")
    }
  }
}
