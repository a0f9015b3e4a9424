import CCompression
import StreamMap

/// A format of compressed bytes.
///
/// A compressed feed shows its format by its first bytes; a file that is to be compressed tells it by the end of its name:
///
/// ```swift
/// CompressionFormat(startOf: [0x1F, 0x8B, 8, 0])  // .gzip
/// CompressionFormat(fileName: "events.ndjson.zst")  // .zstandard
/// ```
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CompressionFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// gzip (RFC 1952), by ISA-L where the system has it, else by zlib.
  case gzip
  /// Zstandard (RFC 8878), by libzstd.
  case zstandard
  /// xz, by liblzma.
  case xz
  /// bzip2, by libbz2.
  case bzip2

  /// How many bytes at most decide on the format.
  public static let longestSignature = 10

  /// The format of bytes that start like this; nil if they are not compressed, or too few to tell.
  ///
  /// No text starts like this, and so no JSON does.
  // PERF: compiled with the caller, who knows the sequence: unspecialised code searches for conformances.
  @inlinable
  public init?(startOf bytes: some Sequence<UInt8>) {
    self.init(signature: Array(bytes.prefix(Self.longestSignature)))
  }

  @usableFromInline
  init?(signature start: [UInt8]) {
    guard let format = Self.allCases.first(where: { $0.signs(start) == .all }) else { return nil }
    self = format
  }

  /// Whether bytes that start like this may be those of a format, if more of them come.
  @inlinable
  public static func mayBecome(startOf bytes: some Sequence<UInt8>) -> Bool {
    mayBecome(signature: Array(bytes.prefix(longestSignature)))
  }

  @usableFromInline
  static func mayBecome(signature start: [UInt8]) -> Bool {
    allCases.contains { $0.signs(start) == .some }
  }

  /// The format that the end of a file's name says, as in `feed.json.gz`; nil if it says none.
  public init?(fileName: String) {
    let name = fileName.utf8.map { $0 | 0x20 }
    let format = Self.allCases.first { format in
      format.suffixes.contains {
        name.count > $0.utf8.count && name.suffix($0.utf8.count).elementsEqual($0.utf8)
      }
    }
    guard let format else { return nil }
    self = format
  }

  /// The ends of the names of its files; the first is the usual one.
  public var suffixes: [String] {
    switch self {
    case .gzip: [".gz", ".gzip"]
    case .zstandard: [".zst", ".zstd"]
    case .xz: [".xz"]
    case .bzip2: [".bz2"]
    }
  }

  /// A file's name without the end that says the format.
  public static func plainName(of fileName: String) -> String {
    guard let format = CompressionFormat(fileName: fileName) else { return fileName }
    let lowercased = fileName.lowercased()
    for suffix in format.suffixes where lowercased.hasSuffix(suffix) {
      return String(fileName.dropLast(suffix.count))
    }
    return fileName
  }

  /// What reads and writes it.
  var library: smc_library {
    switch self {
    case .gzip: smc_has_isal() ? SMC_ISAL : SMC_ZLIB
    case .zstandard: SMC_ZSTD
    case .xz: SMC_LZMA
    case .bzip2: SMC_LIBBZ2
    }
  }

  // MARK: Signatures

  private enum Match {
    case none
    /// The bytes are too few.
    case some
    case all
  }

  /// What streams start with, a byte and the bits of it that count.
  private var signatures: [[(byte: UInt8, mask: UInt8)]] {
    switch self {
    case .gzip: [Self.exact([0x1F, 0x8B, 0x08])]
    case .zstandard:
      // A frame, or one to be skipped (RFC 8878, 3.1.1 and 3.1.2).
      [
        Self.exact([0x28, 0xB5, 0x2F, 0xFD]),
        [(0x50, 0xF0), (0x2A, 0xFF), (0x4D, 0xFF), (0x18, 0xFF)],
      ]
    case .xz: [Self.exact([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00])]
    case .bzip2:
      // The size of blocks is a digit; then comes a block, or the end of a stream without any.
      [[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]].map {
        Self.exact([0x42, 0x5A, 0x68]) + [(0x30, 0xF0)] + Self.exact($0)
      }
    }
  }

  private static func exact(_ bytes: [UInt8]) -> [(byte: UInt8, mask: UInt8)] {
    bytes.map { ($0, 0xFF) }
  }

  private func signs(_ start: [UInt8]) -> Match {
    var match = Match.none
    for signature in signatures {
      guard zip(start, signature).allSatisfy({ $0 & $1.mask == $1.byte }) else { continue }
      if start.count >= signature.count { return .all }
      if !start.isEmpty { match = .some }
    }
    return match
  }
}
