/// A formula that cannot be read.
package struct FormulaSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The formula as it was written.
  package let formula: String
  /// The place of the mistake: an offset in Unicode scalars, from 0 up.
  package let offset: Int
  /// What is wrong.
  package let reason: String
  /// The name that a misspelt one was probably meant to be is one of these.
  package let names: [String]
  /// The misspelt name.
  package let name: String

  init(_ formula: String, _ offset: Int, _ reason: String, name: String = "", names: [String] = [])
  {
    self.formula = formula
    self.offset = offset
    self.reason = reason
    self.name = name
    self.names = names
  }

  /// The formula, its mistake and the column of that.
  package var description: String { "calc '\(formula)', column \(offset + 1): \(reason)" }
}
