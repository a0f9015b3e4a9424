import CScan

/// The walker's faults in words.
struct FaultDescription {
  let code: ErrorCode
  let expected: String?
  var found: String?

  init(_ fault: sm_fault, limits: Limits) {
    switch fault.kind {
    case SM_FAULT_UTF8:
      self.init(.invalidUTF8, "well-formed UTF-8", "the byte \(Self.hexadecimal(fault.found))")
    case SM_FAULT_CONTROL:
      self.init(
        .syntax, "an escape (\\u00\(Self.digits(fault.found)))",
        "the control character \(Self.hexadecimal(fault.found)) in a string")
    case SM_FAULT_ESCAPE:
      self.init(
        .syntax, "one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX", "another one")
    case SM_FAULT_SURROGATE:
      self.init(.invalidUTF8, "a pair of surrogate escapes", "one half of it")
    case SM_FAULT_DEPTH:
      self.init(.limitExceeded, Limits.message(.depth, limits.depth), "more")
    case SM_FAULT_STRING:
      self.init(.limitExceeded, Limits.message(.string, limits.string), "more")
    case SM_FAULT_NUMBER:
      self.init(.limitExceeded, Limits.message(.number, limits.number), "more")
    case SM_FAULT_KEY:
      self.init(.limitExceeded, Limits.message(.key, limits.key), "more")
    case SM_FAULT_MEMORY:
      self.init(.io, nil, "out of memory")
    case SM_FAULT_EMPTY:
      self.init(.truncated, "a JSON value", "nothing")
    case SM_FAULT_PART:
      self.init(.invalidDefinition, PartEnd.mismatch.expected, PartEnd.mismatch.found)
    case SM_FAULT_TRUNCATED:
      self.init(.truncated, Self.phrase(fault.expected), "the end")
    default:
      self.init(.syntax, Self.phrase(fault.expected), Self.byte(fault.found))
    }
  }

  private init(_ code: ErrorCode, _ expected: String?, _ found: String?) {
    self.code = code
    self.expected = expected
    self.found = found
  }

  private static func phrase(_ expected: sm_expected) -> String? {
    switch expected {
    case SM_EXPECTED_VALUE: "a value"
    case SM_EXPECTED_VALUE_OR_END: "a value or ]"
    case SM_EXPECTED_KEY: "a key"
    case SM_EXPECTED_KEY_OR_END: "a key or }"
    case SM_EXPECTED_COLON: "a colon"
    case SM_EXPECTED_COMMA_OR_BRACE: "a comma or }"
    case SM_EXPECTED_COMMA_OR_BRACKET: "a comma or ]"
    case SM_EXPECTED_DIGIT: "a digit"
    case SM_EXPECTED_NUMBER_END: "the end of the number"
    case SM_EXPECTED_LITERAL: "true, false or null"
    case SM_EXPECTED_STRING_END: "the end of the string"
    case SM_EXPECTED_TEXT_END: "the end of the document or line"
    case SM_EXPECTED_SEPARATOR: "a separator"
    default: nil
    }
  }

  /// A byte of the grammar is no secret: a byte is shown that is found where no value can be.
  private static func byte(_ byte: UInt8) -> String {
    switch byte {
    case 0x0A: "a line feed"
    case 0x1E: "a record separator"
    case 0x21...0x7E: "'\(Character(Unicode.Scalar(byte)))'"
    default: "the byte \(hexadecimal(byte))"
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String { "0x" + digits(byte) }

  private static func digits(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
