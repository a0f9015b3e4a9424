import Foundation

/// The project's files, and a folder for those of a test.
enum Project {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}

/// A folder that is there as long as a test.
final class Folder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(
    path: "stream-map-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a file; its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let path = path(name)
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }
}
