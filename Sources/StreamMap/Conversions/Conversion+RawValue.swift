extension Conversion where Target: RawRepresentable & SendableMetatype, Source == Target.RawValue {
  /// A value of an enum (or another `RawRepresentable`) from its raw value, and back; a raw value without a case is an error.
  ///
  /// ```swift
  /// enum Plan: String { case free, team }
  /// try Conversion<String, Plan>.rawValue.forward("team")  // .team
  /// ```
  ///
  /// A text is compared by its code points. `Mapping.enumeration(of:)` joins the conversion to a mapping.
  public static var rawValue: Conversion {
    let expected = RawValues<Target>.expected
    return Conversion("raw value of \(typeName(Target.self))") { raw in
      guard let value = Target(rawValue: raw), RawValues<Target>.isExact(raw, value.rawValue) else {
        throw ConversionFailure(expected: expected)
      }
      return value
    } reverse: { value in
      value.rawValue
    }
  }
}

/// What is known of the raw values of a type.
enum RawValues<Value: RawRepresentable> {
  /// The cases of an enum that lists them; none of another type.
  static var cases: [Value] {
    func list<Enumeration: CaseIterable>(_: Enumeration.Type) -> [Value] {
      Enumeration.allCases.compactMap { $0 as? Value }
    }
    guard let type = Value.self as? any CaseIterable.Type else { return [] }
    return list(type)
  }

  /// The raw values of the cases; if these are not known, the type's name.
  static var expected: String {
    let values = cases.map { "'\($0.rawValue)'" }
    switch values.count {
    case 0: return typePhrase(Value.self)
    case 1: return values[0]
    default: return "one of " + values.joined(separator: ", ")
    }
  }

  /// Whether a case's raw value is the one that it was found by: Swift finds a case by a text that is only canonically equal.
  static func isExact(_ raw: Value.RawValue, _ own: Value.RawValue) -> Bool {
    guard let raw = raw as? String, let own = own as? String else { return true }
    return raw == own || !isCanonicallySame(raw, own)
  }
}
