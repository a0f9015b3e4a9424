extension Definition {
  /// What the mapping writes into output records.
  ///
  /// - Parameter context: What the values from outside the records are, by their numbers.
  /// - Returns: The type.
  func output(_ context: [OutputValue]) -> OutputValue {
    var value = ofKind(context)
    let policy = policy ?? Policy()
    for action in [policy.absent, policy.null, policy.invalid] {
      switch action {
      case .substitute(let substitute, _): value = value.including(substitute, context)
      case .useNil: value.isNullable = true
      case .unsaid, .fail, .take, .leave: break
      }
    }
    return value
  }

  /// The type of its output for a value that exists.
  private func ofKind(_ context: [OutputValue]) -> OutputValue {
    if case .scalar(let type, _) = kind { return OutputValue(.scalar(type)) }
    if case .array(let element, _) = kind { return OutputValue(.array(element.output(context))) }
    if case .dictionary(let value, _) = kind {
      return OutputValue(.dictionary(value.output(context)))
    }
    if case .object(let object) = kind { return object.output(context) }
    if case .dispatch(let dispatch) = kind { return dispatch.output(context) }
    if case .transform(let source) = kind {
      guard let operations = operations as? OutputOperations else { return .json }
      return operations.transform.output(source.output(context))
    }
    // All else writes what its parts write, and JSON if it has none. A type that contains itself is no part: it has no end as a tree.
    return OutputValue(
      ofAny: children.filter(\.role.makesResult).map { $0.definition.output(context) })
  }
}

extension DispatchDefinition {
  fileprivate func output(_ context: [OutputValue]) -> OutputValue {
    var values: [OutputValue] = []
    var takesNull = false
    for (label, definition) in cases {
      if case .kind = choice, label == JSONKind.null.rawValue, case .json = definition.kind {
        takesNull = true
        continue
      }
      var value = definition.output(context)
      // Null is a kind of its own.
      if case .kind = choice, case .json = definition.kind { value.isNullable = false }
      values.append(value)
    }
    if let fallback { values.append(fallback.output(context)) }
    var value = OutputValue(ofAny: values)
    if takesNull { value.isNullable = true }
    return value
  }
}

extension ObjectDefinition {
  fileprivate func output(_ context: [OutputValue]) -> OutputValue {
    if isTransparent { return fields.first?.output(context) ?? .json }
    let members = zip(fields, targets).map { field, target in
      OutputObject.Member(
        name: target.joined(separator: "."), value: field.output(context))
    }
    return OutputValue(.object(OutputObject(members: members, isOpen: rest != nil)))
  }
}

extension ObjectDefinition.Field {
  fileprivate func output(_ context: [OutputValue]) -> OutputValue {
    switch (making, source) {
    case (.calculated, _): return definition.output(context)
    case (.cases(let cases), _):
      var value = OutputValue(ofAny: cases.map { $0.field.output(context) })
      if case .substitute(let substitute, _)? = definition.policy?.absent {
        value = value.including(substitute, context)
      }
      return value
    case (nil, .constant):
      guard case .substitute(let substitute, _)? = definition.policy?.absent else { return .json }
      return OutputValue(substitute, context)
    case (nil, .unknown): return OutputValue(.dictionary(.json))
    case (nil, .fact(let fact)):
      let value = definition.output(context)
      // As the record tells it, if it is not made of something else.
      if case .rewritten = definition.kind { return value }
      guard value.type == .scalar(.any) else { return value }
      return OutputValue(OutputValue(fact).type, isNullable: value.isNullable)
    case (nil, .path), (nil, .invalid): return definition.output(context)
    }
  }
}

extension OutputValue {
  /// The type of what stands in for a value.
  fileprivate init(_ substitute: Substitute, _ context: [OutputValue]) {
    if let fact = substitute.fact {
      self.init(fact)
    } else if let number = substitute.contextValue {
      self = context.indices.contains(number) ? context[number] : .json
    } else {
      self.init(of: substitute.json)
    }
  }

  fileprivate init(_ fact: RecordFact) {
    switch fact {
    case .number, .offset, .line, .index: self.init(.scalar(.int64))
    case .file: self.init(.scalar(.string), isNullable: true)
    case .key: self.init(.scalar(.string))
    }
  }

  fileprivate func including(_ substitute: Substitute, _ context: [OutputValue]) -> OutputValue {
    if !substitute.isOfRecord { return including(substitute.json) }
    return union(OutputValue(substitute, context))
  }
}
