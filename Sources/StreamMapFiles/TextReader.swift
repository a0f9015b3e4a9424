import StreamMap

/// Reads what becomes of a text before it is read: `text`, `extract`, `lookup`.
struct TextReader {
  static let keys: [ValueKey] = [.text, .extract, .lookup]

  private let map: MapReader<ValueKey>
  private let fields: FieldReader

  private var mistakes: FileMistakes { fields.mistakes }

  init(_ map: MapReader<ValueKey>, _ fields: FieldReader) {
    self.map = map
    self.fields = fields
  }

  func spec() -> TextSpec {
    TextSpec(
      steps: map[.text].map { steps($0) } ?? [], pattern: map[.extract].flatMap { pattern($0) },
      lookup: map[.lookup].flatMap { lookup($0) })
  }

  // MARK: Steps

  static let words: [(name: String, step: TextStep)] =
    [
      ("trim", .trim), ("lower", .lower), ("upper", .upper), ("squeeze", .squeeze),
    ] + TextNotation.allCases.map { ($0.rawValue, $0.step) }

  private func steps(_ node: LocatedNode) -> [TextStep] {
    guard case .list(let elements) = node.content else { return step(node).map { [$0] } ?? [] }
    if elements.isEmpty { mistakes.add(node.mark, "text has no steps") }
    return elements.compactMap { step($0) }
  }

  private func step(_ node: LocatedNode) -> TextStep? {
    let found: TextStep?
    switch node.content {
    case .scalar(let scalar):
      found = Self.words.first { $0.name == scalar.text }?.step
      if found == nil { refuse(node, scalar.text) }
    case .map(let entries):
      guard let map = MapReader(node, "a step of text", StepKey.keys, mistakes) else {
        return nil
      }
      let names = map.present(StepKey.steps.keys)
      if names.count > 1 {
        mistakes.add(
          map.mark(of: names[1]),
          "'\(names[0])' and '\(names[1])' are two steps; write them as { … }, { … }")
      }
      for (key, step) in [(StepKey.at, StepKey.split), (.key, .hmac)]
      where map[key] != nil && names.first != step {
        mistakes.add(map.mark(of: key), "\(key) is only for '\(step)'")
      }
      if entries.isEmpty { mistakes.add(node.mark, "a step of text is empty") }
      found = names.first.flatMap { step($0, map) }
    case .list:
      refuse(node, nil)
      return nil
    }
    if let mistake = found?.mistake { mistakes.add(node.mark, "text: \(mistake)") }
    return found
  }

  private func refuse(_ node: LocatedNode, _ text: String?) {
    let names = Self.words.map(\.name)
    if let step = text.flatMap({ StepKey.steps.key(named: $0) }) {
      mistakes.add(node.mark, "the step '\(step)' takes something, as in \(Self.example(step))")
      return
    }
    mistakes.add(
      node.mark,
      "a step of text has to be one of \(names.joined(separator: ", ")), or a map with "
        + "\(StepKey.steps.list); found \(node.phrase)",
      meant: text.flatMap { Suggestion.meant(by: $0, among: names + StepKey.steps.names) })
  }

  static func example(_ step: StepKey) -> String {
    switch step {
    case .replace: "{ replace: [\"_\", \"-\"] }"
    case .slice: "{ slice: [0, 8] }"
    case .split, .at: "{ split: \" \", at: 0 }"
    case .pad, .padEnd: "{ \(step): [8, \"0\"] }"
    case .prefix, .suffix, .stripPrefix, .stripSuffix: "{ \(step): x }"
    case .replacePattern: "{ replace_pattern: ['(\\d+)-(\\d+)', '$2-$1'] }"
    case .numberFormat: "{ number_format: '#,##0.00' }"
    case .url: "{ url: host }"
    case .mask: "{ mask: 4 }"
    case .hash: "{ hash: sha256 }"
    case .hmac, .key: "{ hmac: sha256, key: { arg: secret } }"
    }
  }

  private func step(_ name: StepKey, _ map: MapReader<StepKey>) -> TextStep? {
    guard let node = map[name] else { return nil }
    switch name {
    case .replace:
      guard let texts = texts(node), texts.count == 2 else { return wrong(name, node) }
      return .replace(texts[0], with: texts[1])
    case .prefix: return text(name, node).map { .prefix($0) }
    case .suffix: return text(name, node).map { .suffix($0) }
    case .stripPrefix: return text(name, node).map { .stripPrefix($0) }
    case .stripSuffix: return text(name, node).map { .stripSuffix($0) }
    case .slice:
      guard case .list(let elements) = node.content, 1...2 ~= elements.count else {
        return wrong(name, node)
      }
      let numbers = elements.compactMap { Self.integer($0) }
      guard numbers.count == elements.count else { return wrong(name, node) }
      return .slice(from: numbers[0], to: numbers.count == 2 ? numbers[1] : nil)
    case .split:
      guard let text = text(name, node) else { return nil }
      guard let at = map[.at] else {
        mistakes.add(
          map.mark(of: .split),
          "the step 'split' needs at: the number of the part, from 0 (for all parts, "
            + "write split beside text)")
        return nil
      }
      guard let number = Self.integer(at) else {
        mistakes.add(at.mark, "at has to be a whole number; found \(at.phrase)")
        return nil
      }
      return .part(number, between: text)
    case .pad, .padEnd:
      guard case .list(let elements) = node.content, elements.count == 2,
        let width = Self.integer(elements[0]), let text = elements[1].string,
        let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1
      else { return wrong(name, node) }
      return name == .pad ? .pad(width, scalar) : .padEnd(width, scalar)
    case .replacePattern:
      if case .list(let parts) = node.content, parts.count == 2, let text = parts[0].string,
        case .map = parts[1].content
      {
        return replacement(text, byTable: parts[1], node)
      }
      guard let texts = texts(node), texts.count == 2 else { return wrong(name, node) }
      return replacement(texts[0], texts[1], node)
    case .numberFormat:
      guard let format = node.string.flatMap({ NumberFormat($0) }) else { return wrong(name, node) }
      return format.step
    case .url: return map.choice(.url, URLPart.self)?.step
    case .mask:
      // The least number has no opposite, but it has a magnitude.
      guard let shown = Self.integer(node), shown.magnitude <= TextStep.longestPadding else {
        return wrong(name, node)
      }
      return .mask(shown)
    case .hash: return map.choice(.hash, SecureHash.self)?.step
    case .hmac: return SecretReader(fields).step(map)
    // They are read with split and hmac.
    case .at, .key: return nil
    }
  }

  private func text(_ name: StepKey, _ node: LocatedNode) -> String? {
    if let text = node.string { return text }
    _ = wrong(name, node)
    return nil
  }

  private func wrong(_ name: StepKey, _ node: LocatedNode) -> TextStep? {
    var hint = ""
    if name == .pad || name == .padEnd { hint = ", a length and one character in quotes" }
    if name == .replace || name == .replacePattern { hint = ", both texts in quotes" }
    if name == .numberFormat {
      hint = ", a zero for each place, at most \(NumberFormat.mostPlaces), and #,## for groups"
    }
    if name == .mask { hint = ", how many characters stay, at most \(TextStep.longestPadding)" }
    mistakes.add(
      node.mark, "\(name) has to be as in \(Self.example(name))\(hint); found \(node.phrase)")
    return nil
  }

  private func texts(_ node: LocatedNode) -> [String]? {
    guard case .list(let elements) = node.content else { return nil }
    let texts = elements.compactMap(\.string)
    return texts.count == elements.count ? texts : nil
  }

  static func integer(_ node: LocatedNode) -> Int? {
    guard case .scalar(let scalar) = node.content, case .number(let text)? = scalar.value else {
      return nil
    }
    return Int(text)
  }

  private func replacement(_ text: String, _ replacement: String, _ node: LocatedNode) -> TextStep?
  {
    guard let pattern = pattern(node, text, "replace_pattern") else { return nil }
    do throws(PatternReplacement.Fault) {
      return try PatternReplacement(text, pattern, replacement).step
    } catch {
      mistakes.add(node.mark, "replace_pattern: \(error)")
      return nil
    }
  }

  /// Each match is replaced by what a table has for it.
  private func replacement(_ text: String, byTable table: LocatedNode, _ node: LocatedNode)
    -> TextStep?
  {
    let pattern = pattern(node, text, "replace_pattern")
    guard let lookup = lookup(table, isAlone: true), let pattern else { return nil }
    return PatternReplacement(text, pattern, lookup).step
  }

  // MARK: Patterns and tables

  private func pattern(_ node: LocatedNode) -> PatternSpec? {
    guard let text = node.string else {
      mistakes.add(node.mark, "extract has to be a pattern; found \(node.phrase)")
      return nil
    }
    return pattern(node, text, "extract").map { PatternSpec(text: text, pattern: $0) }
  }

  private func pattern(_ node: LocatedNode, _ text: String, _ key: String) -> LinearPattern? {
    do throws(LinearPattern.Fault) {
      return try LinearPattern(text)
    } catch {
      mistakes.add(node.mark, "\(key): the pattern '\(text)' cannot be used: \(error)")
      return nil
    }
  }

  /// Whether a lookup makes an object of columns.
  static func isTable(_ map: MapReader<ValueKey>) -> Bool { columns(.value, map) != nil }

  /// Whether a lookup is by the texts of several columns.
  static func hasSeveralKeys(_ map: MapReader<ValueKey>) -> Bool { columns(.key, map) ?? 0 > 1 }

  /// How many columns a lookup names in a list.
  private static func columns(_ key: LookupKey, _ map: MapReader<ValueKey>) -> Int? {
    guard case .map(let entries)? = map[.lookup]?.content,
      case .list(let names)? = entries.first(where: { $0.key == key.name })?.value.content
    else { return nil }
    return names.count
  }

  /// A table; alone, it is not that of the whole text, and has one text for one.
  private func lookup(_ node: LocatedNode, isAlone: Bool = false) -> LookupSpec? {
    guard let map = MapReader(node, "lookup", LookupKey.keys, mistakes) else {
      return nil
    }
    for key in LookupKey.keys.keys where map[key] == nil && !map.hasUnknown {
      mistakes.add(
        map.mark, "\(key) is missing, as in { file: ./countries.csv, key: code, value: name }")
    }
    let (keys, values) = (map.strings(.key).map(\.text), map.strings(.value).map(\.text))
    for (key, names) in [(LookupKey.key, keys), (.value, values)] {
      if case .list(let elements)? = map[key]?.content, elements.isEmpty {
        mistakes.add(map.mark(of: key), "lookup: \(key) names no columns")
      }
      let twice = names.indices.first { names[..<$0].contains(names[$0]) }
      if let twice {
        mistakes.add(map.mark(of: key), "lookup: \(key) names the column '\(names[twice])' twice")
        return nil
      }
    }
    guard let file = map.string(.file), !keys.isEmpty, !values.isEmpty else { return nil }
    if isAlone {
      for (key, names) in [(LookupKey.key, keys), (.value, values)] where names.count > 1 {
        mistakes.add(map.mark(of: key), "a table of replacements has one column as its \(key)")
        return nil
      }
      let columns = TableColumns(keys: keys, values: values, isObject: false)
      return fields.setting.tables?.table(file, columns, map, mistakes).map {
        LookupSpec(name: file, table: $0)
      }
    }
    let parts = self.map.list(.join)?.count ?? 1
    if keys.count > 1, keys.count != parts {
      mistakes.add(
        map.mark(of: .key),
        "lookup by \(keys.count) columns needs as many texts: join: [ … ] with \(keys.count) paths")
      return nil
    }
    let columns = TableColumns(keys: keys, values: values, isObject: Self.isTable(self.map))
    return fields.setting.tables?.table(file, columns, map, mistakes).map {
      LookupSpec(name: file, table: $0)
    }
  }
}
