/// The name of a type, as in `Array<Int>`.
///
/// PERF: what `"\\(type)"` gives, without the search for conformances that an interpolation makes for each new type (a
/// fifth of a millisecond each).
func typeName(_ type: Any.Type) -> String {
  _typeName(type, qualified: false)
}
