@testable import StreamMap

// Values made by one of several mappings or by functions, rules, and the keys of objects.
extension ReferenceInterpreter {
  // MARK: Functions and rules

  /// The result of a function for a value's text, after its rules are checked; functions of typed mappings are not called.
  mutating func changed(
    _ text: String, _ definition: Definition, _ policy: Policy, _ position: SourcePosition
  ) -> String? {
    guard let function = definition.operations as? OutputTransform,
      let json = NaiveJSON(Array(text.utf8))?.json
    else { return checked(text, definition, policy, position) }
    let code: ErrorCode
    do {
      let text = try function.change(json).description
      return checked(text, definition, policy, position)
    } catch let failure as ConversionFailure {
      code = failure.code
    } catch is RuleFailure {
      code = .validationFailed
    } catch {
      code = .conversionFailed
    }
    return stand(in: policy.invalid, code, position)
  }

  /// A finished value, after its rules are checked.
  mutating func checked(
    _ text: String, _ definition: Definition, _ policy: Policy, _ position: SourcePosition
  ) -> String? {
    let isTyped = definition.operations != nil && !(definition.operations is OutputTransform)
    guard !isTyped, !definition.checks.isEmpty, let json = NaiveJSON(Array(text.utf8))?.json,
      json != .null
    else { return text }
    var isBroken = false
    var written = json.description
    for check in definition.checks {
      let failure = written.withUTF8 { written in
        withUnsafePointer(to: WrittenValue(written)) { check.failure(of: UnsafeRawPointer($0)) }
      }
      guard failure != nil else { continue }
      isBroken = true
      _ = stand(in: policy.invalid, .validationFailed, position)
    }
    return isBroken ? Self.substitute(policy.invalid) : text
  }

  // MARK: One of several

  mutating func first(
    of alternatives: [Definition], _ reportsEarlier: Bool, _ json: NaiveJSON?,
    _ definition: Definition, container: SourcePosition
  ) -> String? {
    let policy = definition.policy ?? Policy()
    let before = findings.count
    let here = choosers
    var areAbsent = true
    for alternative in alternatives {
      let start = findings.count
      choosers = here
      guard let text = map(json, by: alternative, container: container) else {
        if !isAbsent { areAbsent = false }
        continue
      }
      if reportsEarlier { lower(from: before) } else { findings.removeSubrange(before..<start) }
      return checked(text, definition, policy, json?.position ?? container)
    }
    if areAbsent, let text = standIn(forAbsent: policy, since: before) { return text }
    findings.removeSubrange(before...)
    let text = stand(in: policy.invalid, .noAlternative, json?.position ?? container)
    isAbsent = areAbsent && text == nil
    return text
  }

  mutating func choose(
    _ dispatch: DispatchDefinition, _ json: NaiveJSON, _ definition: Definition
  ) -> String? {
    let policy = definition.policy ?? Policy()
    func find(_ label: String) -> Definition? {
      dispatch.cases.first { $0.label == label }?.definition ?? dispatch.fallback
    }
    guard case .member(let keys) = dispatch.choice, case .object = json.value else {
      let isByKind = if case .kind = dispatch.choice { true } else { false }
      guard let child = isByKind ? find(Self.kind(of: json)) : dispatch.fallback else {
        return stand(in: policy.invalid, .wrongType, json.position)
      }
      return follow(child, json, definition)
    }
    let found = Self.discriminator(keys[...], in: json)
    let here = choosers
    choosers.insert(keys[0])
    if let child = found.flatMap({ Self.label(of: $0) }).map(find) ?? dispatch.fallback {
      return follow(child, json, definition)
    }
    choosers = here
    let saved = path
    path.components += keys.map { .key($0) }
    defer { path = saved }
    return stand(
      in: policy.invalid, found == nil ? .missing : .invalidValue,
      found.map(Self.addressOfChoice) ?? json.position)
  }

  private mutating func follow(_ child: Definition, _ json: NaiveJSON, _ definition: Definition)
    -> String?
  {
    let policy = definition.policy ?? Policy()
    let before = findings.count
    guard let text = map(json, by: child, container: json.position) else {
      return afterFailure(policy, since: before)
    }
    return checked(text, definition, policy, json.position)
  }

  private static func kind(of json: NaiveJSON) -> String {
    switch json.value {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// The text by which a scalar chooses; nil for a container.
  private static func label(of json: NaiveJSON) -> String? {
    switch json.value {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text), .string(let text): text
    case .array, .object: nil
    }
  }

  /// The value that chooses: the first value at the end of the path, in the order of the text.
  private static func discriminator(_ keys: ArraySlice<String>, in json: NaiveJSON) -> NaiveJSON? {
    guard let key = keys.first else { return json }
    guard case .object(let members) = json.value else { return nil }
    for member in members where member.key == key {
      if let found = discriminator(keys.dropFirst(), in: member.value) { return found }
    }
    return nil
  }

  /// The address of a container is that of its first byte.
  private static func addressOfChoice(_ json: NaiveJSON) -> SourcePosition {
    guard label(of: json) == nil else { return json.position }
    let start = json.position.bytes.lowerBound
    return SourcePosition(
      bytes: start..<start + 1, line: json.position.line, column: json.position.column)
  }

  // MARK: Keys

  func knownKeys(of object: ObjectDefinition, _ choosers: Set<String>) -> Set<String> {
    var known = choosers.union(object.keysOfWholeFields(Registrations()))
    for field in object.fields {
      if case .path(let path) = field.source, case .key(let key)? = path.components.first {
        known.insert(key)
      }
    }
    return known
  }

  /// Notes unknown and repeated keys; returns whether the object fails because of them.
  mutating func noteKeys(
    of object: ObjectDefinition, _ choosers: Set<String>, _ json: NaiveJSON
  ) -> Bool {
    var fails = false
    if case .object(let members) = json.value, let rule = object.unknownKeys, rule != .ignore {
      let known = knownKeys(of: object, choosers)
      for member in members where !known.contains(member.key) {
        note(.unknownKey, isFatal: rule == .fail, member, below: path)
        fails = fails || rule == .fail
      }
    }
    var paths = object.fields.compactMap { field in
      if case .path(let path) = field.source { path.components[...] } else { nil }
    }
    if object.asksForUnknownKeys {
      let others = choosers.union(object.keysOfWholeFields(Registrations()))
      paths += others.map { [.key($0)] }
    }
    if let rule = object.duplicateKeys, rule != .last, rule != .first {
      if object.collects, case .object(let members) = json.value {
        let known = knownKeys(of: object, choosers)
        for member in NaiveJSON.repeated(members) where !known.contains(member.key) {
          note(.duplicateKey, isFatal: rule == .fail, member, below: path)
          fails = fails || rule == .fail
        }
      }
      fails = noteDuplicates(json, paths.filter { !$0.isEmpty }, rule, below: path) || fails
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
      var seen: Set<String> = []
      for member in members {
        let further = onward(.key(member.key))
        if further.isEmpty { continue }
        if !seen.insert(member.key).inserted {
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

extension ObjectDefinition {
  /// Whether the first of equal keys is taken.
  var takesFirst: Bool { duplicateKeys == .first || duplicateKeys == .fail }

  /// Whether a field takes the members that are no other field's source.
  var collects: Bool {
    fields.contains { if case .unknown = $0.source { true } else { false } }
  }
}
