@testable import StreamMap

/// Random mappings of values to other forms, and records that have such values at their keys.
extension RandomCases {
  mutating func shapes() -> OutputMapping {
    .object(
      Self.keys.filter { !$0.isEmpty }.map { key in
        var mapping = shape(depth: 0)
        switch below(6) {
        case 0: mapping = .nullable(mapping)
        case 1, 2, 3: mapping = mapping.default(.string("other"), when: .missingOrInvalid)
        default: break
        }
        return OutputField(key, from: FieldSource.keys([key]), mapping)
      })
  }

  private mutating func shape(depth: Int) -> OutputMapping {
    switch below(depth > 2 ? 4 : 16) {
    case 0, 1: return text(from: .string)
    case 2:
      return text(
        from: .dispatch(byKind: [(.string, .string), (.number, .number), (.boolean, .bool)]))
    case 3: return .number(decimalChange(), as: numberType())
    case 4: return .splitting(by: separator(), each: shape(depth: depth + 1))
    case 5:
      return OutputMapping.array(of: one(of: [.any, .string, .nullable(.any)]))
        .joined(by: separator())
    case 6: return .parsingJSON(below(2) == 0 ? .raw : shape(depth: depth + 1))
    case 7:
      return .entries(
        key: "a", value: "b",
        into: below(2) == 0
          ? .raw : .array(of: .object([OutputField("b", from: "b", shape(depth: depth + 1))])))
    case 8: return .fromEntries(key: "a", value: "b")
    case 9, 10: return list()
    case 11:
      return .template(
        TextTemplate(
          [.value(0), .optional([.text("\"("), .value(1), .text(")")]), .text("é")], text: "…"),
        of: [.path("a"), .path("b")], duplicateKeys: .last, expected: "an object")
    case 12:
      let list: OutputMapping = below(2) == 0 ? .raw : .array(of: .raw)
      return .zip(
        .object(["a", "b"].map { OutputField($0, from: FieldSource.keys([$0]), .nullable(list)) }),
        by: below(2) == 0 ? nil : elementPath(), into: .raw)
    case 13:
      return .unwrapping(
        ["a": one(of: [.value, .members, .number, .null]), "b": .value],
        into: below(2) == 0 ? .raw : .nullable(.any))
    case 14: return .selecting(selection(), into: below(2) == 0 ? .raw : .array(of: .any))
    default: return .count
    }
  }

  /// A path to several values.
  private mutating func selection() -> PathPattern {
    let small = PathFilter.Test.compares(
      .query(PathFilter.Query(isFromRoot: false, [.key("a")])), one(of: [.less, .unequal]),
      .number("5"))
    let hasSecond = PathFilter.Test.not(
      .exists(PathFilter.Query(isFromRoot: false, [.index(-2)])))
    return PathPattern(
      (0...below(3)).map { _ in
        one(of: [
          .wildcard, .wildcard, .key("a"), .index(0), .index(-1),
          .elements(from: 1, to: nil, by: 1),
          .elements(from: nil, to: nil, by: 2), .elements(from: -3, to: -1, by: 1),
          .anyOf([.key("b"), .index(0), .index(-1)]), .descendants(.key("a")),
          .descendants(.wildcard), .filter(PathFilter(test: small)),
          .filter(PathFilter(test: hasSecond)),
        ])
      })
  }

  private mutating func elementPath() -> FieldSource { one(of: ["$", "a", "b", "$", "a"]) }

  private mutating func elementCondition() -> Condition {
    switch below(4) {
    case 0: .calculated("length(a) > 1")
    case 1: .calculated("a > 5 or b == null")
    case 2: .nothing(at: elementPath())
    default: .value(at: elementPath(), exists: true, [])
    }
  }

  private mutating func list() -> OutputMapping {
    var steps = (0..<below(3)).map { _ -> ListStep in
      switch below(8) {
      case 0: .filter(elementCondition())
      case 1: .values(at: elementPath())
      case 2: .numbers
      case 3: .flatten
      case 4: .reverse
      case 5: .slice(from: below(7) - 3, to: below(2) == 0 ? nil : below(7) - 3)
      case 6: .sort(by: elementPath())
      default: .unique(by: elementPath())
      }
    }
    switch below(10) {
    case 0: steps.append(.element(below(5) - 2))
    case 1: steps.append(.count)
    case 2: steps += [.numbers, .sum]
    case 3: steps += [.numbers, .mean]
    case 4: steps.append(.least)
    case 5: steps.append(.greatest)
    case 6: steps.append(.any(elementCondition()))
    case 7: steps.append(.all(elementCondition()))
    case 8: steps.append(.utf8)
    default: steps.append(.unique(by: "$"))
    }
    return .list(steps, into: .raw)
  }

  private mutating func text(from source: OutputMapping) -> OutputMapping {
    var change = TextChange(steps: (0..<one(of: [0, 1, 2, 3])).map { _ in step() })
    if below(4) == 0 {
      // From the first digit to the last.
      change.extraction = TextChange.Extraction(name: "digits", expected: "digits") { text in
        guard let first = text.firstIndex(where: { $0 &- 0x30 < 10 }),
          let last = text.lastIndex(where: { $0 &- 0x30 < 10 })
        else { return nil }
        return first..<last + 1
      }
    }
    let type = numberType()
    let reading: TextReading =
      switch below(4) {
      case 0: .number(type, below(2) == 0 ? nil : decimalChange())
      case 1: .function(.json) { .array([.string($0)]) }
      default: .text
      }
    return .text(source, change, reading, expected: "a text")
  }

  private mutating func step() -> TextStep {
    switch below(13) {
    case 0: .trim
    case 1: .lower
    case 2: .upper
    case 3: .squeeze
    case 4: .replace(separator(), with: one(of: ["", "-", "é\"", "\n"]))
    case 5: .prefix(one(of: ["x", "\"", "é"]))
    case 6: .suffix(one(of: ["x", "\\", "é"]))
    case 7: .stripPrefix(one(of: ["a", "é", "12"]))
    case 8: .stripSuffix(one(of: ["a", "é", "12"]))
    case 9: .slice(from: below(7) - 3, to: below(2) == 0 ? nil : below(9) - 3)
    case 10: .part(below(5) - 2, between: separator())
    case 11: .pad(below(12), one(of: ["0", "é", "\""]))
    default: .padEnd(below(12), one(of: ["0", "é", "\""]))
    }
  }

  private mutating func separator() -> String { one(of: [" ", "a", "1", "é", "aa", "\"", "\n"]) }

  private mutating func decimalChange() -> DecimalChange {
    let factor = one(of: ["0.001", "1000", "-2.5", "1.05", "3", "12345678901"])
    return DecimalChange(
      scale: below(3) == 0 ? nil : ExactNumber(factor), places: below(3) == 0 ? nil : below(6) - 2)
  }

  private mutating func numberType() -> ScalarType {
    one(of: [.number, .number, .decimal, .double, .int8, .int64, .uint32])
  }

  /// An object with a value for each key of ``shapes()``.
  mutating func shapedText() -> String {
    let members = Self.keys.filter { !$0.isEmpty && below(12) > 0 }.map { key in
      "\"\(key)\":\(space())\(shapedValue(depth: 0))"
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  private mutating func shapedValue(depth: Int) -> String {
    switch below(depth > 2 ? 6 : 11) {
    case 0: return one(of: ["null", "true", "false"])
    case 1: return number()
    case 2, 3: return string()
    case 4: return "\" \(one(of: ["a b", "A\\u00c9", "1 22", "12e3", "-0.5", "\u{3000}"])) \""
    case 5: return "\"\(number())\""
    case 6, 7: return JSONValue.string(shapedValue(depth: depth + 1)).description
    case 8:
      let entries = (0..<below(4)).map { _ in
        "{\"a\":\(shapedValue(depth: depth + 1)),\"b\":\(shapedValue(depth: depth + 1))}"
      }
      return "[" + entries.joined(separator: ",") + "]"
    case 9:
      return "[" + (0..<below(4)).map { _ in shapedValue(depth: 3) }.joined(separator: ", ") + "]"
    default: return text(depth: 3)
    }
  }
}
