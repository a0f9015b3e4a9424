#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if canImport(System)
import System
#endif

/// A file, a pipe or a socket that a feed is read from.
///
/// ```swift
/// try mapper.records(in: Feed(.file("people.ndjson")))
/// try mapper.records(in: Feed(.file(url), at: "$.people[*]"), jobs: 4)
/// try mapper.records(in: Feed(.standardInput))
/// ```
///
/// Bytes in memory and asynchronous buffers are given to ``Feed`` as they are.
public struct FeedSource: Sendable {
  private enum Place {
    case path(String)
    case descriptor(Int32)
    case elsewhere(URL)
    case blob(Blob)
  }

  private let place: Place
  /// The feed's name: its path, unless another one is given.
  ///
  /// Its ending may say the format, and fields of mapping files with `meta: file` hold it.
  public let name: String?

  /// The file at a path; a folder or a missing file is an error with the code `io`.
  public static func file(_ path: String) -> FeedSource {
    FeedSource(place: .path(path), name: path)
  }

  /// The file at a file URL; any other URL is an error with the code `io`.
  public static func file(_ url: URL) -> FeedSource {
    url.isFileURL ? file(url.path) : FeedSource(place: .elsewhere(url), name: nil)
  }

  #if canImport(System)
  /// The file at a path.
  public static func file(_ path: FilePath) -> FeedSource { file(path.string) }
  #endif

  /// An open file, pipe or socket, which stays open.
  ///
  /// It is read from its current offset to its end. A complete record does not wait for later input. To resume a feed, set
  /// the descriptor to the offset of the position first.
  ///
  /// - Parameters:
  ///   - descriptor: Open for reading.
  ///   - name: The feed's name.
  /// - Returns: The source.
  public static func descriptor(_ descriptor: Int32, named name: String? = nil) -> FeedSource {
    FeedSource(place: .descriptor(descriptor), name: name)
  }

  /// Standard input.
  public static var standardInput: FeedSource { descriptor(STDIN_FILENO) }

  /// A feed that can be read at any place, and is no file.
  package static func blob(_ blob: Blob) -> FeedSource {
    FeedSource(place: .blob(blob), name: blob.name)
  }

  /// The feed; any bytes of it can be read.
  ///
  /// - Throws: ``MappingError`` (`io`) if that cannot be.
  func seekable() throws(MappingError) -> SeekableFile {
    switch place {
    case .path(let path): return try SeekableFile(path)
    case .blob(let blob): return SeekableFile(blob)
    case .descriptor, .elsewhere:
      throw MappingError(
        .io, expected: "a file that can be read at any place", found: "another source")
    }
  }

  /// Opens it; a file is read from an offset on.
  ///
  /// - Throws: ``MappingError`` (`io`) if that fails.
  func open(from offset: Int) throws(MappingError) -> any FeedInput {
    switch place {
    case .path(let path): try FileInput(path: path, from: offset)
    case .descriptor(let descriptor): FileInput(descriptor: descriptor)
    case .blob(let blob): blob.input(from: offset)
    case .elsewhere(let url):
      throw MappingError(
        .io, expected: "a file URL", found: "one with the scheme \(url.scheme ?? "")")
    }
  }
}
