/// A formula as it is written, with what belongs to it.
package struct FormulaText: Sendable, Hashable {
  package let text: String
  /// The values that names after `$` stand for.
  package var arguments: [ExactText: JSONValue]
  /// The numbers of the values from outside the record that such names stand for, too.
  package var context: [ExactText: Int]
  /// How many digits after the point the result is rounded to; nil if it is not.
  package var places: Int?

  package init(
    _ text: String, arguments: [ExactText: JSONValue] = [:], context: [ExactText: Int] = [:],
    places: Int? = nil
  ) {
    self.text = text
    self.arguments = arguments
    self.context = context
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

  /// Whether it reads what is not in the object.
  var looksOutside: Bool {
    if context.isEmpty { return false }
    var code = FormulaCode()
    return (try? add(to: &code)) != nil && code.sources.contains(where: \.isOutside)
  }

  func add(to code: inout FormulaCode, isCondition: Bool = false) throws(FormulaSyntaxError) {
    try FormulaParser.parse(self, isCondition: isCondition, into: &code)
  }
}
