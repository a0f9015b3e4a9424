import StreamMap
import StreamMapCompression

/// What a feed is called, and how it is compressed, once its first bytes have said that.
///
/// It outlives the file, which is closed before all is said of it.
final class FeedName {
  /// As it was given: `-` for standard input.
  let name: String
  var compression: CompressionFormat?

  init(_ name: String) {
    self.name = name
  }

  /// The file's path; nil for standard input.
  var path: String? { name == "-" ? nil : name }

  /// The start of a line of a shell that gives its bytes, decompressed, to a program.
  ///
  /// - Parameters:
  ///   - program: What reads standard input.
  ///   - ofFile: What reads the file by itself, where that is not compressed.
  /// - Returns: As in `gzip -dc feed.gz | funzip`.
  func words(_ program: String, ofFile: (ShellWord) -> String) -> String {
    guard let compression else {
      return path.map { ofFile(ShellWord($0)) } ?? "… | \(program)"
    }
    let tool =
      switch compression {
      case .gzip: "gzip -dc"
      case .zstandard: "zstd -dc"
      case .xz: "xz -dc"
      case .bzip2: "bzip2 -dc"
      }
    let start = path.map { "\(tool) \(ShellWord($0))" } ?? "… | \(tool)"
    return "\(start) | \(program)"
  }
}
