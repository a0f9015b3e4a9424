import Foundation

@testable import StreamMap

/// The meaning of a mapping, computed in the slow and obvious way: it reads a tree and looks at it; nothing is compiled.
///
/// The machine is compared with it: same outcome, same errors at the same addresses, same output text, equal typed value.
/// What a mapping means is decided here once more, not asked of the code under test. Shared are only the definition
/// itself, the code of the mapping's author in it, and what moves typed values in memory.
struct ReferenceInterpreter {
  struct Finding: Hashable, CustomStringConvertible {
    var severity: MappingError.Severity
    let code: ErrorCode
    let path: JSONPath
    let target: JSONPath
    let position: SourcePosition?

    var description: String {
      "\(severity) \(code) \(path) → \(target) \(position.map { "\($0)" } ?? "-")"
    }
  }

  /// What a mapping makes of a document.
  struct Answer {
    let made: Made?
    let findings: [Finding]
    /// Whether a condition leaves the document out.
    var isOmitted = false

    /// The text of an output record; nil if there is none.
    var text: String? { if case .text(let text)? = made { text } else { nil } }

    /// The value of a typed mapping; nil if there is none.
    func value<Value>(as _: Value.Type = Value.self) -> Value? {
      if case .typed(let box)? = made { box.value() } else { nil }
    }
  }

  var findings: [Finding] = []
  var path = JSONPath()
  var target = JSONPath()
  /// Whether the value that was mapped last is missing only because of absent or null values.
  var isAbsent = false {
    didSet { isOmitted = false }
  }
  /// Whether that is because a condition leaves it out.
  var isOmitted = false
  /// The paths, each of keys, by which dispatches chose the next mapping.
  var choosers: Set<[ExactText]> = []

  static func map(_ json: NaiveJSON, by definition: Definition) -> Answer {
    var interpreter = ReferenceInterpreter()
    let made = interpreter.map(json, by: definition, container: json.position)
    return Answer(
      made: made, findings: interpreter.findings,
      isOmitted: made == nil && interpreter.isOmitted)
  }

  mutating func map(_ json: NaiveJSON?, by given: Definition, container: SourcePosition) -> Made? {
    let definition = resolve(given)
    if case .split(let forward, _) = definition.kind {
      let decoded = forward.changed {
        $0.policy = definition.policy ?? forward.policy
        $0.checks += definition.checks
      }
      return map(json, by: decoded, container: container)
    }
    let before = findings.count
    let choosers = choosers
    guard let json else { return absent(definition, container) }
    if case .object(let object) = definition.kind, let condition = object.conditionParts.early,
      !takes(object, choosers, json, definition)
    {
      do {
        if try !Self.holds(condition, json, takesFirst: object.takesFirst) { return omitted() }
      } catch {
        note(error, json)
        return afterFailure(definition, since: before)
      }
    }
    if case .null = json.value {
      guard case .take = definition.rules.null else {
        let made = stand(in: definition.rules.null, .null, json.position, for: definition)
        isAbsent = made == nil
        return made
      }
    }
    switch definition.kind {
    case .transform, .firstOf, .dispatch: break
    default: self.choosers = []
    }
    let made: Made?
    switch definition.kind {
    case .transform(let inner):
      guard let inner = map(json, by: inner, container: container) else {
        return afterFailure(definition, since: before)
      }
      return changed(inner, definition, json.position, since: before)
    case .rewritten(let source, let then):
      guard let source = map(json, by: source, container: container) else {
        return afterFailure(definition, since: before)
      }
      return rewritten(source, then, definition, json.position, since: before)
    case .firstOf(let alternatives, let reportsEarlier):
      return first(of: alternatives, reportsEarlier, json, definition, container: container)
    case .dispatch(let dispatch):
      return choose(dispatch, json, definition)
    case .object(let object):
      // Null comes here only if something is made of it.
      guard json.isNull || accepts(object, choosers, json) else {
        return stand(in: definition.rules.invalid, .wrongType, json.position, for: definition)
      }
      made = fields(of: object, choosers, json, definition)
      if made == nil, isOmitted {
        findings.removeSubrange(before...)
        return nil
      }
    case .array(let element, let rule):
      guard case .array(let elements) = json.value else {
        return stand(in: definition.rules.invalid, .wrongType, json.position, for: definition)
      }
      made = array(elements, element, rule, definition)
    case .dictionary(let value, let rule):
      guard case .object(let members) = json.value else {
        return stand(in: definition.rules.invalid, .wrongType, json.position, for: definition)
      }
      made = dictionary(members, value, rule ?? .last, definition)
    case .json(let form): made = Made.json(json, form, definition)
    case .scalar(let type, let options):
      if let code = Self.verdict(json, type, options) {
        return stand(in: definition.rules.invalid, code, json.position, for: definition)
      }
      made = Self.scalar(json, type, definition)
    case .reference, .split, .mistake: return nil
    }
    guard let made else { return afterFailure(definition, since: before) }
    return checked(made, definition, json.position)
  }

  private mutating func absent(_ definition: Definition, _ container: SourcePosition) -> Made? {
    let before = findings.count
    if case .take = definition.rules.absent {
      switch definition.kind {
      case .transform(let inner):
        guard let inner = map(nil, by: inner, container: container) else {
          return afterFailure(definition, since: before)
        }
        return changed(inner, definition, container, since: before)
      case .rewritten(let source, let then):
        guard let source = map(nil, by: source, container: container) else {
          return afterFailure(definition, since: before)
        }
        return rewritten(source, then, definition, container, since: before)
      case .firstOf(let alternatives, let reportsEarlier):
        return first(of: alternatives, reportsEarlier, nil, definition, container: container)
      case .object(let object):
        guard let made = absentFields(of: object, container, definition) else {
          return afterFailure(definition, since: before)
        }
        return checked(made, definition, container)
      default: break
      }
    }
    let made = stand(in: definition.rules.absent, .missing, container, for: definition)
    isAbsent = made == nil
    return made
  }

  mutating func stand(
    in action: Policy.Action, _ code: ErrorCode, _ position: SourcePosition,
    for definition: Definition
  ) -> Made? {
    isAbsent = false
    let isFatal = Self.fails(action)
    if isFatal || Self.isReported(action) {
      findings.append(
        Finding(
          severity: isFatal ? .fatal : .issue, code: code, path: path, target: target,
          position: position))
    }
    return Made.substitute(action, definition)
  }

  mutating func afterFailure(_ definition: Definition, since start: Int) -> Made? {
    if isAbsent, let made = standIn(forAbsent: definition, since: start) { return made }
    let action = definition.rules.invalid
    if Self.fails(action) { return nil }
    lower(from: start)
    return Made.substitute(action, definition)
  }

  /// The substitute for a value that lacks absent parts.
  mutating func standIn(forAbsent definition: Definition, since start: Int) -> Made? {
    let action = definition.rules.absent
    guard let made = Made.substitute(action, definition) else { return nil }
    if Self.isReported(action) { lower(from: start) } else { findings.removeSubrange(start...) }
    return made
  }

  mutating func lower(from start: Int) {
    for index in findings.indices.dropFirst(start) { findings[index].severity = .issue }
  }

  // MARK: Collections

  private mutating func array(
    _ elements: [NaiveJSON], _ element: Definition, _ rule: Definition.ElementRule,
    _ definition: Definition
  ) -> Made? {
    var parts: [Made] = []
    var fails = false
    for (index, json) in elements.enumerated() {
      let saved = (path, target)
      path = path.appending(.index(index))
      target = target.appending(.index(index))
      let before = findings.count
      if let made = map(json, by: element, container: json.position) {
        parts.append(made)
      } else if isOmitted {
        // It is as if it were not there.
      } else if case .omit = rule {
        lower(from: before)
      } else {
        fails = true
      }
      (path, target) = saved
    }
    isAbsent = false
    return fails ? nil : Made.array(parts, definition)
  }

  private mutating func dictionary(
    _ members: [NaiveJSON.Member], _ value: Definition, _ rule: DuplicateKeyPolicy,
    _ definition: Definition
  ) -> Made? {
    if let operations = definition.typedOperations {
      return operations.hasStringKeys
        ? held(members, value, rule, definition) : keyed(members, value, rule, operations)
    }
    var order: [ExactText] = []
    var taken: [ExactText: NaiveJSON] = [:]
    var parts: [(key: String, made: Made)] = []
    var fails = false
    for member in members {
      let key = ExactText(member.key)
      if taken[key] == nil {
        order.append(key)
      } else {
        if rule == .fail || rule == .report {
          note(.duplicateKey, isFatal: rule == .fail, member, below: path, isInside: true)
        }
        if rule == .fail { fails = true }
        if rule == .first || rule == .fail { continue }
      }
      taken[key] = member.value
    }
    for key in order {
      guard let json = taken[key] else { continue }
      if let made = member(key.text, json, value) {
        parts.append((key.text, made))
      } else {
        fails = true
      }
    }
    isAbsent = false
    return fails ? nil : Made.dictionary(parts, definition)
  }

  private mutating func member(_ key: String, _ json: NaiveJSON, _ value: Definition) -> Made? {
    let saved = (path, target)
    defer { (path, target) = saved }
    path = path.appending(.key(key))
    target = target.appending(.key(key))
    return map(json, by: value, container: json.position)
  }

  /// A dictionary of the program, with Swift's Strings as keys: of those that it takes for one it holds one, which is told.
  private mutating func held(
    _ members: [NaiveJSON.Member], _ value: Definition, _ rule: DuplicateKeyPolicy,
    _ definition: Definition
  ) -> Made? {
    // As Swift compares them: with the key that is there, and the value.
    var held: [String: (key: String, made: Made)] = [:]
    var seen: Set<ExactText> = []
    var strings: Set<String> = []
    var failed: Set<ExactText> = []
    var isRefused = false
    for member in members {
      let isNew = seen.insert(ExactText(member.key)).inserted
      if rule != .last {
        let isMerged = isNew && !strings.insert(member.key).inserted
        if isMerged || !isNew && rule != .first {
          note(.duplicateKey, isFatal: rule == .fail, member, below: path, isInside: true)
          if rule == .fail { isRefused = true }
        }
        if isMerged || !isNew, !rule.replaces { continue }
      }
      if !isNew { forget(member.key) }
      failed.remove(ExactText(member.key))
      guard let made = self.member(member.key, member.value, value) else {
        failed.insert(ExactText(member.key))
        continue
      }
      let before = held.updateValue((member.key, made), forKey: member.key)
      if rule == .last, let before, before.key != member.key {
        let place = NaiveJSON.Member(
          key: member.key, keyPosition: member.value.position, value: member.value)
        note(.duplicateKey, isFatal: false, place, below: path, isInside: true)
      }
    }
    isAbsent = false
    if isRefused || !failed.isEmpty { return nil }
    return Made.dictionary(held.values.map { ($0.key, $0.made) }, definition)
  }

  /// A dictionary of the program, whose keys are made of texts: a key that it cannot have is told at the key.
  private mutating func keyed(
    _ members: [NaiveJSON.Member], _ value: Definition, _ rule: DuplicateKeyPolicy,
    _ operations: ValueOperations
  ) -> Made? {
    let dictionary = HalfBuiltDictionary(operations)
    var seen: Set<ExactText> = []
    var failed: Set<ExactText> = []
    var isRefused = false
    for member in members {
      if !seen.insert(member.exactKey).inserted {
        if rule == .fail || rule == .report {
          note(.duplicateKey, isFatal: rule == .fail, member, below: path, isInside: true)
        }
        if rule == .fail { isRefused = true }
        if !rule.replaces { continue }
        forget(member.key)
        failed.remove(member.exactKey)
      }
      do {
        try dictionary.take(key: member.key)
      } catch {
        let code = (error as? ConversionFailure)?.code ?? .conversionFailed
        note(code, isFatal: true, member, below: path, isInside: true)
        isRefused = true
        continue
      }
      if let box = self.member(member.key, member.value, value)?.box {
        dictionary.insert(box, under: member.key)
      } else {
        failed.insert(member.exactKey)
      }
    }
    isAbsent = false
    return isRefused || !failed.isEmpty ? nil : .typed(dictionary.finish())
  }

  /// Forgets what was found in an earlier member with a key, but not that it came twice.
  private mutating func forget(_ key: String) {
    let path = path.appending(.key(key))
    findings.removeAll { finding in
      finding.path.starts(with: path) && (finding.code != .duplicateKey || finding.path != path)
    }
  }

  // MARK: References

  /// The mapping that a reference leads to; what the reference says holds around what its target says.
  func resolve(_ definition: Definition) -> Definition {
    guard case .reference(_, let make) = definition.kind else { return definition }
    let target = resolve(make(Registrations()))
    let policy = Self.around(definition.rules, target.rules)
    let merged = target.changed {
      $0.policy = policy
      $0.checks += definition.checks
    }
    return definition.wrapsReference ? merged.storingOptional(policy: policy) : merged
  }
}
