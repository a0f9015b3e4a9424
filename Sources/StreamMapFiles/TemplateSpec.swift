import StreamMap

/// A text that is made of the values at several paths, as a mapping file says it.
struct TemplateSpec: Equatable, Sendable {
  let template: TextTemplate
  /// The paths of its values, by their numbers.
  let paths: [String]

  func mapping(_ duplicates: DuplicateKeyPolicy) -> OutputMapping {
    .template(
      template, of: paths.map { .path($0) }, duplicateKeys: duplicates, expected: "an object")
  }
}

/// Reads `join` and `template`.
struct TemplateReader {
  private let mistakes: FileMistakes

  init(_ mistakes: FileMistakes) {
    self.mistakes = mistakes
  }

  /// The texts at several paths, with a text between them; nil after a mistake.
  func joined(_ nodes: [LocatedNode], with separator: String, _ mark: FileMark) -> TemplateSpec? {
    let paths = nodes.compactMap { PathReader(mistakes).single($0, "join") }
    if nodes.isEmpty { mistakes.add(mark, "join has no paths") }
    guard !paths.isEmpty, paths.count == nodes.count else { return nil }
    return TemplateSpec(
      template: TextTemplate(joining: paths.count, with: separator), paths: paths)
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
      for path in parser.paths {
        let pattern = PathReader(mistakes).pattern(path, at: node.mark)
        guard let pattern else { return nil }
        if let reason = pattern.steps.lazy.compactMap(\.refusalInField).first {
          throw Fault(reason: "path '\(path)': \(reason)")
        }
      }
      return TemplateSpec(
        template: TextTemplate(pieces, text: text), paths: parser.paths)
    } catch {
      mistakes.add(node.mark, "template: \(error.reason)")
      return nil
    }
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
