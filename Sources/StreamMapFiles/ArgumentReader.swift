import StreamMap

/// The texts that arguments are given, by their names.
struct GivenArguments {
  let texts: [ExactText: String]
  /// Whether all of them have to be the file's own; else others may be for other mappings.
  var areAllKnown = true
}

/// Reads `args`, and gives each argument its value.
struct ArgumentReader {
  private let mistakes: FileMistakes
  /// The texts that the arguments are given; nil if the file is not run, so that they need no value.
  private let given: GivenArguments?

  init(_ mistakes: FileMistakes, given: GivenArguments?) {
    self.mistakes = mistakes
    self.given = given
  }

  /// What an argument is.
  private struct Argument {
    let spec: ValueSpec
    /// The text that stands in where it is not given.
    let standIn: String?
    /// Whether nothing may show its value.
    let isSecret: Bool
  }

  /// The values by the arguments' names; those that are secrets apart, and the names of those that are not known after a mistake.
  func values(_ node: LocatedNode) -> (
    open: [ExactText: JSONValue], secrets: [ExactText: String], unread: Set<ExactText>
  ) {
    guard case .map(let entries) = node.content else {
      mistakes.add(
        node.mark, "args has to be a map of arguments, as in { day: date }; found \(node.phrase)")
      return ([:], [:], [])
    }
    let unique = entries.unique(mistakes)
    refuseUnknown(among: unique.map(\.key), at: node.mark)
    var values: [ExactText: JSONValue] = [:]
    var secrets: [ExactText: String] = [:]
    var unread: Set<ExactText> = []
    for entry in unique {
      let argument = self.argument(entry)
      let value = argument.flatMap { self.value($0, entry) }
      if argument?.isSecret == true {
        // After a mistake, and in a file that is not run, any text stands for it.
        secrets[ExactText(entry.key)] = value?.string ?? "?"
      } else {
        // After a mistake in it, null stands for it, so that its name is known.
        values[ExactText(entry.key)] = value ?? .null
        if value == nil { unread.insert(ExactText(entry.key)) }
      }
    }
    return (values, secrets, unread)
  }

  /// Reports values for arguments that the file does not have.
  func refuseUnknown(among names: [String], at mark: FileMark) {
    guard let given, given.areAllKnown else { return }
    for name in given.texts.keys.map(\.text).sorted() where !names.contains(name) {
      mistakes.add(
        mark, "there is no argument '\(name)' under the file's 'args'",
        suggestion: Suggestion.nearest(to: name, among: names))
    }
  }

  private func value(_ argument: Argument, _ entry: LocatedNode.Entry) -> JSONValue? {
    if let text = given?.texts[ExactText(entry.key)] ?? argument.standIn {
      return value(of: text, argument, entry)
    }
    if case .some = given {
      let standIn = argument.isSecret ? "" : ", or a default here"
      mistakes.add(
        entry.mark, "argument '\(entry.key)' needs a value: give it in 'arguments'\(standIn)")
      return nil
    }
    return argument.isSecret ? nil : Self.example(of: argument.spec)
  }

  private func argument(_ entry: LocatedNode.Entry) -> Argument? {
    let name = "argument '\(entry.key)'"
    guard case .map = entry.value.content else {
      return ScalarReader.type(entry.value, name, mistakes).flatMap { type in
        plain(ScalarSpec(type), name, at: entry.value.mark).map {
          Argument(spec: ValueSpec(.scalar($0)), standIn: nil, isSecret: false)
        }
      }
    }
    guard let map = MapReader(entry.value, name, ValueKey.argument, mistakes) else {
      return nil
    }
    let reader = ScalarReader(map, FieldReader(mistakes, FieldReader.Setting()))
    var scalar: ScalarSpec? = ScalarSpec(.scalar(.string))
    if map[.type] == nil, map[.values] == nil {
      reader.refuseCompanions()
    } else {
      scalar = reader.scalar().flatMap { plain($0, name, at: map.mark(of: .type)) }
    }
    guard let kind = scalar.map({ ValueSpec.Kind.scalar($0) }) else { return nil }
    let rules =
      map[.validate].map { RuleReader(mistakes).rules($0, "validate", kind.domain) } ?? []
    var standIn: String?
    if let node = map[.substitute] {
      if case .scalar(let scalar) = node.content {
        standIn = scalar.text
      } else {
        mistakes.add(node.mark, "default has to be a scalar; found \(node.phrase)")
      }
    }
    if let type = map[.type]?.string, type.hasSuffix("?") {
      mistakes.add(
        map.mark(of: .type), "\(name) is never null; give it a default if it may be left out")
    }
    let isSecret = map.bool(.redact) == true
    if isSecret, kind.domain != .text {
      mistakes.add(map.mark(of: .redact), "\(name) has redact, so it has to be a string")
    }
    if isSecret, map[.substitute] != nil {
      mistakes.add(
        map.mark(of: .substitute), "\(name) has redact, so its value does not stand in the file")
    }
    return Argument(spec: ValueSpec(kind, rules: rules), standIn: standIn, isSecret: isSecret)
  }

  private func plain(_ scalar: ScalarSpec, _ name: String, at mark: FileMark) -> ScalarSpec? {
    if scalar.type == .enum ? !scalar.values.isEmpty : scalar.type != .json { return scalar }
    mistakes.add(mark, "\(name) has to be a scalar, with all that its type needs")
    return nil
  }

  /// What an argument's text means.
  private func value(of text: String, _ argument: Argument, _ entry: LocatedNode.Entry)
    -> JSONValue?
  {
    guard case .scalar(let scalar) = argument.spec.kind else { return nil }
    let read = scalar.reader
    let value: JSONValue
    do {
      value = try read(text)
    } catch {
      let expected = (error as? ConversionFailure)?.description ?? "\(error)"
      refuse(text, expected, argument, entry)
      return nil
    }
    let kept = OutputMapping.any.validated(argument.spec.rules.map(\.rule))
    if let error = (try? Mapper(output: kept))?.decode(value.description.utf8).error {
      refuse(text, error.message, argument, entry)
      return nil
    }
    return value
  }

  private func refuse(
    _ text: String, _ reason: String, _ argument: Argument, _ entry: LocatedNode.Entry
  ) {
    mistakes.add(
      entry.mark,
      argument.isSecret
        ? "argument '\(entry.key)': its rules do not hold"
        : "argument '\(entry.key)': \(reason), found '\(text)'")
  }

  /// A value of the kind that the argument will have.
  private static func example(of spec: ValueSpec) -> JSONValue {
    switch spec.kind.domain {
    case .number: .number("1")
    case .boolean: .bool(true)
    default: .string("")
    }
  }
}
