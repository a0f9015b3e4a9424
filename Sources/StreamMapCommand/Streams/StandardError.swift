import Foundation

/// Where messages go.
enum StandardError {
  static func write(_ text: String, terminator: String = "\n") {
    // A message that cannot be written has nowhere else to go; the run continues.
    try? FileHandle.standardError.write(contentsOf: Data((text + terminator).utf8))
  }
}
