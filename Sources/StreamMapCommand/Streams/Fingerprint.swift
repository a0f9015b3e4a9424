import Foundation

/// What is remembered of the beginning of a file: how long it is, and a digest of its first and last bytes.
///
/// A file that has grown since still has it; one that was cut, replaced by another, or edited so that
/// what follows is somewhere else, has not.
struct Fingerprint: Codable, Equatable {
  /// At each end.
  private static let most = 4 << 10

  let bytes: Int
  let digest: String

  /// That of the first so many bytes; nil where there are fewer.
  static func of(first count: Int, in descriptor: Int32, title: String) throws(SystemError)
    -> Fingerprint?
  {
    var digest = Digest()
    let size = min(count, most)
    for start in [0, count - size] {
      var piece = [UInt8](repeating: 0, count: size)
      guard try read(&piece, at: start, descriptor, title) else { return nil }
      digest.add(piece)
    }
    return Fingerprint(bytes: count, digest: digest.text)
  }

  /// That of the first so many bytes of a file; nil where there are fewer.
  static func of(first count: Int, in path: String) throws(SystemError) -> Fingerprint? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open \(path)") }
    defer { close(descriptor) }
    return try of(first: count, in: descriptor, title: path)
  }

  /// Whether a file still begins so.
  func isOf(_ path: String) throws(SystemError) -> Bool {
    try Fingerprint.of(first: bytes, in: path) == self
  }

  /// Reads a stretch; false where the file ends before.
  private static func read(
    _ piece: inout [UInt8], at start: Int, _ descriptor: Int32, _ title: String
  ) throws(SystemError) -> Bool {
    var done = 0
    while done < piece.count {
      let count = piece.withUnsafeMutableBytes {
        pread(
          descriptor, UnsafeMutableRawBufferPointer(rebasing: $0[done...]).baseAddress,
          $0.count - done, off_t(start + done))
      }
      if count == 0 { return false }
      if count > 0 { done += count } else if errno != EINTR { throw SystemError("read \(title)") }
    }
    return true
  }
}
