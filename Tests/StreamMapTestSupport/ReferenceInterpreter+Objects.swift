@testable import StreamMap

// Objects: their fields, and what their keys say.
extension ReferenceInterpreter {
  func accepts(_ object: ObjectDefinition, _ choosers: Set<[ExactText]>, _ json: NaiveJSON) -> Bool
  {
    if object.isChosen || object.fields.contains(where: Self.looksAtAll) { return true }
    let asksOthers = (object.unknownKeys ?? .ignore) != .ignore || object.collects
    var hasKeys = !choosers.isEmpty && asksOthers || object.rest != nil
    var hasIndices = false
    for path in object.fields.flatMap(\.paths) {
      switch path.components.first {
      case .key?: hasKeys = true
      case .index?: hasIndices = true
      case nil: return true
      }
    }
    switch json.value {
    case .object: return hasKeys || !hasIndices
    case .array: return hasIndices
    default: return false
    }
  }

  /// Whether what makes a field looks at the object itself.
  private static func looksAtAll(_ field: ObjectDefinition.Field) -> Bool {
    func has(_ sources: [FormulaSource]?) -> Bool { sources?.contains(.path(JSONPath())) == true }
    switch field.making {
    case .calculated(let formula)?:
      var code = FormulaCode()
      try? formula.add(to: &code)
      return has(code.sources)
    case .cases(let cases)?:
      return cases.contains { one in
        has((try? one.when?.formula())?.sources) || looksAtAll(one.field)
          || one.field.paths.contains { $0.components.isEmpty }
      }
    case nil: return false
    }
  }

  /// Whether an object's fields are made from a value.
  func takes(
    _ object: ObjectDefinition, _ choosers: Set<[ExactText]>, _ json: NaiveJSON,
    _ definition: Definition
  ) -> Bool {
    guard json.isNull else { return accepts(object, choosers, json) }
    if case .take = definition.rules.null { return true }
    return false
  }

  mutating func fields(
    of object: ObjectDefinition, _ choosers: Set<[ExactText]>, _ json: NaiveJSON,
    _ definition: Definition
  ) -> Made? {
    var collected: [NaiveJSON.Member] = []
    if case .object(let members) = json.value {
      let taken = takenKeys(of: object, choosers)
      collected = members.filter { !taken.contains($0.exactKey) }
    }
    if object.takesFirst { collected = NaiveJSON.first(collected) }
    let parts = object.conditionParts
    var undecided: (any Error)?
    if let early = parts.early {
      do {
        if try !Self.holds(early, json, takesFirst: object.takesFirst) { return omitted() }
      } catch {
        undecided = error
      }
    }
    let isRefused = noteKeys(of: object, choosers, json)
    let rest = self.rest(of: object, choosers, json)
    func make(_ interpreter: inout ReferenceInterpreter, _ field: ObjectDefinition.Field) -> Made? {
      switch field.source {
      case .constant:
        return interpreter.map(nil, by: field.definition, container: json.position)
      case .unknown:
        let others = JSONValue.object(NaiveJSON.distinct(collected))
        return interpreter.map(
          NaiveJSON(others, at: json.position), by: field.definition, container: json.position)
      case .invalid: return nil
      case .fact(let fact):
        return interpreter.map(
          Self.value(of: fact, at: json.position), by: field.definition, container: json.position)
      case .path:
        let source = interpreter.source(of: field, in: json, takesFirst: object.takesFirst)
        return interpreter.follow(
          source.components[...], in: json, for: field, takesFirst: object.takesFirst,
          owner: json.position)
      }
    }
    if let undecided { note(undecided, json) }
    var written: [ExactText: String] = [:]
    let made = made(of: object, definition, isRefused: isRefused || undecided != nil, rest) {
      interpreter, field in
      let before = interpreter.path
      defer { interpreter.path = before }
      var made: Made?
      if let making = field.making {
        if undecided != nil { return nil }
        made = interpreter.made(field, making, json, takesFirst: object.takesFirst, make)
      } else {
        made = make(&interpreter, field)
      }
      made = interpreter.standing(made, for: field, from: before, json.position)
      written[ExactText(field.target.joined(separator: "."))] = made?.text
      return made
    }
    guard made != nil, let late = parts.late else { return made }
    do {
      return try Self.holds(late, json, takesFirst: object.takesFirst, fields: written)
        ? made : omitted()
    } catch {
      note(error, json)
      isAbsent = false
      return nil
    }
  }

  /// What stands for the value of a field that its condition leaves out: its whole path is named, even if null stands before its end.
  mutating func standing(
    _ made: Made?, for field: ObjectDefinition.Field, from before: JSONPath,
    _ position: SourcePosition
  ) -> Made? {
    if made != nil || !isOmitted { return made }
    path = before
    path.components += field.source.path?.components ?? []
    let definition = field.definition
    let made = stand(in: definition.rules.absent, .missing, position, for: definition)
    isAbsent = made == nil
    return made
  }

  mutating func omitted() -> Made? {
    isAbsent = true
    isOmitted = true
    return nil
  }

  /// An object that is absent itself: a field that takes all of it sees null, the others are absent.
  mutating func absentFields(
    of object: ObjectDefinition, _ container: SourcePosition, _ definition: Definition
  ) -> Made? {
    made(of: object, definition, isRefused: false) { interpreter, field in
      guard case .path(let source) = field.source else { return nil }
      if source.components.isEmpty {
        let null = NaiveJSON(.null, container)
        return interpreter.map(null, by: field.definition, container: container)
      }
      interpreter.path.components += source.components
      return interpreter.map(nil, by: field.definition, container: container)
    }
  }

  /// The object of its fields; nil if one of them has no value.
  private mutating func made(
    of object: ObjectDefinition, _ definition: Definition, isRefused: Bool,
    _ rest: [NaiveJSON.Member] = [],
    _ make: (inout ReferenceInterpreter, ObjectDefinition.Field) -> Made?
  ) -> Made? {
    var parts: [(name: String?, made: Made)] = []
    var fails = isRefused
    var failsByAbsence = (object.isTransparent || object.isOfParts) && !isRefused
    for (field, names) in zip(object.fields, object.targets) {
      let saved = (path, target)
      // An error in a part is one of the value that is made of it.
      if !object.isOfParts { target.components += names.map { .key($0) } }
      isAbsent = false
      let made = make(&self, field)
      (path, target) = saved
      if let made {
        parts.append((names.isEmpty ? nil : names.joined(separator: "."), made))
      } else {
        fails = true
        if !isAbsent { failsByAbsence = false }
      }
    }
    isAbsent = fails && failsByAbsence
    if fails { return nil }
    let kept: [(name: String?, made: Made)] = rest.map { member in
      (member.key, Made.text(member.value.written))
    }
    return Made.object(parts + kept, isTransparent: object.isTransparent, definition)
  }

  /// What a document that is mapped alone tells of itself; nil if that is absent.
  static func value(of fact: RecordFact, at position: SourcePosition) -> NaiveJSON? {
    switch fact {
    case .number: NaiveJSON(.number("1"), position)
    case .file: NaiveJSON(.null, position)
    case .key, .index, .offset, .line: nil
    }
  }

  // MARK: Sources

  private enum Found { case nothing, null, value }

  /// The first source of a field that has a value; if all have none or null, the first that has null, else the first.
  private func source(
    of field: ObjectDefinition.Field, in json: NaiveJSON, takesFirst: Bool
  ) -> JSONPath {
    let paths = field.paths
    let found = paths.map { look($0.components[...], in: json, takesFirst) }
    let index = found.firstIndex(of: .value) ?? found.firstIndex(of: .null) ?? 0
    return paths.indices.contains(index) ? paths[index] : JSONPath()
  }

  private func look(
    _ steps: ArraySlice<JSONPath.Component>, in json: NaiveJSON, _ takesFirst: Bool
  ) -> Found {
    if json.isNull { return .null }
    guard let step = steps.first else { return .value }
    switch (step, json.value) {
    case (.key, .object), (.index, .array):
      guard let next = Self.part(step, of: json, takesFirst) else { return .nothing }
      return look(steps.dropFirst(), in: next, takesFirst)
    default: return .value
    }
  }

  static func part(_ step: JSONPath.Component, of json: NaiveJSON, _ takesFirst: Bool)
    -> NaiveJSON?
  {
    switch (step, json.value) {
    case (.key(let key), .object(let members)):
      let all = members.filter { $0.key == key }
      return (takesFirst ? all.first : all.last)?.value
    case (.index(let index), .array(let elements)):
      return elements.indices.contains(index) ? elements[index] : nil
    default: return nil
    }
  }

  private mutating func follow(
    _ steps: ArraySlice<JSONPath.Component>, in json: NaiveJSON, for field: ObjectDefinition.Field,
    takesFirst: Bool, owner: SourcePosition
  ) -> Made? {
    guard let step = steps.first else { return map(json, by: field.definition, container: owner) }
    switch (step, json.value) {
    case (.key, .object), (.index, .array): break
    case (_, .null): return map(json, by: field.definition, container: owner)
    default:
      let definition = resolve(field.definition)
      return stand(in: definition.rules.invalid, .wrongType, json.position, for: definition)
    }
    guard let next = Self.part(step, of: json, takesFirst) else {
      path.components += Array(steps)
      return map(nil, by: field.definition, container: owner)
    }
    path.components.append(step)
    return follow(
      steps.dropFirst(), in: next, for: field, takesFirst: takesFirst, owner: owner)
  }

  // MARK: Keys

  /// The keys of members that belong to something: they are neither kept nor collected.
  func takenKeys(of object: ObjectDefinition, _ choosers: Set<[ExactText]>) -> Set<ExactText> {
    var taken = Set(choosers.compactMap(\.first))
    for look in looks(of: object) where look.isTaken {
      taken.formUnion(look.key.map { ExactText($0) })
    }
    for path in object.rest?.compactMap({ try? PathPattern(parsing: $0) }) ?? [] {
      if path.steps.count == 1, case .key(let key)? = path.steps.first {
        taken.insert(ExactText(key))
      }
    }
    return taken
  }

  /// The keys at which something looks, too.
  func knownKeys(of object: ObjectDefinition, _ choosers: Set<[ExactText]>) -> Set<ExactText> {
    looks(of: object).reduce(into: takenKeys(of: object, choosers)) {
      $0.formUnion($1.key.map { ExactText($0) })
    }
  }

  /// A path in an object at which something looks.
  private struct Look {
    let path: JSONPath
    /// Whether it takes what is there.
    var isTaken = true
    /// Whether the object has to look for members on it that come twice.
    var countsTwice = true

    var key: [String] { if case .key(let key)? = path.components.first { [key] } else { [] } }
  }

  private func looks(of object: ObjectDefinition) -> [Look] { Self.looks(of: object, []) }

  private static func looks(
    of object: ObjectDefinition, _ open: Set<Definition.Identity>
  ) -> [Look] {
    looked(by: object.condition) + object.fields.flatMap { looks(of: $0, open) }
  }

  private static func looks(
    of field: ObjectDefinition.Field, _ open: Set<Definition.Identity>
  ) -> [Look] {
    if case .cases(let cases)? = field.making {
      return cases.flatMap { looked(by: $0.when) + looks(of: $0.field, open) }
    }
    if case .calculated(let formula)? = field.making {
      var code = FormulaCode()
      try? formula.add(to: &code)
      return looked(code.sources)
    }
    return field.paths.flatMap { path in
      path.components.isEmpty ? looks(inside: field.definition, open) : [Look(path: path)]
    }
  }

  private static func looked(by condition: ConditionDefinition?) -> [Look] {
    looked((try? condition?.formula())?.sources ?? [])
  }

  private static func looked(_ sources: [FormulaSource]) -> [Look] {
    sources.compactMap { source in
      guard case .path(let path) = source, !path.components.isEmpty else { return nil }
      return Look(path: path, isTaken: false)
    }
  }

  /// What a mapping of the whole object looks at.
  private static func looks(
    inside definition: Definition, _ open: Set<Definition.Identity>
  ) -> [Look] {
    func all(_ definitions: [Definition]) -> [Look] {
      definitions.flatMap { looks(inside: $0, open) }
    }
    switch definition.kind {
    case .scalar, .json, .array, .dictionary, .mistake: return []
    case .object(let object):
      let reports = object.duplicateKeys == .fail || object.duplicateKeys == .report
      return looks(of: object, open).map { look in
        var look = look
        if look.countsTwice, reports { look.countsTwice = false }
        return look
      }
    case .transform(let inner), .rewritten(let inner, _), .split(let inner, _): return all([inner])
    case .firstOf(let alternatives, _): return all(alternatives)
    case .dispatch(let dispatch):
      let looks = all(dispatch.cases.map(\.definition) + [dispatch.fallback].compactMap(\.self))
      guard case .member(let keys) = dispatch.choice, !keys.isEmpty else { return looks }
      return looks + [Look(path: JSONPath(keys.map { .key($0) }), countsTwice: false)]
    case .reference(let identity, let make):
      if open.contains(identity) { return [] }
      return looks(inside: make(Registrations()), open.union([identity]))
    }
  }

  /// Notes unknown and repeated keys; returns whether the object fails because of them.
  mutating func noteKeys(
    of object: ObjectDefinition, _ choosers: Set<[ExactText]>, _ json: NaiveJSON
  ) -> Bool {
    var fails = false
    if case .object(let members) = json.value, let rule = object.unknownKeys, rule != .ignore {
      let known = knownKeys(of: object, choosers)
      for member in members where !known.contains(member.exactKey) {
        note(.unknownKey, isFatal: rule == .fail, member, below: path)
        fails = fails || rule == .fail
      }
    }
    if let rule = object.unknownKeys, rule != .ignore {
      let taken = takenKeys(of: object, choosers)
      // What is kept beside the fields is kept as a whole.
      let looks = looks(of: object).filter { look in
        object.rest == nil || look.key.allSatisfy { taken.contains(ExactText($0)) }
      }
      let ways =
        looks.map { (steps: $0.path.components[...], isTaken: $0.isTaken) }
        + choosers.map { (steps: $0.map { .key($0.text) }[...], isTaken: true) }
      fails = noteUnknown(inside: json, ways, rule, takesFirst: object.takesFirst, path) || fails
    }
    var paths = looks(of: object).filter(\.countsTwice).map { $0.path.components[...] }
    paths += choosers.map { $0.map { .key($0.text) }[...] }
    if object.looksAtOthers {
      paths += Set(
        choosers.compactMap(\.first) + looks(of: object).flatMap(\.key).map { ExactText($0) }
      )
      .map { [.key($0.text)] }
    }
    if object.rest != nil, case .object(let members) = json.value {
      let known = knownKeys(of: object, choosers)
      for member in members where !known.contains(member.exactKey) && object.hasField(member.key) {
        note(.duplicateKey, isFatal: false, member, below: path)
      }
    }
    if let rule = object.duplicateKeys, rule != .last, rule != .first {
      if object.collects || object.rest != nil, case .object(let members) = json.value {
        let known = takenKeys(of: object, choosers)
        for member in NaiveJSON.repeated(members)
        where !known.contains(member.exactKey) && (object.collects || !object.hasField(member.key))
        {
          note(.duplicateKey, isFatal: rule == .fail, member, below: path)
          fails = fails || rule == .fail
        }
      }
      fails = noteDuplicates(json, paths.filter { !$0.isEmpty }, rule, below: path) || fails
    }
    return fails
  }

  /// Notes the keys that nothing reads in what paths lead through, where nothing takes all of it.
  private mutating func noteUnknown(
    inside json: NaiveJSON, _ ways: [(steps: ArraySlice<JSONPath.Component>, isTaken: Bool)],
    _ rule: UnknownKeyPolicy, takesFirst: Bool, _ path: JSONPath
  ) -> Bool {
    var fails = false
    for step in Set(ways.compactMap(\.steps.first)) {
      let inside = ways.filter { $0.steps.first == step }
        .map { (steps: $0.steps.dropFirst(), isTaken: $0.isTaken) }
      if inside.contains(where: { $0.steps.isEmpty && $0.isTaken }) { continue }
      let onward = inside.filter { !$0.steps.isEmpty }
      guard !onward.isEmpty, let part = Self.part(step, of: json, takesFirst) else { continue }
      let names = Set(onward.compactMap(\.steps.first).filter { $0.isKey })
      let here = path.appending(step)
      if !names.isEmpty, case .object(let members) = part.value {
        for member in members where !names.contains(.key(member.key)) {
          note(.unknownKey, isFatal: rule == .fail, member, below: here)
          fails = fails || rule == .fail
        }
      }
      fails = noteUnknown(inside: part, onward, rule, takesFirst: takesFirst, here) || fails
    }
    return fails
  }

  private mutating func noteDuplicates(
    _ json: NaiveJSON, _ paths: [ArraySlice<JSONPath.Component>], _ rule: DuplicateKeyPolicy,
    below path: JSONPath
  ) -> Bool {
    var fails = false
    func onward(_ step: JSONPath.Component) -> [ArraySlice<JSONPath.Component>] {
      paths.filter { $0.first == step }.map { $0.dropFirst() }
    }
    switch json.value {
    case .object(let members):
      var seen: Set<ExactText> = []
      for member in members {
        let further = onward(.key(member.key))
        if further.isEmpty { continue }
        if !seen.insert(member.exactKey).inserted {
          note(.duplicateKey, isFatal: rule == .fail, member, below: path)
          if rule == .fail {
            fails = true
            continue
          }
        }
        fails =
          noteDuplicates(
            member.value, further.filter { !$0.isEmpty }, rule,
            below: path.appending(.key(member.key))) || fails
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        let further = onward(.index(index)).filter { !$0.isEmpty }
        if further.isEmpty { continue }
        fails =
          noteDuplicates(element, further, rule, below: path.appending(.index(index))) || fails
      }
    default: break
    }
    return fails
  }

  mutating func note(
    _ code: ErrorCode, isFatal: Bool, _ member: NaiveJSON.Member, below path: JSONPath,
    isInside: Bool = false
  ) {
    findings.append(
      Finding(
        severity: isFatal ? .fatal : .issue, code: code, path: path.appending(.key(member.key)),
        target: isInside ? target.appending(.key(member.key)) : target,
        position: member.keyPosition))
  }
}

extension JSONPath.Component {
  fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}

extension ObjectDefinition {
  /// Whether the first of equal keys is taken.
  var takesFirst: Bool { duplicateKeys == .first || duplicateKeys == .fail }

  /// Whether a field takes the members that are not the source of another field.
  var collects: Bool {
    fields.contains { if case .unknown = $0.source { true } else { false } }
  }

  /// Whether members may matter that no field names: a mapper may say what happens to them where the object does not.
  var looksAtOthers: Bool { unknownKeys != .ignore || collects || rest != nil }

  /// Whether a field is written by this key.
  fileprivate func hasField(_ name: String) -> Bool {
    fields.contains { $0.target.first.map { Array($0.utf8) == Array(name.utf8) } ?? false }
  }
}
