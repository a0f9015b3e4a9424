import ArgumentParser
import StreamMap
import StreamMapFiles

// What mapping files and arguments name alike.
extension InputFormat: ExpressibleByArgument {}
extension ByteSize: ExpressibleByArgument {}

typealias OutputFormat = MappingFile.Output.Format
extension MappingFile.Output.Format: ExpressibleByArgument {
  var layout: OutputConverter.Layout {
    switch self {
    case .ndjson: .lines
    case .json: .array
    }
  }
}

typealias ErrorMode = MappingFile.Errors.Mode
extension MappingFile.Errors.Mode: ExpressibleByArgument {}

extension RecordParser: ExpressibleByArgument {}
