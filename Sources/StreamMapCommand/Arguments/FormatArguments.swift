import ArgumentParser
import StreamMap
import StreamMapCompression
import StreamMapFiles

// What mapping files and arguments name alike.
extension InputFormat: ExpressibleByArgument {}
extension ByteSize: ExpressibleByArgument {}

typealias OutputFormat = MappingFile.Output.Format
extension MappingFile.Output.Format: ExpressibleByArgument {
  /// The format that a file's name tells, with or without the ending of a compression; nil where it tells none.
  init?(fileName: String) {
    var name = fileName.lowercased()[...]
    if CompressionFormat(fileName: String(name)) != nil, let dot = name.lastIndex(of: ".") {
      name = name[..<dot]
    }
    guard let format = [Self.csv, .tsv].first(where: { name.hasSuffix(".\($0)") }) else {
      return nil
    }
    self = format
  }
}

typealias ErrorMode = MappingFile.Errors.Mode
extension MappingFile.Errors.Mode: ExpressibleByArgument {}

extension RecordParser: ExpressibleByArgument {}
