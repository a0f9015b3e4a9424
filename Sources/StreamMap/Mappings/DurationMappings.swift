extension Mapping where Value == Duration {
  /// A number of seconds, exactly: a Duration keeps all of 18 digits after the point.
  ///
  /// What counts smaller parts than a Duration does, or more than it holds, is an error. Encoding writes the shortest number:
  /// `1.5`, `0.000001`.
  public static var duration: Mapping { .duration(in: .seconds) }

  /// A number of milliseconds or other units, exactly.
  ///
  /// ```swift
  /// field("took_ms", \.took, .duration(in: .milliseconds))
  /// ```
  ///
  /// What is not a whole number of attoseconds is an error. So is encoding a Duration that no number counts in that unit exactly:
  /// a second is 0.01666… minutes.
  ///
  /// - Parameter unit: What the number counts.
  /// - Returns: The mapping.
  public static func duration(in unit: TimeUnit) -> Mapping {
    .converted(
      from: .accepting(.number, .json),
      { number in
        guard case .number(var text) = number else { throw ConversionFailure(expected: "a number") }
        switch text.withUTF8({ DurationNumber.duration($0, in: unit) }) {
        case .value(let duration): return duration
        case .outOfRange:
          throw ConversionFailure(
            expected: "a number of \(unit) that a Duration holds", code: .numberOutOfRange)
        case .invalid:
          throw ConversionFailure(
            expected: "a number of \(unit) that is a whole number of attoseconds")
        }
      },
      reverse: { duration in
        guard let text = DurationNumber.text(duration, in: unit) else {
          throw ConversionFailure(
            expected: "a Duration that a number of \(unit) gives exactly")
        }
        return .number(text)
      })
  }
}
