/// What a mapping asks of a scalar besides its type.
///
/// A class, so that a plan's node can name it by one word.
final class ScalarOptions: Sendable {
  /// For a URL.
  let schemes: [String]

  /// - Returns: Nil if nothing is asked.
  init?(schemes: [String]) {
    if schemes.isEmpty { return nil }
    self.schemes = schemes
  }

  /// As it follows the type's name: `(http, https)`.
  var description: String { "(\(schemes.joined(separator: ", ")))" }
}

extension Unmanaged<ScalarOptions>? {
  /// The schemes of a URL; none if any will do.
  var schemes: [String] { self?._withUnsafeGuaranteedRef { $0.schemes } ?? [] }
}
