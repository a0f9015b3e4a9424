/// The name of a type, as in `Array<Int>`.
///
/// PERF: the same text as `"\\(type)"`, without the search for conformances that an interpolation makes for each new
/// type (a fifth of a millisecond each).
package func typeName(_ type: Any.Type) -> String {
  _typeName(type, qualified: false)
}

/// The name of a type with its article, as in `an Int`.
func typePhrase(_ type: Any.Type) -> String {
  let name = typeName(type)
  // `UInt` and `URL` begin with the sound of `you`.
  let startsWithVowel = "AEIO".contains(name.prefix(1))
  return (startsWithVowel && !name.isEmpty ? "an " : "a ") + name
}
