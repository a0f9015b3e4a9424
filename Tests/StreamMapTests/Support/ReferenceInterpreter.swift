import Foundation

@testable import StreamMap

/// The meaning of a mapping, computed in the slow and obvious way: it reads a tree and looks at it; nothing is compiled.
///
/// The machine is compared with it: same outcome, same errors at the same addresses, same output text.
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

  var findings: [Finding] = []
  var path = JSONPath()
  var target = JSONPath()
  /// Whether the value that was mapped last is missing only because of absent or null values.
  var isAbsent = false
  /// The keys by which dispatches chose the next mapping.
  var choosers: Set<String> = []

  /// The output text of a mapped value, nil if there is none.
  ///
  /// For typed mappings, only whether it is nil matters.
  static func map(_ json: NaiveJSON, by definition: Definition) -> (
    text: String?, findings: [Finding]
  ) {
    var interpreter = ReferenceInterpreter()
    let text = interpreter.map(json, by: definition, container: json.position)
    return (text, interpreter.findings)
  }

  mutating func map(_ json: NaiveJSON?, by given: Definition, container: SourcePosition)
    -> String?
  {
    let definition = resolve(given)
    let policy = definition.policy ?? Policy()
    let before = findings.count
    let choosers = choosers
    guard let json else { return absent(definition, policy, container) }
    if case .null = json.value {
      guard case .take = policy.null else {
        let text = stand(in: policy.null, .null, json.position)
        isAbsent = text == nil
        return text
      }
    }
    let text: String?
    switch definition.kind {
    case .transform, .firstOf, .dispatch: break
    default: self.choosers = []
    }
    switch definition.kind {
    case .transform(let inner):
      guard let inner = map(json, by: inner, container: container) else {
        return afterFailure(policy, since: before)
      }
      return changed(inner, definition, policy, json.position)
    case .firstOf(let alternatives, let reportsEarlier):
      return first(of: alternatives, reportsEarlier, json, definition, container: container)
    case .dispatch(let dispatch):
      return choose(dispatch, json, definition)
    case .object(let object):
      // Null comes here only if something is made of it.
      guard json.isNull || accepts(object, choosers, json) else {
        return stand(in: policy.invalid, .wrongType, json.position)
      }
      text = fields(of: object, choosers, json)
    case .array(let element, let rule):
      guard case .array(let elements) = json.value else {
        return stand(in: policy.invalid, .wrongType, json.position)
      }
      text = array(elements, element, rule)
    case .dictionary(let value, let rule):
      guard case .object(let members) = json.value else {
        return stand(in: policy.invalid, .wrongType, json.position)
      }
      text = dictionary(members, value, rule ?? .last)
    case .json: text = Self.text(json)
    case .scalar(let type, let options):
      if let code = Self.verdict(json, type, options) {
        return stand(in: policy.invalid, code, json.position)
      }
      text = Self.text(json)
    // Only typed mappings have these: they have tests of their own.
    case .reference, .mistake, .rewritten, .split: return nil
    }
    guard let text else { return afterFailure(policy, since: before) }
    return checked(text, definition, policy, json.position)
  }

  private mutating func absent(
    _ definition: Definition, _ policy: Policy, _ container: SourcePosition
  ) -> String? {
    let before = findings.count
    if case .take = policy.absent {
      switch definition.kind {
      case .transform(let inner):
        guard let inner = map(nil, by: inner, container: container) else {
          return afterFailure(policy, since: before)
        }
        return changed(inner, definition, policy, container)
      case .firstOf(let alternatives, let reportsEarlier):
        return first(of: alternatives, reportsEarlier, nil, definition, container: container)
      case .object(let object):
        guard let text = absentFields(of: object, container) else {
          return afterFailure(policy, since: before)
        }
        return checked(text, definition, policy, container)
      default: break
      }
    }
    let text = stand(in: policy.absent, .missing, container)
    isAbsent = text == nil
    return text
  }

  mutating func stand(
    in action: Policy.Action, _ code: ErrorCode, _ position: SourcePosition
  ) -> String? {
    isAbsent = false
    if action.fails || action.isReported {
      findings.append(
        Finding(
          severity: action.fails ? .fatal : .issue, code: code, path: path, target: target,
          position: position))
    }
    return Self.substitute(action)
  }

  mutating func afterFailure(_ policy: Policy, since start: Int) -> String? {
    if isAbsent, let text = standIn(forAbsent: policy, since: start) { return text }
    if policy.invalid.fails { return nil }
    lower(from: start)
    return Self.substitute(policy.invalid)
  }

  /// The substitute for a value that lacks absent parts.
  mutating func standIn(forAbsent policy: Policy, since start: Int) -> String? {
    guard let text = Self.substitute(policy.absent) else { return nil }
    if policy.absent.isReported { lower(from: start) } else { findings.removeSubrange(start...) }
    return text
  }

  mutating func lower(from start: Int) {
    for index in findings.indices.dropFirst(start) { findings[index].severity = .issue }
  }

  static func substitute(_ action: Policy.Action) -> String? {
    switch action {
    case .unsaid, .fail, .take, .leave: nil
    case .useNil: "null"
    case .substitute(let substitute, _): substitute.json.description
    }
  }

  // MARK: Containers

  private func accepts(
    _ object: ObjectDefinition, _ choosers: Set<String>, _ json: NaiveJSON
  ) -> Bool {
    var hasKeys = !choosers.isEmpty && object.asksForUnknownKeys
    var hasIndices = false
    for field in object.fields {
      guard case .path(let path) = field.source else { continue }
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

  private mutating func fields(
    of object: ObjectDefinition, _ choosers: Set<String>, _ json: NaiveJSON
  ) -> String? {
    var collected: [NaiveJSON.Member] = []
    if case .object(let members) = json.value {
      let known = knownKeys(of: object, choosers)
      collected = members.filter { !known.contains($0.key) }
    }
    if object.takesFirst { collected = NaiveJSON.first(collected) }
    let isRefused = noteKeys(of: object, choosers, json)
    var parts: [String] = []
    var fails = isRefused
    var failsByAbsence = object.isTransparent && !isRefused
    for (field, names) in zip(object.fields, object.targets) {
      let saved = (path, target)
      target.components += names.map { .key($0) }
      isAbsent = false
      let text: String?
      switch field.source {
      case .constant: text = map(nil, by: field.definition, container: json.position)
      case .unknown: text = JSONValue.object(NaiveJSON.distinct(collected)).description
      case .invalid: text = nil
      case .path(let source):
        text = follow(
          source.components[...], in: json, for: field, takesFirst: object.takesFirst,
          owner: json.position)
      }
      (path, target) = saved
      if let text {
        parts.append(names.isEmpty ? text : "\"\(names.joined(separator: "."))\":\(text)")
      } else {
        fails = true
        if !isAbsent { failsByAbsence = false }
      }
    }
    isAbsent = fails && failsByAbsence
    if fails { return nil }
    return object.isTransparent ? parts.joined() : "{" + parts.joined(separator: ",") + "}"
  }

  /// The only field of a value at a path that is absent.
  private mutating func absentFields(of object: ObjectDefinition, _ container: SourcePosition)
    -> String?
  {
    guard let field = object.fields.first, case .path(let source) = field.source else { return nil }
    let saved = path
    defer { path = saved }
    path.components += source.components
    return map(nil, by: field.definition, container: container)
  }

  private mutating func follow(
    _ steps: ArraySlice<JSONPath.Component>, in json: NaiveJSON, for field: ObjectDefinition.Field,
    takesFirst: Bool, owner: SourcePosition
  ) -> String? {
    guard let step = steps.first else { return map(json, by: field.definition, container: owner) }
    let policy = resolve(field.definition).policy ?? Policy()
    var next: NaiveJSON?
    switch (step, json.value) {
    case (.key(let key), .object(let members)):
      next =
        takesFirst
        ? members.first { $0.key == key }?.value : members.last { $0.key == key }?.value
    case (.index(let index), .array(let elements)):
      next = elements.indices.contains(index) ? elements[index] : nil
    case (_, .null): return map(json, by: field.definition, container: owner)
    default: return stand(in: policy.invalid, .wrongType, json.position)
    }
    guard let next else {
      path.components += Array(steps)
      return map(nil, by: field.definition, container: owner)
    }
    path.components.append(step)
    return follow(
      steps.dropFirst(), in: next, for: field, takesFirst: takesFirst, owner: owner)
  }

  private mutating func array(
    _ elements: [NaiveJSON], _ element: Definition, _ rule: Definition.ElementRule
  ) -> String? {
    var parts: [String] = []
    var fails = false
    for (index, json) in elements.enumerated() {
      let saved = (path, target)
      path = path.appending(.index(index))
      target = target.appending(.index(index))
      let before = findings.count
      if let text = map(json, by: element, container: json.position) {
        parts.append(text)
      } else if case .omit = rule {
        lower(from: before)
      } else {
        fails = true
      }
      (path, target) = saved
    }
    isAbsent = false
    return fails ? nil : "[" + parts.joined(separator: ",") + "]"
  }

  private mutating func dictionary(
    _ members: [NaiveJSON.Member], _ value: Definition, _ rule: DuplicateKeyPolicy
  ) -> String? {
    var order: [String] = []
    var taken: [String: NaiveJSON] = [:]
    var parts: [String] = []
    var fails = false
    for member in members {
      if taken[member.key] == nil {
        order.append(member.key)
      } else {
        if rule == .fail || rule == .report {
          note(.duplicateKey, isFatal: rule == .fail, member, below: path, isInside: true)
        }
        if rule == .fail { fails = true }
        if rule == .first || rule == .fail { continue }
      }
      taken[member.key] = member.value
    }
    for key in order {
      guard let json = taken[key] else { continue }
      let saved = (path, target)
      path = path.appending(.key(key))
      target = target.appending(.key(key))
      if let text = map(json, by: value, container: json.position) {
        parts.append("\(JSONValue.string(key)):\(text)")
      } else {
        fails = true
      }
      (path, target) = saved
    }
    isAbsent = false
    return fails ? nil : "{" + parts.joined(separator: ",") + "}"
  }

  // MARK: References

  private func resolve(_ definition: Definition) -> Definition {
    guard case .reference(_, let make) = definition.kind else { return definition }
    let target = resolve(make(Registrations()))
    let policy = (definition.policy ?? Policy()).around(target.policy ?? Policy())
    if definition.wrapsReference { return target.storingOptional(policy: policy) }
    return Definition(
      target.kind, policy: policy, operations: target.operations, expected: target.expected)
  }
}
