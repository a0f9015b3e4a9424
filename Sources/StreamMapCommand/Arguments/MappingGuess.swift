import ArgumentParser
import StreamMapCompression
import StreamMapFiles
import StreamMapPlatform

/// Tells a mapping file from a feed, where it is given as one.
enum MappingGuess {
  /// How much of a file is looked at: comments may come first.
  private static let most = 4096

  private static let beginning = try? LinearPattern(#"(?m)^(\{\s*)?["']?streammap["']?\s*:"#)

  /// Whether an input is a mapping file: its name says YAML or JSON, and it begins as one.
  static func isMapping(_ path: String) -> Bool {
    let ending = path.split(separator: ".").last?.lowercased() ?? ""
    guard ["yaml", "yml", "json"].contains(ending), let start = start(of: path) else {
      return false
    }
    if case _? = beginning?.firstMatch(in: start) { return true }
    return false
  }

  /// Refuses a mapping file that is given as a feed.
  ///
  /// - Parameters:
  ///   - path: The feed, as it was given.
  ///   - command: The command's name.
  ///   - option: The option that takes a mapping file; nil if there is none.
  /// - Throws: `ValidationError`.
  static func refuse(asFeed path: String, of command: String, takes option: String? = nil) throws {
    guard isMapping(path) else { return }
    let place = option.map { ": give it by \($0), and the feed besides" } ?? ""
    throw ValidationError("\(command) reads a feed, and '\(path)' is a mapping file\(place).")
  }

  /// The first characters of a regular file; nil if it is none, or cannot be read.
  private static func start(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let descriptor = FileReading.open(path)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: most)
    let count = StreamMapPlatform.read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
