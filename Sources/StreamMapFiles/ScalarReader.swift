import Foundation
import StreamMap

/// Reads a type and the keys that belong to it.
struct ScalarReader {
  private static let companions = ["schemes", "format", "zone", "values", "coerce"]

  private let map: MapReader
  private let mistakes: FileMistakes

  init(_ map: MapReader, _ mistakes: FileMistakes) {
    self.map = map
    self.mistakes = mistakes
  }

  static func type(_ node: LocatedNode, _ name: String, _ mistakes: FileMistakes) -> TypeName? {
    guard let text = node.string else {
      mistakes.add(node.mark, "\(name) has to be a type; found \(node.phrase)")
      return nil
    }
    if let type = TypeName(named: text) { return type }
    let (message, suggestion) = TypeName.mistake(about: text)
    mistakes.add(node.mark, message, suggestion: suggestion)
    return nil
  }

  /// Reports the keys that belong to a type, where there is none.
  func refuseCompanions() {
    for key in map.present(Self.companions) { misplaced(key) }
  }

  private func misplaced(_ key: String) {
    let owner =
      switch key {
      case "schemes": "'type: url'"
      case "values": "'type: enum'"
      case "coerce": "a type that other values can become: numbers, string, bool, date, enum"
      default: "'type: date'"
      }
    mistakes.add(map.mark(of: key), "\(key) is only for \(owner)")
  }

  /// The type, or the enum that its values say it is.
  func scalar() -> ScalarSpec? {
    var type = TypeName.enum
    if let node = map["type"] {
      guard let known = Self.type(node, "type", mistakes) else { return nil }
      type = known
    }
    var scalar = ScalarSpec(type)
    for key in map.present(Self.companions) {
      switch key {
      case "schemes" where type == .scalar(.url): scalar.schemes = map.strings(key).map(\.text)
      case "format" where type == .scalar(.date): scalar.formats = formats()
      case "zone" where type == .scalar(.date): scalar.zone = zone()
      case "values" where type == .enum: scalar.values = values()
      case "coerce" where !type.coercions.isEmpty: scalar.coercions = coercions(type)
      default: misplaced(key)
      }
    }
    if type == .enum, map["values"] == nil {
      mistakes.add(map.mark(of: "type"), "values is missing: the texts of 'type: enum'")
    }
    if map["zone"] != nil, type == .scalar(.date), !scalar.formats.contains(where: \.isPattern) {
      mistakes.add(
        map.mark(of: "zone"), "zone is for a format that is a pattern, such as yyyy-MM-dd HH:mm")
    }
    if type == .scalar(.date), scalar.coercions.contains(.string),
      !scalar.formats.contains(where: \.isNumber)
    {
      mistakes.add(
        map.mark(of: "coerce"),
        "coerce of a date reads numbers in strings, so it needs format: unix_s or unix_ms"
      )
    }
    return scalar
  }

  private func formats() -> [DateFormat] {
    let formats = map.strings("format").map { text, mark in
      let format = DateFormat(text)
      if format.isPattern {
        if let near = Suggestion.nearest(to: text, among: DateFormat.named.map(\.name)) {
          mistakes.add(mark, "there is no date format '\(text)'", suggestion: near)
        } else if let mistake = format.conversion(.gmt).mistake {
          mistakes.add(mark, mistake)
        }
      }
      return format
    }
    if formats.isEmpty, case .list? = map["format"]?.content {
      mistakes.add(map.mark(of: "format"), "format has no formats")
    }
    return formats
  }

  private func zone() -> TimeZone {
    guard let name = map.string("zone"), let node = map["zone"] else { return .gmt }
    if let zone = TimeZone(identifier: name) { return zone }
    mistakes.add(
      node.mark, "zone: there is no time zone '\(name)', as in UTC or Europe/Berlin",
      suggestion: Suggestion.nearest(to: name, among: TimeZone.knownTimeZoneIdentifiers))
    return .gmt
  }

  private func coercions(_ type: TypeName) -> Set<ScalarSpec.Coercion> {
    let possible = type.coercions.map(\.rawValue)
    var coercions: Set<ScalarSpec.Coercion> = []
    for (text, mark) in map.strings("coerce") {
      if let coercion = ScalarSpec.Coercion(rawValue: text), type.coercions.contains(coercion) {
        coercions.insert(coercion)
      } else {
        mistakes.add(
          mark,
          "coerce: 'type: \(type.rawValue)' can be made from \(possible.joined(separator: ", "));"
            + " found '\(text)'",
          suggestion: Suggestion.nearest(to: text, among: possible))
      }
    }
    return coercions
  }

  /// A table, or a list of texts that stand for themselves.
  private func values() -> [ScalarSpec.EnumCase] {
    guard let node = map["values"] else { return [] }
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
      for entry in MapReader.unique(entries, mistakes) {
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
    let table = Conversion<String, JSONValue>.table(pairs: cases.map { ($0.source, $0.target) })
    if let mistake = table.mistake { mistakes.add(node.mark, "values: \(mistake)") }
    return cases
  }
}
