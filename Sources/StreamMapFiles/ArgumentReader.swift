import StreamMap

/// Reads `args`, and gives each argument its value.
struct ArgumentReader {
  private let mistakes: FileMistakes
  /// The texts that the arguments are given; nil if the file is not run, so that they need no value.
  private let given: [ExactText: String]?

  init(_ mistakes: FileMistakes, given: [ExactText: String]?) {
    self.mistakes = mistakes
    self.given = given
  }

  /// The values by the arguments' names.
  func values(_ node: LocatedNode) -> [ExactText: JSONValue] {
    guard case .map(let entries) = node.content else {
      mistakes.add(
        node.mark, "args has to be a map of arguments, as in { day: date }; found \(node.phrase)")
      return [:]
    }
    let arguments = entries.unique(mistakes)
    refuseUnknown(among: arguments.map(\.key), at: node.mark)
    var values: [ExactText: JSONValue] = [:]
    // After a mistake in it, null stands for it, so that its name is known.
    for argument in arguments { values[ExactText(argument.key)] = value(argument) ?? .null }
    return values
  }

  /// Reports values for arguments that the file does not have.
  func refuseUnknown(among names: [String], at mark: FileMark) {
    for name in (given ?? [:]).keys.map(\.text).sorted() where !names.contains(name) {
      mistakes.add(
        mark, "there is no argument '\(name)' under the file's 'args'",
        suggestion: Suggestion.nearest(to: name, among: names))
    }
  }

  private func value(_ entry: LocatedNode.Entry) -> JSONValue? {
    guard let (spec, standIn) = spec(entry) else { return nil }
    if let text = given?[ExactText(entry.key)] ?? standIn { return value(of: text, spec, entry) }
    if case .some = given {
      mistakes.add(
        entry.mark,
        "argument '\(entry.key)' needs a value: give it in 'arguments', or a default here")
      return nil
    }
    return Self.example(of: spec)
  }

  /// What an argument has to be, and the text that stands in where it is not given.
  private func spec(_ entry: LocatedNode.Entry) -> (ValueSpec, String?)? {
    let name = "argument '\(entry.key)'"
    guard case .map = entry.value.content else {
      return ScalarReader.type(entry.value, name, mistakes).flatMap { type in
        plain(ScalarSpec(type), name, at: entry.value.mark).map { (ValueSpec(.scalar($0)), nil) }
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
    return (ValueSpec(kind, rules: rules), standIn)
  }

  private func plain(_ scalar: ScalarSpec, _ name: String, at mark: FileMark) -> ScalarSpec? {
    if scalar.type == .enum ? !scalar.values.isEmpty : scalar.type != .json { return scalar }
    mistakes.add(mark, "\(name) has to be a scalar, with all that its type needs")
    return nil
  }

  /// What an argument's text means.
  private func value(of text: String, _ spec: ValueSpec, _ entry: LocatedNode.Entry) -> JSONValue? {
    guard case .scalar(let scalar) = spec.kind else { return nil }
    let read = scalar.reader
    let value: JSONValue
    do {
      value = try read(text)
    } catch {
      let expected = (error as? ConversionFailure)?.description ?? "\(error)"
      mistakes.add(entry.mark, "argument '\(entry.key)': \(expected), found '\(text)'")
      return nil
    }
    let kept = OutputMapping.any.validated(spec.rules.map(\.rule))
    if let error = (try? Mapper(output: kept))?.decode(value.description.utf8).error {
      mistakes.add(entry.mark, "argument '\(entry.key)': \(error.message), found '\(text)'")
      return nil
    }
    return value
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
