@testable import StreamMap

// Values made by one of several mappings or by functions, and rules.
extension ReferenceInterpreter {
  // MARK: Functions and rules

  /// The result of a function for a value, after its rules are checked.
  mutating func changed(
    _ made: Made, _ definition: Definition, _ position: SourcePosition, since before: Int
  ) -> Made? {
    do {
      switch made {
      case .text(let text):
        guard let function = (definition.operations as? OutputOperations)?.transform,
          let json = NaiveJSON(Array(text.utf8))?.json
        else { return checked(made, definition, position) }
        return checked(.text(try function.meaning(of: json).written), definition, position)
      case .typed(let box):
        guard let operations = definition.operations else { return nil }
        if operations.seesIssues {
          return try hooked(box, operations, definition, position, since: before)
        }
        let result = try TypedBox(operations) { try operations.transform(box.give(), into: $0) }
        return checked(.typed(result), definition, position)
      }
    } catch {
      return stand(in: definition.rules.invalid, Self.code(of: error), position, for: definition)
    }
  }

  /// The result of a function that sees the issues of its value: it may remove some and add others.
  private mutating func hooked(
    _ box: TypedBox, _ operations: ValueOperations, _ definition: Definition,
    _ position: SourcePosition, since before: Int
  ) throws -> Made? {
    let met = findings[before...].map { finding in
      MappingError(
        finding.code, severity: finding.severity, path: finding.path, target: finding.target,
        position: finding.position)
    }
    var issues = ValueIssues(met)
    let result = Result {
      try TypedBox(operations) { try operations.transform(box.give(), into: $0, issues: &issues) }
    }
    findings[before...] = ArraySlice(zip(findings[before...], issues.isKept).filter(\.1).map(\.0))
    for error in issues.reported {
      findings.append(
        Finding(
          severity: .issue, code: Self.code(of: error), path: path, target: target,
          position: position))
    }
    return checked(.typed(try result.get()), definition, position)
  }

  /// What another mapping makes of the JSON that one has made.
  mutating func rewritten(
    _ source: Made, _ then: Definition, _ definition: Definition, _ position: SourcePosition,
    since before: Int
  ) -> Made? {
    let json: JSONValue
    switch source {
    case .typed(let box): json = box.value()
    case .text(let text): json = NaiveJSON(Array(text.utf8))?.json ?? .null
    }
    guard let made = map(NaiveJSON(json, at: position), by: then, container: position) else {
      return afterFailure(definition, since: before)
    }
    return checked(made, definition, position)
  }

  private static func code(of error: any Error) -> ErrorCode {
    switch error {
    case let failure as ConversionFailure: failure.code
    case let failure as RuleFailure: failure.code
    default: .conversionFailed
    }
  }

  /// A finished value, after its rules are checked.
  mutating func checked(
    _ made: Made, _ definition: Definition, _ position: SourcePosition
  ) -> Made? {
    let broken: [RuleFailure]
    switch made {
    case .typed(let box):
      broken = definition.checks.flatMap { check in
        var failures: [RuleFailure]?
        check.add(failureOf: box.memory, isOptional: box.isOptional, to: &failures)
        return failures ?? []
      }
    case .text(let text):
      // No rule is run on null.
      guard !definition.checks.isEmpty, let json = NaiveJSON(Array(text.utf8))?.json, json != .null
      else { return made }
      var written = json.written
      broken = definition.checks.compactMap { check in
        written.withUTF8 { written in
          withUnsafePointer(to: WrittenValue(written)) { check.failure(of: UnsafeRawPointer($0)) }
        }
      }
    }
    if broken.isEmpty { return made }
    let action = definition.rules.invalid
    for failure in broken {
      _ = stand(in: action, Self.code(of: failure), position, for: definition)
    }
    return Made.substitute(action, definition)
  }

  // MARK: One of several

  mutating func first(
    of alternatives: [Definition], _ reportsEarlier: Bool, _ json: NaiveJSON?,
    _ definition: Definition, container: SourcePosition
  ) -> Made? {
    let before = findings.count
    let here = choosers
    var areAbsent = true
    for alternative in alternatives {
      let start = findings.count
      choosers = here
      guard let made = map(json, by: alternative, container: container) else {
        if !isAbsent { areAbsent = false }
        continue
      }
      if reportsEarlier { lower(from: before) } else { findings.removeSubrange(before..<start) }
      return checked(made, definition, json?.position ?? container)
    }
    if areAbsent, let made = standIn(forAbsent: definition, since: before) { return made }
    findings.removeSubrange(before...)
    let made = stand(
      in: definition.rules.invalid, .noAlternative, json?.position ?? container, for: definition)
    isAbsent = areAbsent && made == nil
    return made
  }

  mutating func choose(
    _ dispatch: DispatchDefinition, _ json: NaiveJSON, _ definition: Definition
  ) -> Made? {
    func find(_ label: String) -> Definition? {
      dispatch.cases.first { $0.label == label }?.definition ?? dispatch.fallback
    }
    guard case .member(let keys) = dispatch.choice, case .object = json.value else {
      let isByKind = if case .kind = dispatch.choice { true } else { false }
      guard let child = isByKind ? find(Self.kind(of: json)) : dispatch.fallback else {
        return stand(in: definition.rules.invalid, .wrongType, json.position, for: definition)
      }
      return follow(child, json, definition)
    }
    let found = Self.discriminator(keys[...], in: json)
    let here = choosers
    choosers.insert(keys.map { ExactText($0) })
    if let child = found.flatMap({ Self.label(of: $0) }).map(find) ?? dispatch.fallback {
      return follow(child, json, definition)
    }
    choosers = here
    let saved = path
    path.components += keys.map { .key($0) }
    defer { path = saved }
    return stand(
      in: definition.rules.invalid, found == nil ? .missing : .invalidValue,
      found.map { Self.addressOfChoice($0, in: json) } ?? json.position, for: definition)
  }

  private mutating func follow(_ child: Definition, _ json: NaiveJSON, _ definition: Definition)
    -> Made?
  {
    let before = findings.count
    guard let made = map(json, by: child, container: json.position) else {
      return afterFailure(definition, since: before)
    }
    return checked(made, definition, json.position)
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
  ///
  /// What code has made has no addresses of its own: all of it has the same one.
  private static func addressOfChoice(_ json: NaiveJSON, in object: NaiveJSON) -> SourcePosition {
    guard label(of: json) == nil, json.position != object.position else { return json.position }
    let start = json.position.bytes.lowerBound
    return SourcePosition(
      bytes: start..<start + 1, line: json.position.line, column: json.position.column)
  }
}
