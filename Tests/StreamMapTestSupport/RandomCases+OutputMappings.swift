@testable import StreamMap

/// Random mappings to output records, of every combinator that these have.
extension RandomCases {
  mutating func mapping(depth: Int = 0) -> OutputMapping {
    var mapping = bareMapping(depth)
    if below(6) == 0 { mapping = mapping.validated(rules()) }
    switch below(6) {
    case 0: mapping = .nullable(mapping, when: one(of: DefaultCondition.allCases))
    case 1:
      mapping = mapping.default(
        one(of: [.number("1"), .string("é\n"), .array([.null]), .bool(true)]))
    case 2:
      mapping = mapping.default(
        one(of: [.null, .string("alternative")]), when: one(of: [.missingOrInvalid, .failing]))
    default: break
    }
    return mapping
  }

  private mutating func bareMapping(_ depth: Int) -> OutputMapping {
    switch below(depth > 3 ? 6 : depth == 0 ? 20 : 18) {
    case 0, 1, 2, 3: return scalar()
    case 4, 5: return one(of: [.any, .nullable(.any), .raw])
    case 6: return .array(of: mapping(depth: depth + 1), omitsInvalid: below(2) == 0)
    case 7:
      return OutputMapping.dictionary(of: mapping(depth: depth + 1))
        .duplicateKeys(duplicatePolicy())
    case 8: return converted(from: mapping(depth: depth + 1))
    case 9, 10:
      let alternatives = (0..<one(of: [1, 2, 3])).map { _ in mapping(depth: depth + 1) }
      return .firstOf(alternatives, reportsEarlier: below(3) > 0)
    case 11: return dispatchByKind(depth)
    case 12: return dispatchByMember(depth)
    case 13:
      var kinds: [ExactText: Bool] = [:]
      return OutputMapping.at(source(&kinds), mapping(depth: depth + 1))
        .duplicateKeys(duplicatePolicy())
    default: return objectMapping(depth)
    }
  }

  private mutating func scalar() -> OutputMapping {
    OutputMapping(scalar: one(of: ScalarType.allCases))
  }

  private struct Thrown: Error {}

  private mutating func converted(from mapping: OutputMapping) -> OutputMapping {
    let way = below(5)
    return .converted(from: mapping, expected: "another") { value in
      switch (way, value) {
      case (0, .string(let text)): return .string(text.uppercased())
      case (0, _): throw ConversionFailure(expected: "a string")
      case (1, _): return .array([value])
      case (2, .number): throw RuleFailure(rule: "none", expected: "no number")
      case (3, .bool): throw Thrown()
      case (4, .array(let elements)): return elements.first ?? .null
      default: return value
      }
    }
  }

  private mutating func dispatchByKind(_ depth: Int) -> OutputMapping {
    var cases: [(JSONKind, OutputMapping)] = []
    for kind in JSONKind.allCases where below(2) == 0 {
      cases.append((kind, mapping(depth: depth + 1)))
    }
    if cases.isEmpty { cases = [(.string, .string)] }
    return .dispatch(byKind: cases, otherwise: otherwise(depth))
  }

  private mutating func dispatchByMember(_ depth: Int) -> OutputMapping {
    var labels = ["a", "x", "12", "", "true", "null", "7", "word"]
    let cases = (0..<one(of: [1, 2, 4])).map { _ in
      // What takes no objects is a mistake.
      (labels.remove(at: below(labels.count)), objectMapping(depth + 1))
    }
    let keys = (0..<one(of: [1, 1, 2])).map { _ in one(of: Self.keys) }
    return .dispatch(on: .keys(keys), cases, otherwise: otherwise(depth))
  }

  private mutating func otherwise(_ depth: Int) -> OutputMapping? {
    below(2) == 0 ? mapping(depth: depth + 1) : nil
  }

  private mutating func rules() -> [Rule<JSONValue>] {
    @Sendable func count(_ value: JSONValue) -> Int {
      switch value {
      case .array(let elements): elements.count
      case .object(let members): members.count
      case .string(let text), .number(let text): text.unicodeScalars.count
      case .bool, .null: 1
      }
    }
    let limit = below(4)
    let small = Rule<JSONValue>("small", expecting: "small") { count($0) <= limit }
    let odd = Rule<JSONValue>("odd", expecting: "odd") { count($0) % 2 == 1 }
    return [one(of: [small, odd, .not(small), .either(small, odd), .all(small, odd)])]
      + (below(3) == 0 ? [odd] : [])
  }

  private mutating func duplicatePolicy() -> DuplicateKeyPolicy {
    one(of: [.last, .last, .last, .first, .report, .fail])
  }

  private mutating func objectMapping(_ depth: Int) -> OutputMapping {
    var kinds: [ExactText: Bool] = [:]
    var fields = (0..<one(of: [1, 2, 3, 5])).map { number in
      let name = "\(number)" + one(of: ["", "name", "'é"])
      return below(12) == 0
        ? OutputField(name, constant: .array([.number("1.50"), .object([.init("k", .null)])]))
        : OutputField(name, from: source(&kinds), mapping(depth: depth + 1))
    }
    if below(8) == 0 {
      let fact = one(of: [RecordFact.key, .index, .number, .file])
      fields.append(OutputField("fact", fact, mapping(depth: depth + 1)))
    }
    var rest = OutputRest.dropped
    if below(10) == 0 {
      fields.append(OutputField(collecting: "others"))
    } else if below(5) == 0 {
      // A name that a member may have, too.
      if below(2) == 0 {
        fields.append(OutputField(one(of: Self.keys.filter { !$0.isEmpty }), constant: .bool(true)))
      }
      rest = self.rest(beside: fields)
    }
    return OutputMapping.object(fields, rest: rest)
      .unknownKeys(one(of: [.ignore, .ignore, .ignore, .report, .fail]))
      .duplicateKeys(duplicatePolicy())
  }

  /// Paths whose first keys no field names.
  private mutating func rest(beside fields: [OutputField]) -> OutputRest {
    let taken = fields.flatMap { field in
      ([field.definition.source.path].compactMap(\.self) + field.definition.fallbacks)
        .compactMap(\.components.first)
    }
    let free = Self.keys.filter { !taken.contains(.key($0)) }
    if free.isEmpty || below(2) == 0 { return .kept }
    return .kept(
      except: (0..<one(of: [1, 2, 4])).map { _ in
        var pattern = PathPattern([.key(one(of: free))])
        for _ in 0..<one(of: [0, 0, 1, 1, 2]) {
          pattern.steps.append(
            one(of: [
              .key(one(of: Self.keys)), .index(below(3)), .wildcard,
              .elements(from: 1, to: nil, by: 1),
              .elements(from: 0, to: 2, by: 1),
            ]))
        }
        return pattern.description
      })
  }

  /// A path that continues by keys or by indices just as the others of its object do at the same place.
  private mutating func source(_ kinds: inout [ExactText: Bool]) -> FieldSource {
    var pattern = PathPattern([])
    if below(25) == 0 { return .path("$") }
    for _ in 0..<one(of: [1, 1, 1, 2, 3]) {
      let isIndex = kinds[ExactText(pattern.description)] ?? (below(5) == 0)
      kinds[ExactText(pattern.description)] = isIndex
      pattern.steps.append(isIndex ? .index(below(4)) : .key(one(of: Self.keys)))
    }
    return .path(pattern.description)
  }
}
