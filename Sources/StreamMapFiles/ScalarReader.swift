import StreamMap
import StreamMapPlatform

/// Reads a type and the keys that belong to it.
struct ScalarReader {
  private static let companions: [ValueKey] = [
    .schemes, .format, .zone, .values, .coerce, .otherwise, .units, .scale, .round, .as, .asZone,
  ]

  private let map: MapReader<ValueKey>
  private let fields: FieldReader

  private var mistakes: FileMistakes { fields.mistakes }

  /// Whether the keys about texts belong to the type.
  private let readsTexts: Bool

  init(_ map: MapReader<ValueKey>, _ fields: FieldReader, readsTexts: Bool = true) {
    self.map = map
    self.fields = fields
    self.readsTexts = readsTexts
  }

  /// The keys about texts.
  private var textKeys: [ValueKey] { readsTexts ? map.present(TextReader.keys) : [] }

  static func type(_ node: LocatedNode, _ name: String, _ mistakes: FileMistakes) -> TypeName? {
    guard let text = node.string else {
      mistakes.add(node.mark, "\(name) has to be a type; found \(node.phrase)\(union(node))")
      return nil
    }
    if let type = TypeName(named: text) { return type }
    let (message, suggestion) = TypeName.mistake(about: text)
    mistakes.add(node.mark, message, suggestion: suggestion)
    return nil
  }

  /// What to write for a list of types, as JSON Schema and Avro have them.
  private static func union(_ node: LocatedNode) -> String {
    guard case .list(let elements) = node.content else { return "" }
    let names = elements.compactMap { element -> String? in
      if case .scalar(let scalar) = element.content { scalar.text } else { nil }
    }
    let types = names.filter { $0 != "null" }
    guard types.count == 1, names.count == 2, elements.count == 2 else {
      return "; for values of several kinds write dispatch: { cases: { string: …, number: … } }"
    }
    let name =
      TypeName(named: types[0]) == nil ? TypeName.mistake(about: types[0]).suggestion : types[0]
    return name.map { Suggestion.hint("\($0)?") } ?? ""
  }

  /// A type, and whether the value may be null: then a question mark follows, as in `int64?`.
  static func nullableType(_ node: LocatedNode, _ name: String, _ mistakes: FileMistakes)
    -> (type: TypeName, isNullable: Bool)?
  {
    guard let text = node.string, text.hasSuffix("?") else {
      return type(node, name, mistakes).map { ($0, false) }
    }
    let plain = String(text.dropLast())
    if let type = TypeName(named: plain) { return (type, true) }
    let (message, suggestion) = TypeName.mistake(about: plain)
    mistakes.add(node.mark, message, suggestion: suggestion.map { "\($0)?" })
    return nil
  }

  /// Reports the keys that belong to a type, where there is none.
  ///
  /// - Parameter used: Those of them that belong to something else.
  func refuseCompanions(except used: [ValueKey] = []) {
    for key in map.present(Self.companions + TextReader.keys) where !used.contains(key) {
      misplaced(key)
    }
  }

  private func misplaced(_ key: ValueKey) {
    let owner =
      switch key {
      case .schemes: "'type: url'"
      case .text, .extract, .lookup:
        "texts; with '\(map.present(ValueKey.kinds).first ?? .type)' write split, parse, or "
          + "extract with named groups and object"
      case .otherwise where map[.lookup] != nil:
        "a lookup of one column: several make an object; for a text that the table does not have write optionally"
      case .otherwise: "'cases', 'values' and 'lookup': for other values write optionally"
      case .units, .scale, .round: "types of numbers, such as decimal"
      case .as: "'type: date'"
      case .asZone: "'as' with a pattern, such as yyyy-MM-dd HH:mm"
      case .values: "'type: enum'"
      case .coerce: "a type that other values can become: numbers, string, bool, date, enum"
      default: "'type: date'"
      }
    mistakes.add(
      map.mark(of: key), "\(key) is only for \(owner)\(key == .format ? formatOfText() : "")")
  }

  /// What to write for the format of a text, as JSON Schema has it.
  private func formatOfText() -> String {
    guard let format = map[.format]?.string else { return "" }
    let name = format.lowercased().filter { $0 != "-" }
    switch name {
    case "datetime", "date", "time": return "; write type: date"
    case "uuid": return "; write type: uuid"
    case "uri", "url", "iri": return "; write type: url"
    case "email", "hostname", "ipv4", "ipv6", "regex":
      return "; for a form of a text write validate: { matches: … }"
    default: return ""
    }
  }

  /// The type, or the enum that its values say it is.
  ///
  /// - Parameter other: The type if nothing says one.
  /// - Returns: The scalar; nil after a mistake in its type.
  func scalar(else other: TypeName = .scalar(.any)) -> ScalarSpec? {
    guard let type = type(else: other) else { return nil }
    var scalar = ScalarSpec(type)
    readText(of: &scalar)
    let coercions = coercions(of: scalar)
    for key in map.present(Self.companions) {
      switch key {
      case .schemes where type == .scalar(.url): scalar.schemes = map.strings(key).map(\.text)
      case .format where type == .scalar(.date): scalar.formats = formats()
      case .zone where type == .scalar(.date): scalar.zone = zone()
      case .values where type == .enum: scalar.values = values()
      case .coerce where !coercions.isEmpty:
        scalar.coercions = self.coercions(type, coercions)
      case .otherwise where type == .enum || map[.lookup] != nil:
        scalar.otherwise = otherwise()
      case .units where type.family == .number: scalar.units = units()
      case .scale where type.family == .number, .round where type.family == .number: break
      case .as where type == .scalar(.date): break
      case .asZone where map[.as] != nil: break
      default: misplaced(key)
      }
    }
    if type == .enum, map[.values] == nil {
      mistakes.add(map.mark(of: .type), "values is missing: the texts of 'type: enum'")
    }
    let takesZone = scalar.formats.isEmpty || scalar.formats.contains { $0.takesZone }
    if map[.zone] != nil, type == .scalar(.date), !takesZone {
      mistakes.add(
        map.mark(of: .zone),
        "zone is for texts that do not say theirs: for rfc3339, or a pattern such as yyyy-MM-dd HH:mm"
      )
    }
    scalar.decimal = decimal(type, scalar.coercions)
    if type == .scalar(.date), let form = map.string(.as) {
      scalar.form = dateForm(form)
    }
    if type == .scalar(.date), scalar.text.isEmpty, scalar.coercions.contains(.string),
      !scalar.formats.contains(where: \.isNumber)
    {
      mistakes.add(
        map.mark(of: .coerce),
        "coerce of a date reads numbers in strings, so it needs a format of numbers, such as unix_s"
      )
    }
    return scalar
  }

  /// The type, or what the other keys say it is.
  private func type(else other: TypeName) -> TypeName? {
    if let node = map[.type] { return Self.nullableType(node, "type", mistakes)?.type }
    if map[.values] != nil { return .enum }
    if !textKeys.isEmpty { return .scalar(.string) }
    return map.present([.scale, .round, .units]).isEmpty ? other : .scalar(.number)
  }

  private func readText(of scalar: inout ScalarSpec) {
    guard let first = textKeys.first else { return }
    scalar.text = TextReader(map, fields).spec()
    if scalar.type == .json {
      mistakes.add(
        map.mark(of: first),
        "\(first) is for texts, and 'type: json' takes any value as it is: write type: string, or "
          + "parse: json for JSON in a string")
    }
    if map[.lookup] != nil, map[.values] != nil {
      mistakes.add(
        map.mark(of: .values), "'lookup' and 'values' are two tables; keep one of them")
    }
  }

  private func coercions(of scalar: ScalarSpec) -> [ScalarSpec.Coercion] {
    // What is done with a text is done with the text of a number, too, where that is asked for.
    textKeys.isEmpty ? scalar.type.coercions : [.number, .bool]
  }

  private func otherwise() -> JSONValue? {
    guard let node = map[.otherwise] else { return nil }
    guard case .scalar = node.content else {
      mistakes.add(
        node.mark,
        "otherwise has to be a text, a number, true, false or null; "
          + "found \(node.phrase)")
      return nil
    }
    return node.json(mistakes)
  }

  private func decimal(_ type: TypeName, _ coercions: Set<ScalarSpec.Coercion>) -> DecimalChange? {
    // A formula rounds what it calculates, before it becomes a value of the type.
    let keys: [ValueKey] = map[.calc] == nil ? [.scale, .round] : [.scale]
    guard type.family == .number, let first = map.present(keys).first else { return nil }
    var factor: ExactNumber?
    if let node = map[.scale] {
      if case .scalar(let scalar) = node.content, case .number(let text)? = scalar.value {
        factor = ExactNumber(text)
      } else {
        mistakes.add(node.mark, "scale has to be a number; found \(node.phrase)")
        return nil
      }
    }
    var places: Int?
    if let node = map[.round], keys.contains(.round) {
      places = TextReader.integer(node)
      if places == nil {
        mistakes.add(
          node.mark,
          "round has to be a whole number, the places after the point; found \(node.phrase)")
        return nil
      }
    }
    if coercions.contains(.bool), textKeys.isEmpty {
      mistakes.add(map.mark(of: first), "\(first) is for numbers, and coerce takes bool, too")
    }
    let change = DecimalChange(scale: factor, places: places)
    if let mistake = change.mistake { mistakes.add(map.mark(of: first), "\(first): \(mistake)") }
    return change
  }

  private func units() -> UnitTable? {
    guard let node = map[.units] else { return nil }
    guard case .map(let entries) = node.content, !entries.isEmpty else {
      mistakes.add(
        node.mark,
        "units has to be a table of factors, as in { m: 0.001, Ki: 1024 }; "
          + "found \(node.phrase)")
      return nil
    }
    var factors: [(unit: String, factor: ExactNumber)] = []
    for entry in entries.unique(mistakes) {
      if case .scalar(let scalar) = entry.value.content, case .number(let text)? = scalar.value,
        let factor = ExactNumber(text)
      {
        factors.append((entry.key, factor))
      } else {
        mistakes.add(
          entry.value.mark, "units: a factor has to be a number; found \(entry.value.phrase)")
      }
    }
    let table = UnitTable(factors)
    if let mistake = table.mistake { mistakes.add(node.mark, "units: \(mistake)") }
    return table
  }

  private func dateForm(_ text: String) -> DateForm {
    var form = DateForm(format: format(text, map[.as]?.mark ?? map.mark, isRead: false))
    guard map[.asZone] != nil else { return form }
    if !form.format.isPattern {
      mistakes.add(
        map.mark(of: .asZone),
        "as_zone is for a form that is a pattern, such as yyyy-MM-dd HH:mm")
    }
    form.zone = zone(.asZone)
    return form
  }

  private func format(_ text: String, _ mark: FileMark, isRead: Bool = true) -> DateFormat {
    let format = DateFormat(text)
    if format.isPattern {
      if let meant = DateFormat.meant(by: text) {
        mistakes.add(mark, "there is no date format '\(text)'", suggestion: meant)
      } else if let mistake = format.mistake(isRead: false) {
        mistakes.add(mark, mistake)
      } else if isRead, let mistake = format.mistake(isRead: true) {
        mistakes.add(
          mark,
          mistake + ": join the text with one, as in join: [day, time], or put one before it, as "
            + "in text: [{ prefix: '2026-' }], and name it in the format; or write type: string")
      }
    }
    return format
  }

  private func formats() -> [DateFormat] {
    let formats = map.strings(.format).map { format($0.text, $0.mark) }
    if formats.isEmpty, case .list? = map[.format]?.content {
      mistakes.add(map.mark(of: .format), "format has no formats")
    }
    return formats
  }

  private func zone(_ key: ValueKey = .zone) -> Zone {
    guard let name = map.string(key), let node = map[key] else { return .gmt }
    do throws(ZoneProblem) {
      return try fields.setting.zones.zone(name)
    } catch {
      switch error {
      case .unknown:
        mistakes.add(
          node.mark, "\(key): there is no time zone '\(name)', as in UTC, +02:00 or Europe/Berlin",
          suggestion: fields.setting.zones.nearest(to: name))
      case .noFolder(let folder):
        mistakes.add(
          node.mark,
          "\(key): '\(name)' is looked for in \(folder), which is not there: install tzdata, or give an offset, as in +02:00"
        )
      case .unreadable(let reason): mistakes.add(node.mark, "\(key): \(reason)")
      }
    }
    return .gmt
  }

  func coercions(_ type: TypeName, _ allowed: [ScalarSpec.Coercion]) -> Set<
    ScalarSpec.Coercion
  > {
    let possible = allowed.map(\.rawValue)
    var coercions: Set<ScalarSpec.Coercion> = []
    for (text, mark) in map.strings(.coerce) {
      if let coercion = ScalarSpec.Coercion(rawValue: text), allowed.contains(coercion) {
        coercions.insert(coercion)
      } else {
        mistakes.add(
          mark,
          "coerce: 'type: \(type.rawValue)' can be made from \(possible.joined(separator: ", "));"
            + " found '\(text)'",
          suggestion: Suggestion.nameMeant(by: text, among: possible))
      }
    }
    return coercions
  }

  /// A table, or a list of texts that stand for themselves.
  private func values() -> [ScalarSpec.EnumCase] {
    guard let node = map[.values] else { return [] }
    var cases: [ScalarSpec.EnumCase] = []
    switch node.content {
    case .list(let elements):
      for element in elements {
        if let text = element.string {
          cases.append(ScalarSpec.EnumCase(source: text, target: .string(text)))
        } else {
          mistakes.add(element.mark, "values has to be a list of strings; found \(element.phrase)")
        }
      }
      if cases.count < elements.count { return cases }
    case .map(let entries):
      for entry in entries.unique(mistakes) {
        guard case .scalar = entry.value.content else {
          mistakes.add(
            entry.value.mark,
            "values: each text has to stand for a scalar; "
              + "found \(entry.value.phrase)")
          continue
        }
        if let target = entry.value.json(mistakes) {
          cases.append(ScalarSpec.EnumCase(source: entry.key, target: target))
        }
      }
      if cases.count < entries.count { return cases }
    case .scalar:
      mistakes.add(
        node.mark,
        "values has to be a table, as in { A: active }, or a list of texts; "
          + "found \(node.phrase)")
      return []
    }
    let table = Conversion<String, JSONValue>.oneWayTable(
      pairs: cases.map { ($0.source, $0.target) })
    if let mistake = table.mistake { mistakes.add(node.mark, "values: \(mistake)") }
    return cases
  }
}
