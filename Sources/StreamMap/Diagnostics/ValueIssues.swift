/// The issues of a value, for a hook that looks at the value when it is made.
///
/// See ``Mapping/postProcessed(_:)-((JSONValue,Value,ValueIssues)->Value)``.
public struct ValueIssues {
  /// The remaining issues, in the order in which they occurred.
  public var errors: [MappingError] { zip(met, isKept).filter(\.1).map(\.0) }

  private let met: [MappingError]
  /// For each issue that occurred: whether it remains.
  private(set) var isKept: [Bool]
  /// The issues that the hook adds.
  private(set) var reported: [any Error] = []

  init(_ errors: [MappingError]) {
    met = errors
    isKept = Array(repeating: true, count: errors.count)
  }

  /// Whether no issue remains.
  public var isEmpty: Bool { !isKept.contains(true) }

  /// Removes all issues: nothing is reported about the value.
  public mutating func clear() { clear { _ in true } }

  /// Removes the issues that a function selects.
  ///
  /// - Parameter isCleared: Called for each remaining issue, in their order.
  public mutating func clear(where isCleared: (MappingError) throws -> Bool) rethrows {
    for index in met.indices where try isKept[index] && isCleared(met[index]) {
      isKept[index] = false
    }
  }

  /// Adds an issue (`conversionFailed`) at the value's address.
  ///
  /// - Parameter error: The underlying error; a ``ConversionFailure`` gives what it expected.
  public mutating func report(_ error: any Error) { reported.append(error) }
}
