import Foundation

@testable import StreamMap

/// Random typed mappings, of every combinator that goes both ways.
extension RandomCases {
  mutating func typedCase(depth: Int = 0) -> TypedCase {
    let bare = depth > 3 ? one(of: TypedCase.leaves) : typedContainer(depth)
    return below(4) == 0 ? ruled(wrapped(bare)) : wrapped(bare)
  }

  private mutating func typedContainer(_ depth: Int) -> TypedCase {
    switch below(depth == 0 ? 16 : 20) {
    case 0, 1: return array(of: typedCase(depth: depth + 1))
    case 2:
      let member = typedCase(depth: depth + 1)
      return below(3) == 0 ? keyedDictionary(of: member) : dictionary(of: member)
    case 3: return set(of: typedCase(depth: depth + 1))
    case 4: return pair(typedCase(depth: depth + 1), typedCase(depth: depth + 1))
    case 5: return joined(typedCase(depth: depth + 1), typedCase(depth: depth + 1))
    case 6: return alternatives(depth)
    case 7: return dispatch(depth)
    case 8: return tree(depth)
    case 9...15: return object(depth)
    default: return one(of: TypedCase.leaves)
    }
  }

  // MARK: Containers

  private mutating func array(of element: TypedCase) -> TypedCase {
    let mapping: Mapping<[Erased]> =
      below(3) == 0 ? .array(of: element.mapping, omitsInvalid: true) : .array(of: element.mapping)
    return TypedCase(mapping: .erased(mapping), kinds: [.array], hasSets: element.hasSets) {
      cases in
      Erased((0..<cases.below(4)).map { _ in element.value(&cases) })
    }
  }

  private mutating func dictionary(of member: TypedCase) -> TypedCase {
    TypedCase(
      mapping: .erased(.dictionary(of: member.mapping)), kinds: [.object], hasSets: member.hasSets
    ) { cases in
      var members: [String: Erased] = [:]
      for key in Self.keys where cases.below(3) == 0 { members[key] = member.value(&cases) }
      return Erased(members)
    }
  }

  private mutating func keyedDictionary(of member: TypedCase) -> TypedCase {
    let mapping: Mapping<[Int: Erased]> = .dictionary(keyedBy: .number, of: member.mapping)
    return TypedCase(mapping: .erased(mapping), kinds: [.object], hasSets: member.hasSets) {
      cases in
      var members: [Int: Erased] = [:]
      for _ in 0..<cases.below(4) { members[cases.integer()] = member.value(&cases) }
      return Erased(members)
    }
  }

  private mutating func set(of element: TypedCase) -> TypedCase {
    TypedCase(mapping: .erased(.set(of: element.mapping)), kinds: [.array], hasSets: true) {
      cases in
      Erased(Set((0..<cases.below(4)).map { _ in element.value(&cases) }))
    }
  }

  private mutating func pair(_ first: TypedCase, _ second: TypedCase) -> TypedCase {
    let tuple: Mapping<(Erased, Erased)> = .tuple(first.mapping, second.mapping)
    return TypedCase(
      mapping: .erased(
        tuple, { ErasedPair(first: $0.0, second: $0.1) }, { ($0.first, $0.second) }),
      kinds: [.array], hasSets: first.hasSets || second.hasSets
    ) { cases in Erased(ErasedPair(first: first.value(&cases), second: second.value(&cases))) }
  }

  private mutating func joined(_ first: TypedCase, _ second: TypedCase) -> TypedCase {
    let mapping: Mapping<Erased> = .joined(
      Part("first", first.mapping), Part("rest['se.cond']", second.mapping),
      by: { Erased([$0, $1]) },
      split: { value in
        guard let parts: [Erased] = value.value(), parts.count == 2 else {
          throw ConversionFailure(expected: "two parts")
        }
        return (parts[0], parts[1])
      })
    return TypedCase(mapping: mapping, kinds: [.object], hasSets: first.hasSets || second.hasSets) {
      cases in Erased([first.value(&cases), second.value(&cases)])
    }
  }

  // MARK: One of several

  /// Alternatives that can be told apart by the kind of their JSON: only they come back as what they were.
  private mutating func alternatives(_ depth: Int) -> TypedCase {
    var all = [typedCase(depth: depth + 1)]
    for _ in 0..<4 {
      let next = typedCase(depth: depth + 1)
      if all.allSatisfy({ $0.kinds.isDisjoint(with: next.kinds) }) { all.append(next) }
    }
    let list = all.map(\.mapping)
    let mapping: Mapping<Erased>
    if below(2) == 0, all.count == 2, let kind = all[0].kinds.first, all[0].kinds.count == 1 {
      mapping = .dispatch(byKind: [kind: list[0]], otherwise: list[1])
    } else {
      mapping = .firstOf(list, reportsEarlier: below(2) == 0)
    }
    let kinds = all.reduce(into: Set<JSONKind>()) { $0.formUnion($1.kinds) }
    let choices = all
    return TypedCase(mapping: mapping, kinds: kinds, hasSets: all.contains(where: \.hasSets)) {
      cases in
      let choice = choices[cases.below(choices.count)]
      return choice.value(&cases)
    }
  }

  /// Objects told apart by a member.
  private mutating func dispatch(_ depth: Int) -> TypedCase {
    let all = [object(depth), object(depth), object(depth)]
    let otherwise = below(2) == 0
    let path: FieldSource = one(of: ["kind", "meta.kind", "['k.d']"])
    let mapping: Mapping<Erased> = .dispatch(
      on: path, ["a": all[0].mapping, "b": all[1].mapping],
      otherwise: otherwise ? all[2].mapping : nil)
    return TypedCase(mapping: mapping, kinds: [.object], hasSets: all.contains(where: \.hasSets)) {
      cases in
      let choice = all[cases.below(otherwise ? 3 : 2)]
      return choice.value(&cases)
    }
  }

  /// Cases of any mappings, some of which have a member of their own where the discriminator is; and the cases.
  ///
  /// One of them is an object: rows of two mappings have the same type here, and an encoder tells cases by types.
  mutating func anyDispatch() -> (Mapping<Erased>, [TypedCase]) {
    let path: FieldSource = one(of: ["kind", "meta.kind", "in"])
    func own(_ labels: [String]) -> TypedCase {
      let member: Mapping<String> = .at(path, .string)
      return .leaf(member, .object) { $0.one(of: labels) }
    }
    let objectPlace = below(3)
    let all = (0..<3).map { place -> TypedCase in
      if place == objectPlace { return object(2) }
      return below(2) == 0 ? own(["a", "b", "c", ""]) : one(of: TypedCase.leaves)
    }
    let mapping: Mapping<Erased> = .dispatch(
      on: path, ["a": all[0].mapping, "b": all[1].mapping],
      otherwise: below(2) == 0 ? all[2].mapping : nil)
    return (mapping, all)
  }

  // MARK: Objects

  private func erased(_ object: Mapping<ErasedRow>, _ number: Int) -> Mapping<Erased> {
    .converted(
      from: object, { Erased($0) },
      reverse: { value in
        guard let row: ErasedRow = value.value(), row.number == number else {
          throw ConversionFailure(expected: "row \(number)")
        }
        return row
      })
  }

  /// A place that no other field of the object shares: its first key has the field's number.
  private mutating func place(_ number: Int) -> FieldSource {
    switch below(5) {
    case 0: .key("k.\(number)")
    case 1: .path("k\(number).a['b.c']")
    case 2: .path("k\(number)[1]")
    case 3: .path("/k\(number)/~1")
    default: .path("k\(number)")
    }
  }

  private mutating func object(_ depth: Int) -> TypedCase {
    let a = typedCase(depth: depth + 1)
    let b = typedCase(depth: depth + 1)
    // JSON has one null: an Optional of what may be null itself, or is made of nothing, does not come back.
    let free = typedCase(depth: depth + 1)
    let makesNothing = free.mapping.definition.policy?.absent.isSaid == true
    let c = free.kinds.contains(.null) || makesNothing ? TypedCase.leaves[0] : free
    // Two of one object are never the same.
    let number = Int.random(in: 1...(1 << 40), using: &random)
    let (firstPlace, secondPlace) = (place(1), place(2))
    var object: Mapping<ErasedRow>
    let shape = below(5)
    let (count, optionals, collects) = (
      shape == 0 ? 1 : 2, [2, 3].contains(shape) ? 1 : 0, shape == 4
    )
    switch shape {
    case 0:
      object = Mapping.object(ErasedRow.self) { field in
        let first = field(firstPlace, \.[field: 0], a.mapping)
        return field.make({ ErasedRow(number: number, values: [$0]) }, first)
      }
    case 1:
      object = Mapping.object(ErasedRow.self) { field in
        let first = field(firstPlace, \.[field: 0], a.mapping)
        let second = field(secondPlace, \.[field: 1], b.mapping)
        return field.make({ ErasedRow(number: number, values: [$0, $1]) }, first, second)
      }
    case 2, 3:
      let thirdPlace = place(3)
      object = Mapping.object(ErasedRow.self) { field in
        let first = field(firstPlace, \.[field: 0], a.mapping)
        let second = field(secondPlace, \.[field: 1], b.mapping)
        let third: Field<ErasedRow, Erased?> = field(thirdPlace, \.[optional: 0], c.mapping)
        return field.make(
          { ErasedRow(number: number, values: [$0, $1], optionals: [$2]) }, first, second, third)
      }
    default:
      object = Mapping.object(ErasedRow.self) { field in
        let first = field(firstPlace, \.[field: 0], a.mapping)
        let second = field(secondPlace, \.[field: 1], b.mapping)
        return field.make(
          creating: { ErasedRow(number: number, values: [Erased(0), Erased(0)]) }, first, second,
          field(collecting: \.others, .dictionary(of: .json)))
      }
    }
    switch below(8) {
    case 0: object = object.unknownKeys(collects ? .report : .fail)
    case 1: object = object.duplicateKeys(one(of: [.first, .report, .fail]))
    case 2: object = object.validated(Rule("number", expecting: "its own") { $0.number == number })
    default: break
    }
    return TypedCase(
      mapping: erased(object, number), kinds: [.object],
      hasSets: a.hasSets || b.hasSets || c.hasSets
    ) { cases in
      var row = ErasedRow(number: number, values: [a.value(&cases)])
      if count > 1 { row.values.append(b.value(&cases)) }
      if optionals > 0 { row.optionals = [cases.below(2) == 0 ? nil : c.value(&cases)] }
      if collects {
        for key in ["x", "y.z", ""] where cases.below(2) == 0 { row.others[key] = cases.json() }
      }
      return Erased(row)
    }
  }

  /// A mapping that contains itself.
  private mutating func tree(_ depth: Int) -> TypedCase {
    let leaf = one(of: TypedCase.leaves)
    let number = Int.random(in: 1...(1 << 40), using: &random)
    let tree: Mapping<ErasedRow> = .recursive { tree in
      Mapping.object(ErasedRow.self) { field in
        field.make(
          { ErasedRow(number: number, values: [$0], children: $1) },
          field("leaf", \.[field: 0], leaf.mapping),
          field("down.children", \.children, .array(of: tree).default([])))
      }
    }
    @Sendable func grow(_ cases: inout RandomCases, _ height: Int) -> ErasedRow {
      ErasedRow(
        number: number, values: [leaf.value(&cases)],
        children: (0..<cases.below(height)).map { _ in grow(&cases, height - 1) })
    }
    return TypedCase(mapping: erased(tree, number), kinds: [.object]) { Erased(grow(&$0, 3)) }
  }

  // MARK: Around a mapping

  private struct Refused: Error {}

  private mutating func wrapped(_ inner: TypedCase) -> TypedCase {
    let mapping = inner.mapping
    // What is lenient takes everything, with an issue.
    let everything = Set(JSONKind.allCases)
    switch below(28) {
    case 0:
      return inner.by(.at(one(of: ["in", "in.to", "in[0]", "/in/2"]), mapping), kinds: [.object])
    case 1:
      return below(2) == 0
        ? inner.by(.wrapped(in: ["up"], .at("up", mapping)))
        : inner.by(.wrapped(in: ["up", "a.b"], .at("up['a.b']", mapping)))
    case 2: return inner.by(.decoding(mapping, encoding: mapping))
    case 3:
      return inner.by(
        .preTransformed(
          mapping,
          { value in
            guard let inner = value["wrapped"] else { throw ConversionFailure(expected: "a wrap") }
            return inner
          }, reverse: { ["wrapped": $0] }), kinds: [.object])
    case 4:
      let parsed: Mapping<JSONValue> = .converted(
        from: .string, { try Self.parser.decode($0.utf8).get() },
        reverse: { String(decoding: try Self.parser.encode($0), as: UTF8.self) })
      return inner.by(.piped(parsed, into: mapping), kinds: [.string])
    case 5:
      return inner.by(mapping.postProcessed { json, value in value })
    case 6: return inner.by(mapping.recovering { _ in nil }, kinds: everything)
    case 7:
      return inner.by(
        .converted(
          from: mapping, { Erased([$0]) },
          reverse: { value in
            guard let list: [Erased] = value.value(), list.count == 1 else { throw Refused() }
            return list[0]
          })
      ).mapped { Erased([$0]) }
    case 8 where !inner.kinds.contains(.null):
      let value = inner.value(&self)
      return inner.by(
        one(of: [
          mapping.default(value), mapping.default(value, when: .missingOrInvalid),
          mapping.default(value, when: .failing), mapping.notNull(),
        ]), kinds: everything)
    case 9 where !inner.kinds.contains(.null):
      let nullable: Mapping<Erased?> =
        below(2) == 0 ? .nullable(mapping) : .nullable(mapping, when: .missingOrInvalid)
      let isInside = below(2) == 0
      return TypedCase(
        mapping: .erased(nullable), kinds: everything, hasSets: inner.hasSets
      ) { cases in
        Erased(isInside || cases.below(2) == 0 ? Optional(inner.value(&cases)) : nil)
      }
    case 10:
      let cast: Mapping<any Sendable> = .casting(mapping)
      return inner.by(
        .converted(
          from: cast,
          { value in
            guard let value = value as? Erased else { throw Refused() }
            return value
          }, reverse: { $0 }))
    default: return inner
    }
  }

  private static let parser: Mapper<JSONValue> = {
    do { return try Mapper(Mapping<JSONValue>.json) } catch { fatalError("\(error)") }
  }()

  /// The mapping with rules that its values keep to.
  private mutating func ruled(_ inner: TypedCase) -> TypedCase {
    let all = Rule<Erased>("all", expecting: "anything") { _ in true }
    let none = Rule<Erased>("none", expecting: "nothing") { _ in false }
    return inner.by(
      inner.mapping.validated(
        one(of: [all, .not(none), .either(none, all), .all(all, .not(none))])))
  }
}

extension TypedCase {
  /// Other values of the same mapping.
  fileprivate func mapped(_ change: @escaping @Sendable (Erased) -> Erased) -> TypedCase {
    TypedCase(mapping: mapping, kinds: kinds, hasSets: hasSets) { change(value(&$0)) }
  }
}
