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
