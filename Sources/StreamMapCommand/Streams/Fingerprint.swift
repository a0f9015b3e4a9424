import Foundation

/// What is remembered of the beginning of a file: how long it is, and a digest of its first and last bytes.
///
/// A file that has grown since still has it; one that was cut, replaced by another, or edited so that
/// what follows is somewhere else, has not. One that was edited in its middle has another digest of the whole, where that was
/// asked for.
struct Fingerprint: Codable, Equatable {
  /// At each end.
  private static let most = 4 << 10

  let bytes: Int
  let digest: String
  /// That of all its bytes.
  var whole: String?

  /// That of the first so many bytes; nil where there are fewer.
  ///
  /// Where there is a digest of the whole, that of all the bytes is made, and goes on from what it has of them.
  static func of(
    first count: Int, in descriptor: Int32, title: String, extending whole: inout WholeDigest?
  ) throws(SystemError) -> Fingerprint? {
    var digest = Digest()
    let size = min(count, most)
    for start in [0, count - size] {
      var piece = [UInt8](repeating: 0, count: size)
      guard try FileReading.read(&piece, at: start, descriptor, title) else { return nil }
      digest.add(piece)
    }
    guard var extended = whole else { return Fingerprint(bytes: count, digest: digest.text) }
    guard let text = try extended.text(ofFirst: count, in: descriptor, title: title) else {
      return nil
    }
    whole = extended
    return Fingerprint(bytes: count, digest: digest.text, whole: text)
  }

  /// Whether a file still begins so; by all its bytes, where there is a digest to be made.
  func isOf(_ descriptor: Int32, title: String, extending whole: inout WholeDigest?)
    throws(SystemError) -> Bool
  {
    var same = self
    if whole == nil { same.whole = nil }
    return try Fingerprint.of(first: bytes, in: descriptor, title: title, extending: &whole) == same
  }

  /// Whether a file still begins so.
  func isOf(_ path: String, extending whole: inout WholeDigest?) throws(SystemError) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open \(path)") }
    defer { close(descriptor) }
    return try isOf(descriptor, title: path, extending: &whole)
  }
}
