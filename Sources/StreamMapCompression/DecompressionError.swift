/// Why a stream cannot be decompressed, and where.
public struct DecompressionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Reason: Hashable, Sendable {
    /// The bytes are not of the format, or a check sum does not hold.
    case damaged
    /// The stream ends too early.
    case truncated
    /// The result is more than so many times as large as the input.
    case tooLarge(limit: Int)
    /// The result has more than so many bytes.
    case tooManyBytes(limit: Int)
    /// There is no memory, or the stream asks for more than 128 MiB.
    case noMemory
  }

  /// What is wrong.
  public let reason: Reason
  /// The format of the stream; nil if it is not compressed.
  public let format: CompressionFormat?
  /// How many compressed bytes come before the place.
  public let compressedOffset: Int
  /// How many bytes were made of them.
  public let offset: Int

  init(
    _ reason: Reason, _ format: CompressionFormat?, _ compressedOffset: Int, _ offset: Int
  ) {
    self.reason = reason
    self.format = format
    self.compressedOffset = compressedOffset
    self.offset = offset
  }

  public var description: String {
    let data = format.map { "the \($0) data" } ?? "the data"
    let what =
      switch reason {
      case .damaged: "\(data) is damaged"
      case .truncated: "\(data) ends too early"
      case .tooLarge(let limit): "\(data) becomes more than \(limit) times as large"
      case .tooManyBytes(let limit): "\(data) has more than \(limit) bytes"
      case .noMemory: "\(data) takes more memory than there is, or than 128 MiB"
      }
    return "\(what), at byte \(compressedOffset) (\(offset) bytes decompressed)"
  }
}
