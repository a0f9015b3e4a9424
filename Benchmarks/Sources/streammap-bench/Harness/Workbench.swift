import Foundation

/// Where everything is that contenders need.
struct Workbench {
  /// The folder with the feeds.
  let feeds: String
  /// The command under test.
  let streamMap: String
  /// This package's folder.
  let home: String

  /// The package's folder at build time.
  static var home: String {
    var url = URL(filePath: #filePath)
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url.path
  }

  func feed(_ name: String) -> String { "\(feeds)/\(name)" }

  func mapping(_ name: String) -> String { "\(home)/Mappings/\(name)" }

  /// A file for data that one run leaves for another.
  static func temporary(_ name: String) -> String {
    NSTemporaryDirectory() + "streammap-bench-\(getpid())-\(name)"
  }
}
