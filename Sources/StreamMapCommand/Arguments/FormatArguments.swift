import ArgumentParser
import StreamMap

/// The names of feed formats, in mapping files and as arguments.
enum InputFormat: String, CaseIterable, ExpressibleByArgument {
  case auto, json, ndjson, concat, seq

  var format: FeedFormat {
    switch self {
    case .auto: .auto
    case .json: .json
    case .ndjson: .ndjson
    case .concat: .concatenated
    case .seq: .sequence
    }
  }
}

/// The names of output formats.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case ndjson, json

  var layout: OutputConverter.Layout {
    switch self {
    case .ndjson: .lines
    case .json: .array
    }
  }
}

/// What becomes of a record that cannot be mapped.
enum ErrorMode: String, CaseIterable, ExpressibleByArgument {
  /// It ends the run.
  case fail
  /// It is counted.
  case skip
  /// It is written to the rejects.
  case reject
}

extension RecordParser: ExpressibleByArgument {}
