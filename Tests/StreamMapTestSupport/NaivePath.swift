@testable import StreamMap

/// What paths select in trees, in the plainest way: with the filters that random mappings have, and no slice that runs backwards.
enum NaivePath {
  /// All that the steps select in a value, in the order of the document, each value once.
  static func values(_ steps: [PathPattern.Step], in root: JSONValue) -> [JSONValue] {
    let places = Set(places(steps[...], in: root, at: []))
    return all(in: root, at: []).filter { places.contains($0.place) }.map(\.value)
  }

  private typealias Found = (place: [Int], value: JSONValue)

  /// The parts of a value: their keys, if it is an object.
  private static func parts(of value: JSONValue) -> [(key: String?, value: JSONValue)] {
    switch value {
    case .array(let elements): elements.map { (nil, $0) }
    case .object(let members): members.map { ($0.key, $0.value) }
    case .null, .bool, .number, .string: []
    }
  }

  /// A value, and all that is in it.
  private static func all(in value: JSONValue, at place: [Int]) -> [Found] {
    [(place, value)]
      + parts(of: value).enumerated().flatMap { all(in: $1.value, at: place + [$0]) }
  }

  private static func places(
    _ steps: ArraySlice<PathPattern.Step>, in value: JSONValue, at place: [Int]
  ) -> [[Int]] {
    guard let step = steps.first else { return [place] }
    if case .descendants(let inner) = step {
      return all(in: value, at: place).flatMap {
        places([inner] + steps.dropFirst(), in: $0.value, at: $0.place)
      }
    }
    let parts = parts(of: value)
    return parts.indices.filter { selects(step, $0, parts) }.flatMap {
      places(steps.dropFirst(), in: parts[$0].value, at: place + [$0])
    }
  }

  private static func selects(
    _ step: PathPattern.Step, _ index: Int, _ parts: [(key: String?, value: JSONValue)]
  ) -> Bool {
    let isElement = parts[index].key == nil
    func place(_ index: Int) -> Int { index < 0 ? index + parts.count : index }
    switch step {
    case .key(let key): return parts[index].key.map { ExactText($0) == ExactText(key) } ?? false
    case .index(let number): return isElement && place(number) == index
    case .wildcard: return true
    case .elements(let from, let to, let by):
      guard isElement, by > 0 else { return false }
      let first = max(from.map(place) ?? 0, 0)
      let end = min(to.map(place) ?? .max, parts.count)
      return stride(from: first, to: end, by: by).contains(index)
    case .filter(let filter): return holds(filter.test, for: parts[index].value)
    case .anyOf(let steps): return steps.contains { selects($0, index, parts) }
    case .descendants: return false
    }
  }

  private static func holds(_ test: PathFilter.Test, for value: JSONValue) -> Bool {
    switch test {
    case .exists(let query): return !values(query.steps, in: value).isEmpty
    case .not(let test): return !holds(test, for: value)
    case .compares(.query(let query), let comparison, .number(let text)):
      guard case .number(let number)? = values(query.steps, in: value).first,
        let number = Double(number), let limit = Double(text)
      else { return comparison == .unequal }
      switch comparison {
      case .equal: return number == limit
      case .unequal: return number != limit
      case .less: return number < limit
      case .greater: return number > limit
      case .atMost: return number <= limit
      case .atLeast: return number >= limit
      }
    case .any, .all, .compares, .matches: return false
    }
  }
}
