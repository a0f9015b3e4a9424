import StreamMap

/// A text that is made of the values at several paths, as a mapping file says it.
struct TemplateSpec: Equatable, Sendable {
  let template: TextTemplate
  /// Where its values come from, by their numbers.
  let sources: [Source]

  enum Source: Equatable, Sendable {
    case path(String)
    case context(Int, String)
    case constant(JSONValue)
  }

  func mapping(_ duplicates: DuplicateKeyPolicy) -> OutputMapping {
    let sources = sources.map { source -> TemplateSource in
      switch source {
      case .path(let path): .path(.path(path))
      case .context(let number, let name): .context(number, name)
      case .constant(let value): .constant(value)
      }
    }
    return .template(template, of: sources, duplicateKeys: duplicates, expected: "an object")
  }
}

/// Reads `join` and `template`.
struct TemplateReader {
  private let names: OutsideNames
  private let mistakes: FileMistakes

  init(_ names: OutsideNames, _ mistakes: FileMistakes) {
    self.names = names
    self.mistakes = mistakes
  }

  /// The argument or the value of the context that a part names after a dollar; nil if it is a path, and inside it nil after a mistake.
  private func outside(_ text: String, at mark: FileMark, _ key: String) -> TemplateSpec.Source?? {
    let name = text.dropFirst()
    guard text.unicodeScalars.first == "$", let first = name.unicodeScalars.first,
      first != ".", first != "["
    else { return nil }
    if let number = names.context.firstIndex(where: { $0.name == String(name) }) {
      let domain = names.context[number].value.kind.domain
      guard domain == .object || domain == .array else { return .context(number, String(name)) }
      mistakes.add(
        mark,
        "\(key): '\(name)' is an \(domain) of the context, and a text has single values; take the part that is meant under context, by a path of its own"
      )
      return .some(nil)
    }
    if let value = names.arguments[ExactText(String(name))] { return .some(.constant(value)) }
    mistakes.add(
      mark, "\(key): there is no argument or context value '\(name)'",
      suggestion: Suggestion.nearest(
        to: String(name),
        among: (names.arguments.keys.map(\.text) + names.context.map(\.name)).sorted()))
    return .some(nil)
  }

  /// The texts at several paths, with a text between them; nil after a mistake.
  func joined(_ nodes: [LocatedNode], with separator: String, _ mark: FileMark) -> TemplateSpec? {
    let sources = nodes.compactMap { node -> TemplateSpec.Source? in
      if let found = node.string.flatMap({ outside($0, at: node.mark, "join") }) { return found }
      return PathReader(mistakes).single(node, "join").map { .path($0) }
    }
    if nodes.isEmpty { mistakes.add(mark, "join has no paths") }
    guard !sources.isEmpty, sources.count == nodes.count else { return nil }
    return TemplateSpec(
      template: TextTemplate(joining: sources.count, with: separator), sources: sources)
  }

  /// A text with paths between braces; nil after a mistake.
  func template(_ node: LocatedNode) -> TemplateSpec? {
    guard let text = node.string else {
      mistakes.add(
        node.mark, "template has to be a text with paths in braces; found \(node.phrase)")
      return nil
    }
    var parser = Parser(text)
    do throws(Fault) {
      let pieces = try parser.pieces()
      if parser.paths.isEmpty { throw Fault(reason: "there is no path in braces, as in {name}") }
      var sources: [TemplateSpec.Source] = []
      for path in parser.paths {
        if let found = outside(path, at: node.mark, "template") {
          guard let found else { return nil }
          sources.append(found)
          continue
        }
        if let reason = Self.refusal(of: path) { throw Fault(reason: reason) }
        guard let pattern = PathReader(mistakes).pattern(path, at: node.mark) else { return nil }
        if let reason = pattern.steps.lazy.compactMap(\.refusalInField).first {
          throw Fault(reason: "path '\(path)': \(reason)")
        }
        sources.append(.path(path))
      }
      return TemplateSpec(template: TextTemplate(pieces, text: text), sources: sources)
    } catch {
      mistakes.add(node.mark, "template: \(error.reason)")
      return nil
    }
  }

  /// What is wrong with what stands between braces, if it is written for another language; nil if it may be a path.
  private static func refusal(of path: String) -> String? {
    let part = "'{\(path)}'"
    if path.contains("'") || path.contains("\"") || path.contains("[") { return nil }
    if path.hasSuffix("?") {
      let name = path.dropLast()
      return
        "\(part) is written {?{\(name)}}: what is in {? … } vanishes where its value is missing"
    }
    guard let colon = path.lastIndex(of: ":") else { return nil }
    let format = path[path.index(after: colon)...]
    let isFormat =
      format.contains { ".,<>^=+#%0123456789".contains($0) }
      && format.allSatisfy { ".,<>^=+-#_%0123456789bcdeEfFgGnosxX ".contains($0) }
    if isFormat {
      return
        "\(part) has a format, and a value is written as it stands; a number gets a format by text: { number_format: … } in a field of its own; if it is a key, quote it, as in {['\(path)']}"
    }
    let isDate = ["yy", "MM", "HH", "%Y", "%m"].contains { format.contains($0) }
    return isDate
      ? "\(part) has a format, and a value is written as it stands; a date is written by as in a field of its own; if it is a key, quote it, as in {['\(path)']}"
      : nil
  }

  /// Why a text is no template.
  private struct Fault: Error {
    let reason: String
  }

  /// By scalars: what follows a brace may combine with it to one character of Swift.
  private struct Parser {
    private var rest: Substring.UnicodeScalarView
    /// Each once.
    private(set) var paths: [String] = []

    init(_ text: String) {
      rest = text[...].unicodeScalars
    }

    /// The pieces up to the end, or up to the brace that ends an optional part.
    mutating func pieces(isInside: Bool = false) throws(Fault) -> [TextTemplate.Piece] {
      var pieces: [TextTemplate.Piece] = []
      var text = String.UnicodeScalarView()
      func end() {
        if !text.isEmpty { pieces.append(.text(String(text))) }
        text = String.UnicodeScalarView()
      }
      while let scalar = rest.popFirst() {
        if scalar == "{" || scalar == "}", rest.first == scalar {
          rest.removeFirst()
          text.append(scalar)
        } else if scalar == "$", isBeforePath(rest) {
          throw Fault(reason: Self.dollar(rest))
        } else if scalar == "$", rest.first == "$", isBeforePath(rest.dropFirst()) {
          rest.removeFirst()
          text.append(scalar)
        } else if scalar == "}" {
          guard isInside else { throw Fault(reason: "a brace has to be opened, or be doubled") }
          end()
          return pieces
        } else if scalar != "{" {
          text.append(scalar)
        } else if rest.first != "?" {
          end()
          pieces.append(.value(try path()))
        } else if isInside {
          throw Fault(reason: "an optional part cannot have another one inside")
        } else {
          rest.removeFirst()
          end()
          let inner = try self.pieces(isInside: true)
          guard inner.contains(where: { if case .value = $0 { true } else { false } }) else {
            throw Fault(reason: "an optional part needs a path, as in {? ({unit})}")
          }
          pieces.append(.optional(inner))
        }
      }
      if isInside { throw Fault(reason: "an optional part, {? …}, has to be closed") }
      end()
      return pieces
    }

    /// Whether a path comes, and no brace that is a text.
    private func isBeforePath(_ rest: Substring.UnicodeScalarView) -> Bool {
      rest.first == "{" && rest.dropFirst().first != "{" && rest.dropFirst().first != "?"
    }

    /// What to write for `${name}`, which is a part in many languages.
    private static func dollar(_ rest: Substring.UnicodeScalarView) -> String {
      let part = String(rest.prefix { $0 != "}" }) + "}"
      return "'$\(part)' is written \(part); a dollar sign before a value is written $$\(part)"
    }

    /// The number of the path that ends at the next brace; one in quotes is part of a key.
    private mutating func path() throws(Fault) -> Int {
      var text = String.UnicodeScalarView()
      var quote: Unicode.Scalar?
      while let scalar = rest.popFirst() {
        if scalar == "}", quote == nil {
          let path = String(text)
          if path.isEmpty { throw Fault(reason: "a path is missing between braces") }
          if let known = paths.firstIndex(of: path) { return known }
          paths.append(path)
          return paths.count - 1
        }
        text.append(scalar)
        if scalar == "\\", quote != nil, let next = rest.popFirst() {
          text.append(next)
        } else if scalar == quote {
          quote = nil
        } else if quote == nil, scalar == "'" || scalar == "\"" {
          quote = scalar
        }
      }
      throw Fault(reason: "a brace has to be closed, or be doubled")
    }
  }
}
