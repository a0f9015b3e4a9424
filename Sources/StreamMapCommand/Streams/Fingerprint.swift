import StreamMap
import StreamMapPlatform

/// A record of the beginning of a file: its length, and a digest of its first and last bytes.
///
/// A file that has grown since then still has this fingerprint. A file that was cut, replaced by another one, or edited
/// so that later bytes moved does not. A file that was edited in its middle has a different digest of the whole, if
/// that digest was requested.
struct Fingerprint: Codable, Equatable {
  /// The bytes that are read at each end.
  private static let most = 4 << 10

  let bytes: Int
  let digest: String
  /// The digest of all its bytes.
  var whole: String?

  /// The fingerprint of the first `count` bytes; nil if there are fewer.
  ///
  /// If there is a digest of the whole, it is made of all these bytes, and continues from those that it already has.
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

  /// Whether a file still begins like this; all its bytes are compared if there is a digest to be made.
  func isOf(_ descriptor: Int32, title: String, extending whole: inout WholeDigest?)
    throws(SystemError) -> Bool
  {
    var same = self
    if whole == nil { same.whole = nil }
    return try Fingerprint.of(first: bytes, in: descriptor, title: title, extending: &whole) == same
  }

  /// Whether a file still begins like this.
  func isOf(_ path: String, extending whole: inout WholeDigest?) throws(SystemError) -> Bool {
    let descriptor = FileReading.open(path)
    guard descriptor >= 0 else { throw SystemError("open \(path)") }
    defer { close(descriptor) }
    return try isOf(descriptor, title: path, extending: &whole)
  }
}
