/// Lower case by Unicode, without a locale: the mapping of each scalar, and that of a Σ which ends a word.
enum LowerCase {
  private static let sigma: Unicode.Scalar = "\u{3A3}"

  static func text(of text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.contains(sigma) else { return text.lowercased() }
    var result = ""
    for index in scalars.indices {
      let scalar = scalars[index]
      if scalar != sigma {
        result += scalar.properties.lowercaseMapping
      } else {
        result += isFinal(at: index, in: scalars) ? "\u{3C2}" : "\u{3C3}"
      }
    }
    return result
  }

  /// Unicode's condition Final_Sigma: a cased letter before it, and none after it, whatever is ignored for case in between.
  private static func isFinal(at index: String.Index, in scalars: String.UnicodeScalarView) -> Bool
  {
    let before = scalars[..<index].last { !$0.properties.isCaseIgnorable }
    guard before?.properties.isCased == true else { return false }
    let after = scalars[scalars.index(after: index)...].first { !$0.properties.isCaseIgnorable }
    return after?.properties.isCased != true
  }
}
