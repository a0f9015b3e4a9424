import StreamMap

/// How the bytes of a feed are compressed, if they are.
///
/// ```swift
/// let encoding = try FeedEncoding(contentEncoding: request.headers[.contentEncoding])
/// let body = request.body.decompressed(from: encoding, limits: .untrusted)
/// ```
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum FeedEncoding: Sendable, Hashable {
  /// The first bytes tell the format; a feed without one is not compressed.
  ///
  /// No JSON starts like compressed bytes, so nothing is taken for what it is not.
  case detected
  /// Not compressed.
  case identity
  /// Compressed in this format.
  case compressed(CompressionFormat)

  /// A content coding that is not known here; a server answers 415 (RFC 9110, 8.4).
  public struct UnknownCoding: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the header says, at most 64 characters of it.
    public let name: String

    public var description: String {
      "content coding '\(name)' is not one of \(FeedEncoding.acceptedCodings)"
    }
  }

  /// What an `Accept-Encoding` header may say of the codings that are read: `gzip, zstd, xz, bzip2`.
  public static let acceptedCodings = "gzip, zstd, xz, bzip2"

  /// What a `Content-Encoding` header says; without one, the first bytes tell.
  ///
  /// Known are `identity`, `gzip`, `x-gzip`, `zstd`, `xz` and `bzip2`, in any case. Codings one inside the other are not.
  ///
  /// - Parameter header: The header's value; nil or only spaces if there is none.
  /// - Throws: ``UnknownCoding``.
  public init(contentEncoding header: String?) throws(UnknownCoding) {
    let codings = (header ?? "").split(separator: ",").map { $0.split { $0 == " " || $0 == "\t" } }
      .filter { !$0.isEmpty }.map { $0.joined(separator: " ").lowercased() }
    let compressed = codings.filter { $0 != "identity" }
    guard let coding = compressed.first else {
      self = codings.isEmpty ? .detected : .identity
      return
    }
    guard compressed.count == 1 else {
      throw UnknownCoding(name: String(compressed.joined(separator: ", ").prefix(64)))
    }
    switch coding {
    case "gzip", "x-gzip": self = .compressed(.gzip)
    case "zstd": self = .compressed(.zstandard)
    case "xz": self = .compressed(.xz)
    case "bzip2": self = .compressed(.bzip2)
    default: throw UnknownCoding(name: String(coding.prefix(64)))
    }
  }
}
