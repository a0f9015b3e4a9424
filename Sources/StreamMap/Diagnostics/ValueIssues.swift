/// The issues of a value, as a hook sees them that looks at it when it is made.
///
/// See ``Mapping/postProcessed(_:)-((JSONValue,Value,ValueIssues)->Value)``.
public struct ValueIssues {
  /// Those that are left, in the order in which they were met.
  public var errors: [MappingError] { zip(met, isKept).filter(\.1).map(\.0) }

  private let met: [MappingError]
  /// By issue that was met: whether it is left.
  private(set) var isKept: [Bool]
  /// What the hook adds.
  private(set) var reported: [any Error] = []

  init(_ errors: [MappingError]) {
    met = errors
    isKept = Array(repeating: true, count: errors.count)
  }

  /// Whether none is left.
  public var isEmpty: Bool { !isKept.contains(true) }

  /// Takes all back: nothing is said of what was wrong with the value.
  public mutating func clear() { clear { _ in true } }

  /// Takes those back that a function names.
  ///
  /// - Parameter isCleared: Asked about each that is left, in their order.
  public mutating func clear(where isCleared: (MappingError) throws -> Bool) rethrows {
    for index in met.indices where try isKept[index] && isCleared(met[index]) {
      isKept[index] = false
    }
  }

  /// Adds an issue (`conversionFailed`) at the value's address.
  ///
  /// - Parameter error: What is behind it; of a ``ConversionFailure`` what it expected.
  public mutating func report(_ error: any Error) { reported.append(error) }
}
