import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A macro's message about its source.
struct Note: DiagnosticMessage {
  let message: String
  let severity: DiagnosticSeverity

  // The text of a message identifies it.
  var diagnosticID: MessageID { MessageID(domain: "StreamMapMacros", id: message) }
}

/// What a fix does, in words.
struct Fix: FixItMessage {
  let message: String

  var fixItID: MessageID { MessageID(domain: "StreamMapMacros", id: message) }
}

/// Takes notes; a silent one drops them, in the second expansion of the same type.
struct Notes {
  let context: any MacroExpansionContext
  var isSilent = false

  /// `position` is a place inside the node, for those who can show it; the compiler shows where the node starts.
  func error(
    _ message: String, at node: some SyntaxProtocol, position: AbsolutePosition? = nil,
    fixes: [FixIt] = []
  ) {
    report(Note(message: message, severity: .error), node, position, fixes)
  }

  func warning(_ message: String, at node: some SyntaxProtocol, fixes: [FixIt] = []) {
    report(Note(message: message, severity: .warning), node, nil, fixes)
  }

  private func report(
    _ note: Note, _ node: some SyntaxProtocol, _ position: AbsolutePosition?, _ fixes: [FixIt]
  ) {
    guard !isSilent else { return }
    context.diagnose(
      Diagnostic(node: node, position: position, message: note, fixIts: fixes))
  }
}

extension FixIt {
  /// The fix that replaces a node by another one.
  static func replace(
    _ old: some SyntaxProtocol, with new: some SyntaxProtocol, _ message: String
  ) -> FixIt {
    FixIt(
      message: Fix(message: message),
      changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
  }

  /// The fix that removes an attribute from a declaration.
  static func remove(_ attribute: AttributeSyntax, from declaration: some DeclSyntaxProtocol)
    -> [FixIt]
  {
    // A macro receives the two separately, so the attribute is found in the declaration by its text.
    let text = attribute.trimmedDescription
    guard var rest = declaration.asProtocol((any WithAttributesSyntax).self) else { return [] }
    rest.attributes = rest.attributes.filter { $0.trimmedDescription != text }
    rest.leadingTrivia = declaration.leadingTrivia
    return [replace(declaration, with: Syntax(rest), "remove it")]
  }
}
