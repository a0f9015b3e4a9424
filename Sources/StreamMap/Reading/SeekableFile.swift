#if canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A feed that can be read at any place: a regular file, or a blob.
final class SeekableFile {
  private let descriptor: Int32
  private let blob: Blob?
  private let name: String
  /// Its size when it was opened.
  let size: Int

  /// A blob, as it is.
  init(_ blob: Blob) {
    descriptor = -1
    self.blob = blob
    name = blob.name
    size = blob.size
  }

  /// - Throws: ``MappingError`` (`io`) if it cannot be opened, or is no regular file.
  init(_ path: String) throws(MappingError) {
    name = path
    blob = nil
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      size = 0
      throw MappingError(.io, found: "cannot open \(path): \(String(cString: strerror(errno)))")
    }
    size = Int(status.st_size)
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw MappingError(
        .io, expected: "a file that can be read at any place", found: "\(path), which is not one")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The bytes of a range, as far as the file has them.
  ///
  /// - Throws: ``MappingError`` (`io`).
  func bytes(in range: Range<Int>) throws(MappingError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var count = 0
    while count < bytes.count {
      let room = count..<bytes.count
      let read =
        if let blob {
          try blob.read(into: &bytes, room, from: range.lowerBound + count)
        } else {
          try readFile(into: &bytes, room, from: range.lowerBound + count)
        }
      if read == 0 { break }
      count += read
    }
    return Array(bytes[..<count])
  }

  private func readFile(
    into bytes: inout [UInt8], _ room: Range<Int>, from offset: Int
  ) throws(MappingError) -> Int {
    while true {
      let read = bytes.withUnsafeMutableBytes {
        pread(
          descriptor, UnsafeMutableRawBufferPointer(rebasing: $0[room]).baseAddress, room.count,
          off_t(offset))
      }
      if read >= 0 { return read }
      guard errno == EINTR else {
        throw MappingError(.io, found: "cannot read \(name): \(String(cString: strerror(errno)))")
      }
    }
  }

  /// The length of its byte-order mark, or 0; nil if the first bytes show that it is not UTF-8.
  func preamble() throws(MappingError) -> Int? {
    let verdict = Preamble.verdict(on: try bytes(in: 0..<min(size, 4)), isFinal: true)
    return if case .utf8(let skip) = verdict { skip } else { nil }
  }

  /// Refuses a file that is compressed: no byte of the feed is at a place that is known.
  ///
  /// - Throws: ``MappingError`` (`io`).
  func refuseCompressed() throws(MappingError) {
    let start = try bytes(in: 0..<min(size, 6))
    // No JSON begins with these.
    let signatures: [(name: String, bytes: [UInt8])] = [
      ("gzip", [0x1F, 0x8B]), ("zstandard", [0x28, 0xB5, 0x2F, 0xFD]),
      ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]), ("bzip2", [0x42, 0x5A, 0x68]),
    ]
    guard let found = signatures.first(where: { start.starts(with: $0.bytes) }) else { return }
    throw MappingError(
      .io, expected: "a feed that is not compressed, since its parts begin in its middle",
      found: "\(name), which is compressed (\(found.name)): decompress it first")
  }

  /// The start of the first line that begins at an offset or after it; the size where there is none.
  ///
  /// - Complexity: O(*n*) in the number of bytes up to there.
  func lineStart(from offset: Int) throws(MappingError) -> Int {
    if offset <= 0 { return 0 }
    // A line begins at the offset where the byte before it ends one.
    var start = offset - 1
    var length = 1 << 10
    while start < size {
      let piece = try bytes(in: start..<min(start + length, size))
      if let found = piece.firstIndex(of: UInt8(ascii: "\n")) { return start + found + 1 }
      if piece.isEmpty { break }
      start += piece.count
      // Most lines are short.
      length = min(length * 4, 256 << 10)
    }
    return size
  }
}

/// Identifies a feed without reading all of it: its size, and a digest of its first and last bytes.
struct FeedFingerprint: Sendable, Hashable, Codable {
  /// The bytes that are read at each end.
  private static let most = 4 << 10
  /// The bytes that are read on each side of a place.
  private static let around = 256

  let size: Int
  let ends: String

  init(of file: SeekableFile) throws(MappingError) {
    size = file.size
    let most = min(size, Self.most)
    var digest = Digest()
    digest.add(try file.bytes(in: 0..<most))
    digest.add(try file.bytes(in: size - most..<size))
    ends = digest.text
  }

  /// A digest of the bytes around a place of a feed.
  static func digest(around offset: Int, in file: SeekableFile) throws(MappingError) -> String {
    let start = max(offset - around, 0)
    var digest = Digest()
    digest.add(try file.bytes(in: start..<max(start, min(offset + around, file.size))))
    return digest.text
  }
}
