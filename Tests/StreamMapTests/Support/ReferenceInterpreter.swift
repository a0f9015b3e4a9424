import Foundation

@testable import StreamMap

/// What a mapping means, the slow and obvious way: a tree is read and looked at, nothing is compiled.
///
/// The machine is held against it: same outcome, same errors at the same addresses, same output text.
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

  private(set) var findings: [Finding] = []
  private var path = JSONPath()
  private var target = JSONPath()

  /// The output text of a mapped value, nil where there is none.
  ///
  /// Of typed mappings only whether it is nil counts.
  static func map(_ json: NaiveJSON, by definition: Definition) -> (
    text: String?, findings: [Finding]
  ) {
    var interpreter = ReferenceInterpreter()
    let text = interpreter.map(json, by: definition, container: json.position)
    return (text, interpreter.findings)
  }

  private mutating func map(_ json: NaiveJSON?, by given: Definition, container: SourcePosition)
    -> String?
  {
    let definition = resolve(given)
    let policy = definition.policy ?? Policy()
    let before = findings.count
    guard let json else { return absent(definition, policy, container) }
    if case .null = json.value, case .take = policy.null {
      if case .transform(let inner) = definition.kind {
        return map(json, by: inner, container: container)
      }
      return "null"
    }
    if case .null = json.value { return stand(in: policy.null, .null, json.position) }
    switch definition.kind {
    case .transform(let inner):
      if let text = map(json, by: inner, container: container) { return text }
      return afterFailure(policy, since: before)
    case .object(let object):
      guard accepts(object, json) else {
        return stand(in: policy.invalid, .wrongType, json.position)
      }
      return fields(of: object, json) ?? afterFailure(policy, since: before)
    case .array(let element, let rule):
      guard case .array(let elements) = json.value else {
        return stand(in: policy.invalid, .wrongType, json.position)
      }
      return array(elements, element, rule) ?? afterFailure(policy, since: before)
    case .dictionary(let value):
      guard case .object(let members) = json.value else {
        return stand(in: policy.invalid, .wrongType, json.position)
      }
      return dictionary(members, value) ?? afterFailure(policy, since: before)
    case .json: return Self.text(json)
    case .scalar(let kind):
      if let code = Self.verdict(json, kind) {
        return stand(in: policy.invalid, code, json.position)
      }
      return Self.text(json)
    // The random mappings hold no others: these have tests of their own.
    case .reference, .mistake, .rewritten, .split, .firstOf, .dispatch: return nil
    }
  }

  private mutating func absent(
    _ definition: Definition, _ policy: Policy, _ container: SourcePosition
  ) -> String? {
    if case .take = policy.absent, case .transform(let inner) = definition.kind {
      return map(nil, by: inner, container: container)
    }
    return stand(in: policy.absent, .missing, container)
  }

  private mutating func stand(
    in action: Policy.Action, _ code: ErrorCode, _ position: SourcePosition
  ) -> String? {
    if action.fails || action.isReported {
      findings.append(
        Finding(
          severity: action.fails ? .fatal : .issue, code: code, path: path, target: target,
          position: position))
    }
    return Self.substitute(action)
  }

  private mutating func afterFailure(_ policy: Policy, since start: Int) -> String? {
    if !policy.invalid.fails { lower(from: start) }
    return Self.substitute(policy.invalid)
  }

  private mutating func lower(from start: Int) {
    for index in findings.indices.dropFirst(start) { findings[index].severity = .issue }
  }

  private static func substitute(_ action: Policy.Action) -> String? {
    switch action {
    case .fail, .take, .leave: nil
    case .useNil: "null"
    case .supply(let supply, _): supply.json.description
    }
  }

  // MARK: Containers

  private func accepts(_ object: ObjectDefinition, _ json: NaiveJSON) -> Bool {
    var hasKeys = false
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

  private mutating func fields(of object: ObjectDefinition, _ json: NaiveJSON) -> String? {
    var parts: [String]? = []
    for field in object.fields {
      let saved = (path, target)
      target = target.appending(.key(field.target))
      let text: String?
      switch field.source {
      case .constant, .unknown: text = map(nil, by: field.definition, container: json.position)
      case .invalid: text = nil
      case .path(let source):
        text = follow(source.components[...], in: json, for: field, owner: json.position)
      }
      (path, target) = saved
      if let text { parts?.append("\"\(field.target)\":\(text)") } else { parts = nil }
      if text == nil { failed = true }
    }
    defer { failed = false }
    return failed ? nil : "{" + (parts ?? []).joined(separator: ",") + "}"
  }

  private var failed = false

  private mutating func follow(
    _ steps: ArraySlice<JSONPath.Component>, in json: NaiveJSON, for field: ObjectDefinition.Field,
    owner: SourcePosition
  ) -> String? {
    let outer = failed
    failed = false
    defer { failed = outer }
    guard let step = steps.first else { return map(json, by: field.definition, container: owner) }
    let policy = resolve(field.definition).policy ?? Policy()
    var next: NaiveJSON?
    switch (step, json.value) {
    case (.key(let key), .object(let members)): next = members.last { $0.key == key }?.value
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
    return follow(steps.dropFirst(), in: next, for: field, owner: owner)
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
    return fails ? nil : "[" + parts.joined(separator: ",") + "]"
  }

  private mutating func dictionary(
    _ members: [(key: String, value: NaiveJSON)], _ value: Definition
  ) -> String? {
    var order: [String] = []
    var last: [String: NaiveJSON] = [:]
    for member in members where last.updateValue(member.value, forKey: member.key) == nil {
      order.append(member.key)
    }
    var parts: [String] = []
    var fails = false
    for key in order {
      guard let json = last[key] else { continue }
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
    return fails ? nil : "{" + parts.joined(separator: ",") + "}"
  }

  // MARK: References

  private func resolve(_ definition: Definition) -> Definition {
    guard case .reference(_, let make) = definition.kind else { return definition }
    let target = resolve(make(Registrations()))
    let policy = definition.policy ?? target.policy
    if definition.wrapsReference { return target.storingOptional(policy: policy ?? Policy()) }
    return Definition(
      target.kind, policy: policy, operations: target.operations, expected: target.expected)
  }

  // MARK: Scalars

  private static func verdict(_ json: NaiveJSON, _ kind: ScalarKind) -> ErrorCode? {
    switch (kind, json.value) {
    case (.any, .string), (.any, .number), (.any, .bool), (.string, .string), (.bool, .bool),
      (.number, .number):
      return nil
    case (.integer(let kind), .number(let text)): return integer(text, kind)
    case (.double, .number(let text)):
      return Double(text)?.isFinite == true ? nil : .numberOutOfRange
    case (.float, .number(let text)): return Float(text)?.isFinite == true ? nil : .numberOutOfRange
    case (.decimal, .number(let text)):
      let digits = text.prefix { !"eE".contains($0) }.filter(\.isNumber).drop { $0 == "0" }
      return digits.count <= 38 ? nil : .numberOutOfRange
    case (.url(let schemes), .string(let text)):
      return StringToURL.url(text, schemes: schemes) == nil ? .invalidValue : nil
    case (.uuid, .string(let text)): return UUID(uuidString: text) == nil ? .invalidValue : nil
    case (.date, .string(let text)):
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions =
        text.contains(".")
        ? [.withInternetDateTime, .withFractionalSeconds] : [.withInternetDateTime]
      return formatter.date(from: text) == nil ? .invalidValue : nil
    default: return .wrongType
    }
  }

  private static func integer(_ text: String, _ kind: IntegerKind) -> ErrorCode? {
    guard let value = Decimal(string: text) else { return .invalidValue }
    var rounded = Decimal()
    var source = value
    NSDecimalRound(&rounded, &source, 0, .plain)
    if rounded != value { return .invalidValue }
    func fits<Value: FixedWidthInteger>(_: Value.Type) -> Bool {
      value >= Decimal(string: "\(Value.min)") ?? 0 && value <= Decimal(string: "\(Value.max)") ?? 0
    }
    let isInside =
      switch kind {
      case .int, .int64: fits(Int64.self)
      case .int8: fits(Int8.self)
      case .int16: fits(Int16.self)
      case .int32: fits(Int32.self)
      case .uint, .uint64: fits(UInt64.self)
      case .uint8: fits(UInt8.self)
      case .uint16: fits(UInt16.self)
      case .uint32: fits(UInt32.self)
      }
    return isInside ? nil : .numberOutOfRange
  }

  private static func text(_ json: NaiveJSON) -> String {
    switch json.value {
    case .null: return "null"
    case .bool(let value): return "\(value)"
    case .number(let text): return text
    case .string(let text): return JSONValue.string(text).description
    case .array(let elements): return "[" + elements.map(text).joined(separator: ",") + "]"
    case .object(let members):
      return "{"
        + members.map { "\(JSONValue.string($0.key)):\(text($0.value))" }.joined(separator: ",")
        + "}"
    }
  }
}
