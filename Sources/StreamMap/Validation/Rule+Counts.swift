// The number of elements in a collection, and whether they differ. For texts, see `length`.

extension Rule where Value: Collection & Sendable {
  /// Exactly this many elements.
  public static func count(_ count: Int) -> Rule {
    counted("count", count, count, "exactly")
  }

  /// At least this many elements.
  public static func minCount(_ count: Int) -> Rule {
    counted("minCount", count, .max, "at least")
  }

  /// At most this many elements.
  public static func maxCount(_ count: Int) -> Rule {
    counted("maxCount", 0, count, "at most")
  }

  /// From the first to the last number of elements, both included.
  ///
  /// Its failures have the name `countRange`.
  public static func count(_ range: ClosedRange<Int>) -> Rule {
    count(from: range.lowerBound, to: range.upperBound)
  }

  /// The same by the numbers of a mapping file: if the first is above the last, no count is allowed, which is a ``mistake``.
  package static func count(from first: Int, to last: Int) -> Rule {
    counted("countRange", first, last, "from")
  }

  private static func counted(_ name: String, _ first: Int, _ last: Int, _ words: String) -> Rule {
    CountLimit(first, last, words, "element").rule(name) { $0.count }
  }
}

extension Rule where Value: Collection & Sendable, Value.Element: Hashable {
  /// No two elements are equal.
  public static var unique: Rule {
    Rule("unique", expecting: "elements that all differ") { elements in
      var seen: Set<ExactValue<Value.Element>> = []
      return elements.allSatisfy { seen.insert(ExactValue($0)).inserted }
    }
  }
}

/// Limits of a count, both included, and in words.
struct CountLimit: Sendable {
  private let first: Int
  private let last: Int
  private let text: String

  /// - Parameters:
  ///   - first: The least count.
  ///   - last: The greatest count, or `Int.max`.
  ///   - words: The words before the number, or before two: `from` one `to` the other.
  ///   - unit: What is counted, in the singular.
  init(_ first: Int, _ last: Int, _ words: String, _ unit: String) {
    self.first = first
    self.last = last
    let range = words == "from" ? "from \(first) to" : words
    // Only one limit may be said: a range can end at the greatest number, too.
    let number = words == "at least" ? first : last
    text = "\(range) \(number) \(unit)" + (number == 1 ? "" : "s")
  }

  /// A rule about a count, with a mistake if no count can keep it.
  func rule<Value>(_ name: String, _ count: @escaping @Sendable (Value) -> Int) -> Rule<Value> {
    guard first >= 0, last >= 0 else {
      return Rule(name, mistake: "\(text): a count cannot be negative")
    }
    guard first <= last else { return Rule(name, mistake: "\(text): the range is empty") }
    let limits = first...last
    return Rule(name, expecting: text) { limits.contains(count($0)) }
  }
}
