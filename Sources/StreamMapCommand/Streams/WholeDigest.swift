import StreamMap

/// A digest of the whole beginning of a file, made as the beginning grows: bytes that it already has are not read again.
struct WholeDigest {
  private static let pieceSize = 256 << 10

  private var digest = Digest()
  private var count = 0

  /// Starts again with another file.
  mutating func restart() { self = WholeDigest() }

  /// The digest of the first `count` bytes; nil if there are fewer.
  mutating func text(ofFirst count: Int, in descriptor: Int32, title: String)
    throws(SystemError) -> String?
  {
    if count < self.count { restart() }
    var piece: [UInt8] = []
    while self.count < count {
      let size = min(count - self.count, Self.pieceSize)
      if piece.count != size { piece = [UInt8](repeating: 0, count: size) }
      guard try FileReading.read(&piece, at: self.count, descriptor, title) else { return nil }
      digest.add(piece)
      self.count += size
    }
    return digest.text
  }
}
