/// Operators and words of other languages in formulas (`calc`) and in filters of paths, and what stands for them here.
package enum OtherOperators {
  /// Where one stands.
  package enum Language: Sendable {
    case formula, filter
  }

  /// What each is written as; nil if it is right, or where something else says it.
  private static let table: [(other: [String], formula: String?, filter: String?)] = [
    (["!=="], "!== is written !=", "!== is written !="),
    (["==="], "=== is written ==", "=== is written =="),
    (["<>"], "<> is written !=", "<> is written !="),
    (["=~", "~=", "!~"], pattern, match), (["//"], "// is written ??", calculation),
    (["**", "^"], "a square is written a * a", calculation),
    (["?"], "cases chooses one of several values", nil),
    (["&"], nil, "and is written &&"), (["|"], nil, "or is written ||"),
    (["="], nil, "= is written =="),
    (["+", "-", "*", "/", "%"], nil, calculation), (["."], "a path has no dot in front", nil),
    (["and"], nil, "and is written &&"), (["or"], nil, "or is written ||"),
    (["not"], nil, "not is written !"),
    (["is"], "is null is written == null", "is null is written == null"),
    (
      ["in"], "one_of of a condition looks into a list",
      "one of several values is written @.a == 1 || @.a == 2"
    ),
    (["then", "else"], "cases chooses one of several values", nil),
    (
      ["between"], "between is written with and, as in a >= 1 and a <= 2",
      "between is written with &&, as in @.a >= 1 && @.a <= 2"
    ),
    (["contains", "includes"], pattern, "search(@.a, 'text') finds a text in another one"),
    (["like", "ilike", "rlike", "matches", "regex", "startswith", "endswith"], pattern, match),
    (["exists", "defined"], nil, "a path alone asks whether something is there, as in [?@.a]"),
    (["none", "nil", "undefined"], nil, "no value is written null"),
    (["true"], nil, "it is written true"), (["false"], nil, "it is written false"),
    (["len", "size", "count"], nil, "length(@.a) counts characters, elements or members"),
  ]

  private static let pattern = "matches of a condition compares with a pattern"
  private static let match =
    "match(@.a, 'a.*') compares a text with a pattern, search looks for one in it"
  private static let calculation = "a filter calculates nothing"

  /// What is written for the operator or the word of another language at a place, or just before it; nil if there is none.
  package static func advice(
    at offset: Int, in scalars: [Unicode.Scalar], _ language: Language
  ) -> String? {
    // What is read as == and a sign is rather one operator.
    let three = offset - 2
    let isLong =
      scalars.indices.contains(three)
      && ["===", "!=="].contains { scalars[three...].starts(with: $0.unicodeScalars) }
    for start in (isLong ? [three] : []) + [offset, offset - 1]
    where scalars.indices.contains(start) {
      let rest = scalars[start...]
      let word = String(String.UnicodeScalarView(rest.prefix(while: isWordPart))).lowercased()
      // What is before a place is an operator, or the word ends there.
      if start < offset, !word.isEmpty { continue }
      for line in table {
        let isHere = line.other.contains { other in
          word.isEmpty ? rest.starts(with: other.unicodeScalars) : word == other
        }
        guard isHere, let advice = language == .formula ? line.formula : line.filter else {
          continue
        }
        return advice
      }
    }
    return nil
  }

  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar == "_"
  }
}
