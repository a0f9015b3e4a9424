// Keys that are not the source of any field, and keys that occur twice.

extension Mapping {
  /// What happens to members that are not the source of any field; only for a mapping made from fields.
  ///
  /// To keep these members, see ``FieldBuilder/callAsFunction(collecting:_:)``.
  public func unknownKeys(_ policy: UnknownKeyPolicy) -> Mapping {
    Mapping(definition.unknownKeys(policy))
  }

  /// What happens to members whose key occurred before; only for a mapping made from fields and for a dictionary.
  ///
  /// ```swift
  /// let prices: Mapping<[String: Decimal]> = .dictionary(of: .decimal).duplicateKeys(.fail)
  /// ```
  ///
  /// Keys are compared after unescaping. In a dictionary, all keys are compared. In a mapping made from fields, only the
  /// keys of the fields and those that ``FieldBuilder/callAsFunction(collecting:_:)`` collects are compared. Keys inside a
  /// part that is taken as a whole are not: if a key occurs twice there, a ``JSONValue`` has the last member, a ``RawJSON``
  /// all of them.
  ///
  /// - Complexity: With any policy but `.last`, the keys of a dictionary and collected keys are remembered until their
  ///   object ends.
  public func duplicateKeys(_ policy: DuplicateKeyPolicy) -> Mapping {
    Mapping(definition.duplicateKeys(policy))
  }
}

extension OutputMapping {
  /// What happens to members that are not the source of any field: see ``Mapping/unknownKeys(_:)``.
  public func unknownKeys(_ policy: UnknownKeyPolicy) -> OutputMapping {
    OutputMapping(definition.unknownKeys(policy))
  }

  /// What happens to members whose key occurred before: see ``Mapping/duplicateKeys(_:)``.
  ///
  /// For a mapping made from fields, for a dictionary, and for ``at(_:_:)``, where it applies to the keys of the path.
  public func duplicateKeys(_ policy: DuplicateKeyPolicy) -> OutputMapping {
    OutputMapping(definition.duplicateKeys(policy))
  }
}

extension Definition {
  fileprivate func unknownKeys(_ policy: UnknownKeyPolicy) -> Definition {
    changingObject("a mapping made from fields") { $0.unknownKeys = policy }
  }

  fileprivate func duplicateKeys(_ policy: DuplicateKeyPolicy) -> Definition {
    if case .dictionary(let member, _) = kind {
      return with(kind: .dictionary(member, duplicateKeys: policy))
    }
    return changingObject("a mapping made from fields or to a dictionary") {
      $0.duplicateKeys = policy
    }
  }

  private func changingObject(_ owner: String, _ change: (inout ObjectDefinition) -> Void)
    -> Definition
  {
    guard case .object(var object) = kind else {
      return with(kind: .mistake("only \(owner) can have a policy for keys"))
    }
    change(&object)
    return with(kind: .object(object))
  }
}
