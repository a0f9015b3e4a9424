import Foundation
import StreamMap

/// The names of feed formats, in mapping files and as arguments.
package enum InputFormat: String, CaseIterable, Sendable {
  case auto, json, ndjson, concat, seq

  package var format: FeedFormat {
    switch self {
    case .auto: .auto
    case .json: .json
    case .ndjson: .ndjson
    case .concat: .concatenated
    case .seq: .sequence
    }
  }
}

extension FeedFormat {
  /// The format, or if that is to be told from the feed, the one that its name says.
  package func ofFeed(named name: String) -> FeedFormat {
    guard self == .auto else { return self }
    switch URL(fileURLWithPath: name).pathExtension.lowercased() {
    case "ndjson", "jsonl": return .ndjson
    case "json-seq": return .sequence
    default: return .auto
    }
  }
}
