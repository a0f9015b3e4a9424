// Keys that no field has for its source, and keys that occur twice.

/// What becomes of a member that no field has for its source.
public enum UnknownKeyPolicy: Sendable, Hashable {
  /// It is passed over.
  case ignore
  /// It is passed over, and an issue.
  case report
  /// It is an error.
  case fail

  var rule: UnknownKeyRule {
    switch self {
    case .ignore: .ignore
    case .report: .report
    case .fail: .fail
    }
  }
}

/// What becomes of a member whose key occurred before in the same object.
public enum DuplicateKeyPolicy: Sendable, Hashable {
  /// It replaces the earlier one.
  case last
  /// It is passed over.
  case first
  /// It replaces the earlier one, and is an issue.
  case report
  /// It is an error.
  case fail

  var rule: DuplicateKeyRule {
    switch self {
    case .last: .last
    case .first: .first
    case .report: .report
    case .fail: .fail
    }
  }
}

extension Mapping {
  /// What becomes of members that no field has for its source; only for a mapping made from fields.
  ///
  /// To keep them, see ``FieldBuilder/callAsFunction(collecting:_:)``.
  public func unknownKeys(_ policy: UnknownKeyPolicy) -> Mapping {
    changingObject("a mapping made from fields") { $0.unknownKeys = policy.rule }
  }

  /// What becomes of members whose key occurred before; only for a mapping made from fields and for a dictionary.
  ///
  /// ```swift
  /// let prices: Mapping<[String: Decimal]> = .dictionary(of: .decimal).duplicateKeys(.fail)
  /// ```
  ///
  /// Keys are compared after unescaping: of a dictionary all, of a mapping made from fields those of the fields and those
  /// that ``FieldBuilder/callAsFunction(collecting:_:)`` collects. Keys inside a part that is taken as a whole are not looked at: a
  /// ``JSONValue`` has the last of equal ones, a ``RawJSON`` all of them.
  ///
  /// - Complexity: With another policy than `.last` the keys of a dictionary and those that are collected are remembered until
  ///   their object ends.
  public func duplicateKeys(_ policy: DuplicateKeyPolicy) -> Mapping {
    if case .dictionary(let member, _) = definition.kind {
      return Mapping(definition.with(kind: .dictionary(member, duplicateKeys: policy.rule)))
    }
    return changingObject("a mapping made from fields or to a dictionary") {
      $0.duplicateKeys = policy.rule
    }
  }

  private func changingObject(_ owner: String, _ change: (inout ObjectDefinition) -> Void)
    -> Mapping
  {
    guard case .object(var object) = definition.kind else {
      return Mapping(
        definition.with(
          kind: .mistake("only \(owner) can have a policy for keys"))
      )
    }
    change(&object)
    return Mapping(definition.with(kind: .object(object)))
  }
}
