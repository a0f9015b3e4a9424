import CCompression

/// Decompresses a stream, piece by piece.
///
/// The stream may have several members, one after the other (as `cat a.gz b.gz` and `pigz` make them), and zeros after each.
///
/// ```swift
/// let decompressor = try Decompressor(.gzip)
/// while let piece = try read() {
///   try decompressor.decompress(piece) { text in try stream.push(text) }
/// }
/// try decompressor.finish()
/// ```
///
/// Each piece of the result is handed on as soon as it is there, in room of a fixed size, so memory depends on neither the input
/// nor the result: a decompressor takes what its format asks for (some 100 KiB for gzip, at most 128 MiB).
///
/// Not for several threads at once.
public final class Decompressor {
  private static let roomSize = 128 << 10
  /// Input may always become as much as this: short repetitive texts shrink more than long ones.
  private static let freeExpansion = 16 << 20

  /// The format.
  public let format: CompressionFormat
  /// How many times as large as the input the result may be.
  public let mostExpansion: Int
  /// How many bytes were taken, compressed.
  public private(set) var bytesRead = 0
  /// How many bytes were made of them.
  public private(set) var bytesMade = 0

  // Invariant: made in `init`, freed in `deinit`.
  private let decoder: OpaquePointer
  private let room: UnsafeMutableBufferPointer<UInt8>

  /// A decompressor at the start of a stream.
  ///
  /// - Parameters:
  ///   - format: The stream's format.
  ///   - mostExpansion: How many times as large as the input the result may be, beyond 16 MiB: a small input that becomes an
  ///     endless result is meant to harm. gzip reaches 1032 with nothing but zeros; logs reach 30.
  /// - Throws: ``DecompressionError`` without memory.
  public init(_ format: CompressionFormat, mostExpansion: Int = 1000) throws(DecompressionError) {
    guard let decoder = smc_decoder_make(format.native) else {
      throw DecompressionError(.noMemory, format, 0, 0)
    }
    self.decoder = decoder
    self.format = format
    self.mostExpansion = max(mostExpansion, 1)
    room = .allocate(capacity: Self.roomSize)
  }

  deinit {
    smc_decoder_free(decoder)
    room.deallocate()
  }

  /// Decompresses the next bytes of the stream.
  ///
  /// - Parameters:
  ///   - input: The bytes.
  ///   - body: Receives the result, piece by piece; each is valid during the call. What it throws ends the call.
  /// - Throws: ``DecompressionError``, and what `body` throws.
  /// - Complexity: O(*n*) in the bytes and in the result.
  public func decompress(
    _ input: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard let start = input.baseAddress, let output = room.baseAddress else { return }
    var next: UnsafePointer<UInt8>? = start.assumingMemoryBound(to: UInt8.self)
    var left = input.count
    while true {
      let before = left
      var made = 0
      let status = smc_decode(decoder, &next, &left, output, room.count, &made)
      bytesRead += before - left
      bytesMade += made
      // What is good before a fault is handed on.
      if made > 0 {
        guard isWithinLimit else { throw error(.tooLarge(limit: mostExpansion)) }
        try body(UnsafeRawBufferPointer(start: output, count: made))
      }
      switch status {
      case SMC_FINE: break
      case SMC_NO_MEMORY: throw error(.noMemory)
      default: throw error(.damaged)
      }
      // A full room may have left something in the library.
      if made < room.count, left == 0 || left == before { return }
    }
  }

  /// The stream is over.
  ///
  /// - Throws: ``DecompressionError`` if it ends within a member.
  public func finish() throws(DecompressionError) {
    if !smc_decoder_may_end(decoder) { throw error(.truncated) }
  }

  private var isWithinLimit: Bool {
    let (most, overflows) = bytesRead.multipliedReportingOverflow(by: mostExpansion)
    return overflows || bytesMade - Self.freeExpansion <= most
  }

  private func error(_ reason: DecompressionError.Reason) -> DecompressionError {
    DecompressionError(reason, format, bytesRead, bytesMade)
  }
}

/// Why a stream cannot be decompressed, and where.
public struct DecompressionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The bytes are not of the format, or a check sum does not hold.
    case damaged
    /// The stream ends too early.
    case truncated
    /// The result is more than so many times as large as the input.
    case tooLarge(limit: Int)
    /// There is no memory, or the stream asks for more than 128 MiB.
    case noMemory
  }

  /// What is wrong.
  public let reason: Reason
  /// The format of the stream.
  public let format: CompressionFormat
  /// How many compressed bytes come before the place.
  public let compressedOffset: Int
  /// How many bytes were made of them.
  public let offset: Int

  init(
    _ reason: Reason, _ format: CompressionFormat, _ compressedOffset: Int, _ offset: Int
  ) {
    self.reason = reason
    self.format = format
    self.compressedOffset = compressedOffset
    self.offset = offset
  }

  public var description: String {
    let what =
      switch reason {
      case .damaged: "the \(format) data is damaged"
      case .truncated: "the \(format) data ends too early"
      case .tooLarge(let limit): "the \(format) data becomes more than \(limit) times as large"
      case .noMemory: "the \(format) data takes more memory than there is, or than 128 MiB"
      }
    return "\(what), at byte \(compressedOffset) (\(offset) bytes decompressed)"
  }
}
