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
  private static let roomSize = 64 << 10

  /// The format.
  public let format: CompressionFormat
  /// What the stream may become.
  public let limits: DecompressionLimits
  /// How many bytes were taken, compressed.
  public private(set) var bytesRead = 0
  /// How many bytes were made of them.
  public private(set) var bytesMade = 0

  // Invariant: made in `init`, freed in `deinit`.
  private let decoder: OpaquePointer
  private let room: UnsafeMutableBufferPointer<UInt8>
  /// What is wrong with the bytes after those that were handed on.
  private var failure: DecompressionError?
  /// Whether the library may still have something to hand on without further input.
  private var mayHaveMore = false

  /// A decompressor at the start of a stream.
  ///
  /// - Parameters:
  ///   - format: The stream's format.
  ///   - limits: What it may become.
  /// - Throws: ``DecompressionError`` without memory.
  public init(
    _ format: CompressionFormat, limits: DecompressionLimits = DecompressionLimits()
  ) throws(DecompressionError) {
    guard let decoder = smc_decoder_make(format.library) else {
      throw DecompressionError(.noMemory, format, 0, 0)
    }
    self.decoder = decoder
    self.format = format
    self.limits = limits
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
    var rest = input
    while let piece = try nextPiece(of: &rest) { try body(piece) }
  }

  /// Decompresses bytes until there is a piece of the result; the bytes that are left come first in the next call.
  ///
  /// - Returns: The piece, valid until the next call; nil once nothing more can be made of the bytes.
  /// - Throws: ``DecompressionError``, after everything that is good before the fault.
  func nextPiece(of input: inout UnsafeRawBufferPointer) throws(DecompressionError)
    -> UnsafeRawBufferPointer?
  {
    if let failure { throw failure }
    guard mayHaveMore || !input.isEmpty else { return nil }
    // The address of nothing is not asked for what it points to.
    var next =
      input.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(room.baseAddress)
    var left = input.count
    var made = 0
    let status = smc_decode(decoder, &next, &left, room.baseAddress, room.count, &made)
    let read = input.count - left
    input = UnsafeRawBufferPointer(rebasing: input.dropFirst(read))
    bytesRead += read
    bytesMade += made
    // A full room may have left something in the library.
    mayHaveMore = made == room.count
    if !limits.allow(bytesMade, from: bytesRead) {
      throw fail(.tooLarge(limit: limits.expansion))
    }
    if let most = limits.bytes, bytesMade > most { throw fail(.tooManyBytes(limit: most)) }
    switch status {
    case SMC_FINE: break
    case SMC_NO_MEMORY: _ = fail(.noMemory)
    default: _ = fail(.damaged)
    }
    if made > 0 { return UnsafeRawBufferPointer(start: room.baseAddress, count: made) }
    if let failure { throw failure }
    // More than the library takes at once.
    return read > 0 ? try nextPiece(of: &input) : nil
  }

  /// The stream is over.
  ///
  /// - Throws: ``DecompressionError`` if it ends within a member.
  public func finish() throws(DecompressionError) {
    if let failure { throw failure }
    if !smc_decoder_may_end(decoder) { throw fail(.truncated) }
  }

  /// Notes what is wrong: nothing comes after it.
  private func fail(_ reason: DecompressionError.Reason) -> DecompressionError {
    let error = DecompressionError(reason, format, bytesRead, bytesMade)
    failure = error
    return error
  }
}
