import ArgumentParser
import StreamMap
import StreamMapFiles

/// A file of columns that a run writes.
struct ColumnFile {
  /// How the file has its columns.
  enum Form {
    case parquet
    /// The messages, one after the other.
    case arrowStream
    /// The same, and at the end where each batch is.
    case arrowFile
  }

  let path: String
  let form: Form
  let columns: ColumnPlan

  /// Nil if the output has no columns.
  ///
  /// - Throws: `ValidationError` for what such a file does not go with.
  init?(_ settings: MappingFile, _ output: String, isDivided: Bool, hasCheckpoint: Bool) throws {
    let format = settings.output.format ?? .ndjson
    guard let columns = settings.columns(as: format) else { return nil }
    if isDivided {
      throw ValidationError("--to \(format) writes one file: '\(output)' is several.")
    }
    if hasCheckpoint {
      throw ValidationError(
        "--to \(format) and --checkpoint do not go together: such a file cannot be continued. Give each part"
          + " (--part K/N) a run and a file of its own.")
    }
    if output == "-", StandardStreams.outputIsTerminal {
      throw ValidationError("--to \(format) is nothing for a terminal: give -o FILE.")
    }
    path = output
    self.columns = columns
    form =
      if format == .parquet { .parquet } else if OutputName(output).isArrowFile { .arrowFile } else
      {
        .arrowStream
      }
  }
}
