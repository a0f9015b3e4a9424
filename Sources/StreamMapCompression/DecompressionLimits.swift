/// What compressed bytes may become.
///
/// A few bytes that become an endless result are meant to harm. Memory stays flat in any case; these bound the time.
///
/// ```swift
/// DecompressionLimits(expansion: 50, bytes: 4 << 30)
/// ```
public struct DecompressionLimits: Sendable, Hashable {
  /// How much is always allowed, whatever the input's size: short repetitive texts shrink more than long ones.
  public static let freeBytes = 16 << 20

  /// How many times as large as its input the result may be, beyond ``freeBytes``; at least 1.
  ///
  /// gzip reaches 1032 with nothing but zeros; logs reach 30, and feeds whose records hardly differ 300.
  public var expansion: Int
  /// How many bytes the result may have, also where nothing is compressed; nil for any number.
  public var bytes: Int?

  /// Limits.
  ///
  /// Without arguments they are those of a tool that reads files of one's own: 1000 times the input, any number of bytes.
  public init(expansion: Int = 1000, bytes: Int? = nil) {
    self.expansion = expansion
    self.bytes = bytes
  }

  /// Limits for bytes from strangers: 100 times the input.
  ///
  /// Where such feeds shrink more, give another ``expansion``.
  /// How large a feed may be in all is better said of the feed itself.
  public static let untrusted = DecompressionLimits(expansion: 100)

  /// Whether so many bytes may come of so many.
  func allow(_ made: Int, from read: Int) -> Bool {
    let (most, overflows) = read.multipliedReportingOverflow(by: max(expansion, 1))
    return overflows || made - Self.freeBytes <= most
  }
}
