import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import StreamMapMacrosPlugin

private func macros(conforms: Bool) -> [String: MacroSpec] {
  [
    "Mappable": MacroSpec(type: MappableMacro.self, conformances: conforms ? [] : ["Mappable"]),
    "Key": MacroSpec(type: PropertyMacro.self),
    "Mapped": MacroSpec(type: PropertyMacro.self),
    "Merged": MacroSpec(type: PropertyMacro.self),
    "Unmapped": MacroSpec(type: PropertyMacro.self),
  ]
}

/// Holds what the macros write, and what they say, to the letter.
func expectExpansion(
  _ source: String, _ expanded: String, diagnostics: [DiagnosticSpec] = [],
  applyFixIts: [String]? = nil, fixed: String? = nil, conforms: Bool = false,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    source, expandedSource: expanded, diagnostics: diagnostics,
    macroSpecs: macros(conforms: conforms),
    applyFixIts: applyFixIts, fixedSource: fixed, indentationWidth: .spaces(2),
    failureHandler: { failure in
      Issue.record(Comment(rawValue: failure.message), sourceLocation: sourceLocation)
    })
}

/// The one error of a source, and the source with each of the fixes it offers; whatever is written besides.
func expectError(
  _ message: String, line: Int, column: Int, in source: String,
  fixes: KeyValuePairs<String, String> = [:],
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  let expanded = expansion(of: source)
  let note = DiagnosticSpec(
    message: message, line: line, column: column,
    fixIts: fixes.map { FixItSpec(message: $0.key) })
  expectExpansion(source, expanded, diagnostics: [note], sourceLocation: sourceLocation)
  for (fix, fixed) in fixes {
    expectExpansion(
      source, expanded, diagnostics: [note], applyFixIts: [fix], fixed: fixed,
      sourceLocation: sourceLocation)
  }
}

/// The one warning of a source, and the source with the fix that it offers, if it does.
func expectWarning(
  _ message: String, line: Int, column: Int, in source: String, fix: String = "",
  fixed: String? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  let note = DiagnosticSpec(
    message: message, line: line, column: column, severity: .warning,
    fixIts: fixed == nil ? [] : [FixItSpec(message: fix)])
  expectExpansion(
    source, expansion(of: source), diagnostics: [note], applyFixIts: fixed.map { _ in [fix] },
    fixed: fixed, sourceLocation: sourceLocation)
}

/// Holds that the macros say nothing of a source.
func expectNothingSaid(
  _ source: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  expectExpansion(source, expansion(of: source), sourceLocation: sourceLocation)
}

private func expansion(of source: String) -> String {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext()
  let expanded = file.expand(
    macroSpecs: macros(conforms: false),
    contextGenerator: {
      BasicMacroExpansionContext(
        sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
    }, indentationWidth: .spaces(2))
  return expanded.description
}
