import Foundation

/// Data that is too large for the project: the folder that STREAMMAP_SHARED names.
enum SharedData {
  private static let root: URL? = {
    guard let path = ProcessInfo.processInfo.environment["STREAMMAP_SHARED"], !path.isEmpty else {
      print("note: STREAMMAP_SHARED is not set: the tests on shared data are skipped")
      return nil
    }
    return URL(fileURLWithPath: path, isDirectory: true)
  }()

  static var isThere: Bool { root != nil }

  static func folder(_ path: String) -> URL? {
    root?.appendingPathComponent(path, isDirectory: true)
  }

  /// A file's bytes; nil if there is no shared data.
  static func bytes(_ path: String) throws -> [UInt8]? {
    guard let root else { return nil }
    return Array(try Data(contentsOf: root.appendingPathComponent(path)))
  }
}
