import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import StreamMapMacrosPlugin

/// Holds what the macros write, and what they say, to the letter.
func expectExpansion(
  _ source: String, _ expanded: String, diagnostics: [DiagnosticSpec] = [],
  applyFixIts: [String]? = nil, fixed: String? = nil,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    source, expandedSource: expanded, diagnostics: diagnostics,
    macroSpecs: [
      "Mappable": MacroSpec(type: MappableMacro.self, conformances: ["Mappable"]),
      "Key": MacroSpec(type: PropertyMacro.self),
      "Mapped": MacroSpec(type: PropertyMacro.self),
      "Unmapped": MacroSpec(type: PropertyMacro.self),
    ],
    applyFixIts: applyFixIts, fixedSource: fixed, indentationWidth: .spaces(2),
    failureHandler: { failure in
      Issue.record(Comment(rawValue: failure.message), sourceLocation: sourceLocation)
    })
}

/// One thing a macro says of a source: where, what, and the source with each of the fixes it offers.
func expectNote(
  _ message: String, line: Int, column: Int, severity: DiagnosticSeverity = .error,
  in source: String, fixes: [(message: String, result: String)] = [],
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  let notes = Expansion.notes(of: source)
  #expect(
    notes == [
      Expansion.NoteSeen(
        message: message, line: line, column: column, severity: severity,
        fixes: fixes.map { Expansion.FixSeen(message: $0.message, result: $0.result) })
    ], sourceLocation: sourceLocation)
}
