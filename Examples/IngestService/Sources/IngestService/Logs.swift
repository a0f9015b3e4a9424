import Foundation
import Logging
import Synchronization

/// The log of one request: what becomes known of it on its way is in every line after that.
final class RequestLog: Sendable {
  private let state: Mutex<Logger>

  init(_ logger: Logger) { state = Mutex(logger) }

  /// The logger with all that is known.
  var logger: Logger { state.withLock { $0 } }

  func note(_ key: String, _ value: String) {
    state.withLock { $0[metadataKey: key] = "\(value)" }
  }
}

/// Writes each line of the log as one JSON object, on standard error.
struct JSONLogHandler: LogHandler {
  let label: String
  var logLevel = Logger.Level.info
  var metadata = Logger.Metadata()

  init(label: String) { self.label = label }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  private struct Line: Encodable {
    let time: Date
    let level: Logger.Level
    let label: String
    let message: String
    let metadata: [String: String]
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    let line = Line(
      time: .now, level: event.level, label: label, message: "\(event.message)",
      metadata: all.mapValues { "\($0)" })
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard var bytes = try? encoder.encode(line) else { return }
    bytes.append(UInt8(ascii: "\n"))
    FileHandle.standardError.write(bytes)
  }
}
