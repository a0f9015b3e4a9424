/// A Swift type whose values one token makes completely.
///
/// A new one conforms, and ``ScalarType`` gets a case for it: all that reads, checks, writes and describes scalars follows from that.
protocol Scalar {
  static var family: ScalarFamily { get }
  /// As in “expected …”.
  static var expected: String { get }
  static var numbers: NumberFacts { get }
  static var facts: ScalarFacts { get }

  /// The value of a token of the kind.
  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<Self>

  /// The value of what may be the text of a token of the kind; nil leaves it to ``read(_:_:)``.
  ///
  /// For types whose usual texts are recognised and read in one go, whatever the options.
  static func recognize(_ text: UnsafeBufferPointer<UInt8>) -> Self?

  /// Whether a token of the kind has a value; the same as ``read(_:_:)`` where that needs no less work.
  static func check(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> Verdict

  /// Sends the value's event.
  ///
  /// - Parameters:
  ///   - sink: Gets one event, or none.
  ///   - scratch: Memory for a text of at most ``ScalarType/longestText`` bytes.
  ///   - options: Those of the mapping.
  /// - Returns: Why the value has no JSON, and then there was no event; else nil.
  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal?
}

/// Why a value of a scalar type has no JSON.
struct ScalarRefusal {
  /// As in “expected …”; nil for what the mapping takes.
  var expected: String?
  /// As in “found …”.
  var found = "a value that JSON cannot write"
}

// PERF: inlined into code that is made for one type each, and so without cost.
extension Scalar {
  /// The kind of the tokens that are its values; nil if all kinds of scalars are.
  @inline(__always)
  static var kind: JSONKind? { family.kind }

  /// Whether the type's values are tokens of this kind.
  @inline(__always)
  static func takes(_ kind: JSONKind) -> Bool { Self.kind == nil || Self.kind == kind }

  @inline(__always)
  static func recognize(_ text: UnsafeBufferPointer<UInt8>) -> Self? { nil }

  @inline(__always)
  static func check(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> Verdict {
    switch read(token, options) {
    case .value: .made
    case .invalid: .invalid
    case .outOfRange: .outOfRange
    }
  }
}

/// Code that is made for each scalar type: see ``ScalarType/visit(by:_:)``.
protocol ScalarVisitor {
  associatedtype Input
  associatedtype Output
  func visit<Value: Scalar>(_ type: Value.Type, _ input: Input) -> Output
}
