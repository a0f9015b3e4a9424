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

/// Where the values of a feed are written: a file, a pipe or a socket, or code of your own.
///
/// ```swift
/// try mapper.write(people, to: .file("people.ndjson"))
/// try mapper.write(people, to: .standardOutput, as: .array)
/// try mapper.write(people, to: .buffers { archive.append(contentsOf: $0) })
/// ```
public struct FeedDestination {
  private enum Place {
    case path(String)
    case descriptor(Int32)
    case elsewhere(URL)
    case buffers((UnsafeRawBufferPointer) throws -> Void)
  }

  private let place: Place

  /// The file at a path, which appears under its name only when it is complete.
  ///
  /// It is written as `path.partial` and renamed at the end, once it is on the disk; a file of that name is then replaced, and
  /// a link stays a link. If writing fails, `path.partial` stays, with whole values; the next run starts it again. A device or
  /// a named pipe is written in place.
  public static func file(_ path: String) -> FeedDestination { FeedDestination(place: .path(path)) }

  /// The file at a file URL, as ``file(_:)-(String)``; any other URL is an error with the code `io`.
  public static func file(_ url: URL) -> FeedDestination {
    url.isFileURL ? file(url.path) : FeedDestination(place: .elsewhere(url))
  }

  #if canImport(System)
  /// The file at a path, as ``file(_:)-(String)``.
  public static func file(_ path: FilePath) -> FeedDestination { file(path.string) }
  #endif

  /// An open file, pipe or socket, which stays open.
  ///
  /// If writing fails in a file that ends there, the file is cut back to whole values. Bytes in a pipe or a socket cannot be
  /// taken back. A program that writes to a pipe ignores the signal `SIGPIPE`, so that a reader that has gone is an error.
  public static func descriptor(_ descriptor: Int32) -> FeedDestination {
    FeedDestination(place: .descriptor(descriptor))
  }

  /// Standard output.
  public static var standardOutput: FeedDestination { descriptor(STDOUT_FILENO) }

  /// Code that takes the bytes in buffers of some 64 KiB; each ends with a whole value.
  ///
  /// The buffer is valid during the call. An error that the code throws is the only one in
  /// ``MappingError/underlying`` of the error that is thrown then.
  public static func buffers(
    _ take: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) -> FeedDestination {
    FeedDestination(place: .buffers(take))
  }

  /// Opens it.
  ///
  /// - Throws: ``MappingError`` (`io`) if that fails.
  func open() throws(MappingError) -> any FeedOutput {
    switch place {
    case .path(let path): try FileOutput(path: path)
    case .descriptor(let descriptor): FileOutput(descriptor: descriptor)
    case .buffers(let take): BufferOutput(take)
    case .elsewhere(let url):
      throw MappingError(
        .io, expected: "a file URL", found: "one with the scheme \(url.scheme ?? "")")
    }
  }
}
