/// A way to turn a value of one type into a value of another, and back.
///
/// A conversion is a named pair of functions: pure, independent of any locale unless one is given, and usable from any
/// number of threads at once. It does not know JSON: `Mapping.converted(from:by:)` joins it to a mapping.
///
/// ```swift
/// let trimmed = Conversion<String, String>("trimmed") {
///   $0.trimmingCharacters(in: .whitespaces)
/// } reverse: {
///   $0
/// }
/// let count: Conversion<String, Int> = trimmed.then(.number)
/// try count.forward(" 12 ")  // 12
/// ```
///
/// A mistake in the conversion itself (a pattern that cannot be read, a table that is not one-to-one) is kept in
/// ``mistake``: making the conversion never fails, but compiling a mapping with it does.
public struct Conversion<Source, Target>: Sendable {
  /// The name of the conversion in explanations and messages, as in `date yyyy-MM-dd`.
  public let name: String
  /// Converts from the source to the target; throws ``ConversionFailure``, or any error, for values that it does not accept.
  public let forward: @Sendable (Source) throws -> Target
  /// Converts from the target to the source; nil if the conversion is one-way.
  public let reverse: (@Sendable (Target) throws -> Source)?
  /// The mistake in the conversion itself; nil if there is none.
  public let mistake: String?

  /// A conversion in both directions.
  ///
  /// - Parameters:
  ///   - name: The name in messages.
  ///   - forward: From the source to the target.
  ///   - reverse: From the target to the source: `forward(reverse(x))` should be `x`.
  public init(
    _ name: String, _ forward: @escaping @Sendable (Source) throws -> Target,
    reverse: @escaping @Sendable (Target) throws -> Source
  ) {
    self.init(name: name, forward: forward, reverse: reverse, mistake: nil)
  }

  /// A one-way conversion: encoding with it is a mistake of the mapping.
  public init(_ name: String, _ forward: @escaping @Sendable (Source) throws -> Target) {
    self.init(name: name, forward: forward, reverse: nil, mistake: nil)
  }

  /// A conversion that is not possible, for this reason.
  ///
  /// - Parameters:
  ///   - name: The name in messages.
  ///   - mistake: What is wrong, and what would be right; reported when a mapping with the conversion is compiled.
  public init(_ name: String, mistake: String) {
    let failure = ConversionFailure(expected: mistake, code: .invalidDefinition)
    self.init(
      name: name, forward: { _ in throw failure }, reverse: { _ in throw failure }, mistake: mistake
    )
  }

  init(
    name: String, forward: @escaping @Sendable (Source) throws -> Target,
    reverse: (@Sendable (Target) throws -> Source)?, mistake: String?
  ) {
    self.name = name
    self.forward = forward
    self.reverse = reverse
    self.mistake = mistake
  }

  /// The conversion in the opposite direction.
  ///
  /// A one-way conversion has no opposite; the result then has a ``mistake``.
  public var reversed: Conversion<Target, Source> {
    guard let reverse else {
      let mistake = "'\(name)' is one way and cannot be reversed"
      let failure = ConversionFailure(expected: mistake, code: .invalidDefinition)
      return Conversion<Target, Source>(
        name: "reversed " + name, forward: { _ in throw failure }, reverse: forward,
        mistake: self.mistake ?? mistake)
    }
    return Conversion<Target, Source>(
      name: "reversed " + name, forward: reverse, reverse: forward, mistake: mistake)
  }

  /// This conversion, followed by another one.
  ///
  /// It is one-way if one of them is.
  public func then<Next>(_ next: Conversion<Target, Next>) -> Conversion<Source, Next> {
    let first = forward
    let second = next.forward
    var back: (@Sendable (Next) throws -> Source)?
    if let reverse, let nextReverse = next.reverse { back = { try reverse(nextReverse($0)) } }
    return Conversion<Source, Next>(
      name: name + ", then " + next.name, forward: { try second(first($0)) }, reverse: back,
      mistake: mistake ?? next.mistake)
  }
}

extension Conversion where Source == Target {
  /// The unchanged value, in both directions.
  public static var identity: Conversion {
    Conversion("identity", { $0 }, reverse: { $0 })
  }
}

extension Conversion where Source: CustomStringConvertible & Sendable, Target == String {
  /// The text that describes a value of any type; one-way.
  ///
  /// For a text of a number that can be read back, use the reverse of `.number`.
  public static var description: Conversion {
    Conversion("description") { $0.description }
  }
}
