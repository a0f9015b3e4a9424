import CCompression

/// Compresses pieces, each to a member of its own, so that the result is good at the end of each piece.
///
/// Members one after the other are a stream of the format: every tool reads it as the pieces joined. Pieces should have some
/// 100 KiB or more, because nothing is shared between them.
///
/// ```swift
/// let compressor = try Compressor(.gzip)
/// let member = try compressor.compressed(piece)
/// ```
///
/// The levels are those of the formats' own tools: 6 for gzip and xz, 3 for Zstandard, 9 for bzip2. Where the system has ISA-L, it writes gzip
/// by its highest level, in a fraction of the time: members are larger, by a tenth to a half.
///
/// Not for several threads at once.
public final class Compressor {
  /// There is no memory.
  public struct NoMemory: Error {}

  /// More at once would not fit into the words of zlib and libbz2.
  private static let mostAtOnce = 1 << 28

  /// The format.
  public let format: CompressionFormat
  // Invariant: made in `init`, freed in `deinit`.
  private let encoder: OpaquePointer

  /// A compressor.
  ///
  /// - Throws: ``NoMemory``.
  public init(_ format: CompressionFormat) throws(NoMemory) {
    guard let encoder = smc_encoder_make(format.library) else { throw NoMemory() }
    self.encoder = encoder
    self.format = format
  }

  deinit { smc_encoder_free(encoder) }

  /// A member that holds the piece; more than one, if it has more than 256 MiB, and none for an empty piece.
  ///
  /// - Throws: ``NoMemory``.
  /// - Complexity: O(*n*) in the piece.
  public func compressed(_ piece: UnsafeRawBufferPointer) throws(NoMemory) -> [UInt8] {
    var members: [UInt8] = []
    var rest = piece[...]
    while !rest.isEmpty {
      members += try member(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.mostAtOnce)))
      rest = rest.dropFirst(Self.mostAtOnce)
    }
    return members
  }

  private func member(_ piece: UnsafeRawBufferPointer) throws(NoMemory) -> [UInt8] {
    let most = smc_encoder_bound(encoder, piece.count)
    let member = [UInt8](unsafeUninitializedCapacity: most) { room, count in
      count = smc_encode(
        encoder, piece.bindMemory(to: UInt8.self).baseAddress, piece.count, room.baseAddress, most)
    }
    if member.isEmpty { throw NoMemory() }
    return member
  }
}
