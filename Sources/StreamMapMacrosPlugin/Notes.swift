import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What a macro has to say about the source it was given.
struct Note: DiagnosticMessage {
  let message: String
  let severity: DiagnosticSeverity

  // What tells one message from another is its text.
  var diagnosticID: MessageID { MessageID(domain: "StreamMapMacros", id: message) }
}

/// What a fix does, in words.
struct Fix: FixItMessage {
  let message: String

  var fixItID: MessageID { MessageID(domain: "StreamMapMacros", id: message) }
}

/// Takes notes; a silent one, of the second expansion of the same type, drops them.
struct Notes {
  let context: any MacroExpansionContext
  var isSilent = false

  func error(_ message: String, at node: some SyntaxProtocol, fixes: [FixIt] = []) {
    report(Note(message: message, severity: .error), node, fixes)
  }

  func warning(_ message: String, at node: some SyntaxProtocol, fixes: [FixIt] = []) {
    report(Note(message: message, severity: .warning), node, fixes)
  }

  private func report(_ note: Note, _ node: some SyntaxProtocol, _ fixes: [FixIt]) {
    guard !isSilent else { return }
    context.diagnose(Diagnostic(node: node, message: note, fixIts: fixes))
  }
}

extension FixIt {
  /// Another node in place of one.
  static func replace(
    _ old: some SyntaxProtocol, with new: some SyntaxProtocol, _ message: String
  ) -> FixIt {
    FixIt(
      message: Fix(message: message),
      changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
  }

  /// A declaration without one of its attributes.
  static func remove(_ attribute: AttributeSyntax, from declaration: some DeclSyntaxProtocol)
    -> [FixIt]
  {
    // The two are given to a macro apart from each other, so one is found in the other by its text.
    let text = attribute.trimmedDescription
    guard var rest = declaration.asProtocol((any WithAttributesSyntax).self) else { return [] }
    rest.attributes = rest.attributes.filter { $0.trimmedDescription != text }
    rest.leadingTrivia = declaration.leadingTrivia
    return [replace(declaration, with: Syntax(rest), "remove it")]
  }
}
