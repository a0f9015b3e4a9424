import Testing

/// Lists of Hydrant's reflective mapper that contradict each other.
@Suite struct HydrantContradictionTests {
  @Test func `contradictory lists of properties are refused (HYD-162)`() {
    expectError(
      "give 'only' or 'except', not both", line: 1, column: 24,
      in: #"@Mappable(only: ["a"], except: ["b"]) struct S { let a: Int; var b = 1 }"#)
    expectError(
      "give 'optional' or 'required', not both", line: 1, column: 28,
      in: #"@Mappable(optional: ["a"], required: ["b"]) struct S { let a: Int?; let b: Int }"#)
  }
}
