/// A formula as it is written, with what belongs to it.
package struct FormulaText: Sendable, Hashable {
  package let text: String
  /// The values that names after `$` stand for.
  package var arguments: [ExactText: JSONValue]
  /// How many digits after the point the result is rounded to; nil if it is not.
  package var places: Int?

  package init(_ text: String, arguments: [ExactText: JSONValue] = [:], places: Int? = nil) {
    self.text = text
    self.arguments = arguments
    self.places = places
  }

  /// What is wrong with it; nil if it can be used.
  package func mistake(isCondition: Bool) -> FormulaSyntaxError? {
    var code = FormulaCode()
    do throws(FormulaSyntaxError) {
      try add(to: &code, isCondition: isCondition)
      return nil
    } catch {
      return error
    }
  }

  func add(to code: inout FormulaCode, isCondition: Bool = false) throws(FormulaSyntaxError) {
    try FormulaParser.parse(self, isCondition: isCondition, into: &code)
  }
}
