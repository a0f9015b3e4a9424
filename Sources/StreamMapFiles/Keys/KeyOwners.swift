import StreamMap

/// Where keys belong that stand in a map by mistake.
enum KeyOwners {
  /// The keys of maps inside others, by the key that these maps stand under.
  private static var inner: [(owner: String, entries: [MappingPart.Entry])] {
    [
      (FileKey.input.name, MappingPart.input.entries),
      (InputKey.limits.name, MappingPart.limits.entries),
      (FileKey.errors.name, MappingPart.errors.entries),
      (FileKey.output.name, MappingPart.output.entries),
      (OutputKey.arrays.name, MappingPart.arrays.entries),
      (ValueKey.validate.name, MappingPart.rules.entries),
      (ValueKey.dispatch.name, MappingPart.dispatch.entries),
      (ValueKey.lookup.name, MappingPart.lookup.entries),
    ]
  }

  /// The keys that can stand beside a part of a value: what comes from elsewhere has no parts.
  private static let beside = ValueKey.element.keys.filter { key in
    key.source.map { $0 == .from } ?? (!key.isMade && key != .by)
  }.map(\.name)

  /// The keys of maps around others, by the keys of the inner map.
  private static let around: [(inner: [String], owner: String, names: [String])] = [
    (RuleName.keys.names, ValueKey.validate.name, beside),
    (DispatchKey.keys.names, ValueKey.dispatch.name, beside),
    // What a table does not have is no missing value.
    (LookupKey.keys.names, ValueKey.lookup.name, beside.filter { $0 != ValueKey.substitute.name }),
    (StepKey.keys.names, ValueKey.text.name, beside),
    (ListKey.keys.names, ValueKey.list.name, beside),
    (SecretKey.keys.names, StepKey.key.name, StepKey.keys.names),
    (LimitKey.keys.names, InputKey.limits.name, InputKey.keys.names),
    (ArraysKey.keys.names, OutputKey.arrays.name, OutputKey.keys.names),
    (InputKey.keys.names, FileKey.input.name, FileKey.keys.names),
    (ErrorsKey.keys.names, FileKey.errors.name, FileKey.keys.names),
    (OutputKey.keys.names, FileKey.output.name, FileKey.keys.names),
  ]

  /// The keys at the top of a file that have no other meaning elsewhere.
  private static let outer: [FileKey] = [.input, .where, .errors, .output]

  /// Where a key of ours belongs that stands a level too high, as in `it belongs under 'validate'`: all such places.
  ///
  /// - Parameters:
  ///   - entry: The key, and what stands under it.
  ///   - names: The keys that can stand there.
  ///   - present: Those that do.
  ///   - isFitting: Whether only places count that take what is there.
  /// - Returns: The end of a message; nil if there is no such place.
  static func inside(
    _ entry: LocatedNode.Entry, beside names: [String], present: [String], isFitting: Bool
  ) -> String? {
    let maps = inside(
      entry, ofMapsBeside: names, present: present, isFitting: isFitting
    ).map { "under '\($0)'" }
    let steps = StepPlaces.places(of: entry, beside: names, isFitting: isFitting)
    if maps.isEmpty, steps.isEmpty { return inLimits(entry, beside: names, isFitting: isFitting) }
    var phrases = maps.isEmpty ? [] : ["it belongs " + maps.joined(separator: " or ")]
    if !steps.isEmpty {
      if maps == ["under '\(ValueKey.validate)'"] { phrases[0] += ", which rejects other values" }
      phrases.append("it is a step " + steps.joined(separator: ", or "))
    }
    return phrases.joined(separator: ", or ")
  }

  /// Where a limit belongs that stands at the top of the file, two levels too high.
  private static func inLimits(
    _ entry: LocatedNode.Entry, beside names: [String], isFitting: Bool
  ) -> String? {
    guard names.contains(FileKey.input.name), let key = LimitKey.keys.key(named: entry.key),
      !isFitting || key.spec.form.mayHold(entry.value)
    else { return nil }
    return "it belongs under '\(InputKey.limits)' of '\(FileKey.input)'"
  }

  /// The keys beside this one whose maps can have it.
  static func inside(
    _ entry: LocatedNode.Entry, ofMapsBeside names: [String], present: [String] = [],
    isFitting: Bool = true
  ) -> [String] {
    inner.filter { owner, entries in
      // The keys of lookup are words of all kinds: file, key and value.
      guard names.contains(owner), owner != ValueKey.lookup.name || present.contains(owner),
        let key = entries.first(where: { $0.name == entry.key })
      else { return false }
      return !isFitting || key.spec.form.mayHold(entry.value)
    }.map(\.owner)
  }

  /// Where a key of ours belongs that stands in a map of the file beside its own, or in a value of another kind; nil if it is none.
  static func elsewhere(_ key: String, beside names: [String]) -> String? {
    let isInTop = around.contains {
      $0.inner == names && $0.names == FileKey.keys.names && $0.names.contains(key)
    }
    if isInTop || !names.contains(FileKey.input.name) && outer.contains(where: { $0.name == key }) {
      return "it belongs at the top of the file"
    }
    // A value of another place, as of the context, has not all keys.
    guard names.contains(ValueKey.type.name) else { return nil }
    switch ValueKey(rawValue: key) {
    case .when?: return "it is for a case of 'cases'"
    case .late?: return "it is for a value of 'context'"
    case .some: return "it is for a field, not for this"
    case nil: return nil
    }
  }

  /// Where a key of ours belongs that stands a level too low; nil if it does not.
  static func outside(_ key: String, beside names: [String]) -> String? {
    around.first { $0.inner == names && $0.names.contains(key) }
      .map { "it belongs beside '\($0.owner)'" }
  }

  /// Where a word of other programs belongs, and under which name, as in `it belongs under 'validate', as 'min'`.
  static func inside(otherWord entry: LocatedNode.Entry, beside names: [String]) -> String? {
    // What a choice and a table have are words of all kinds.
    let others = [ValueKey.lookup.name, ValueKey.dispatch.name]
    let rule = inner.lazy.filter { names.contains($0.owner) && !others.contains($0.owner) }
      .compactMap { owner, entries -> String? in
        let fitting = entries.filter { $0.spec.form.mayHold(entry.value) }.map(\.name)
        guard case .name(let name)? = Suggestion.known(entry.key, among: fitting) else {
          return nil
        }
        return "it belongs under '\(owner)', as '\(name)'"
      }.first
    let step = StepPlaces.place(ofOtherWord: entry.key, beside: names).map { "it is a step \($0)" }
    guard let rule else { return step }
    return step.map { "\(rule), which rejects other values, or \($0)" } ?? rule
  }
}
