extension Conversion where Source: BinaryInteger & Sendable, Target == Bool {
  /// 0 is false and 1 is true; any other number is an error.
  public static var boolFromNumber: Conversion {
    Conversion("bool from number") { number in
      guard number == 0 || number == 1 else { throw ConversionFailure(expected: "0 or 1") }
      return number == 1
    } reverse: {
      $0 ? 1 : 0
    }
  }
}

extension Conversion where Source == String, Target == Bool {
  /// `true`, `1` and `yes` are true; `false`, `0` and `no` are false, whatever the case of their letters.
  ///
  /// Any other text is an error. The reverse gives `true` and `false`.
  public static var boolFromString: Conversion {
    Conversion("bool from string") { text in
      switch ASCIIText.lowercased(text) {
      case "true", "1", "yes": return true
      case "false", "0", "no": return false
      default: throw ConversionFailure(expected: "true, false, 1, 0, yes or no")
      }
    } reverse: {
      $0 ? "true" : "false"
    }
  }
}
