import ArgumentParser
import StreamMapCompression
import StreamMapFiles

/// The form that the ending of an output's name says.
struct OutputName {
  private let path: String
  private let compression: CompressionFormat?
  /// The last ending but that of a compression, in small letters and without its dot; empty if there is none.
  private let ending: String

  /// A path, or a template of paths.
  init(_ path: String) {
    self.path = path
    compression = CompressionFormat(fileName: path)
    let name = CompressionFormat.plainName(of: path).split(separator: "/").last ?? ""
    ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }

  /// The endings of Arrow's files; all others are for its streams.
  private static let fileEndings = ["arrow", "feather", "ipc"]

  /// Whether Arrow's columns are written as a file, which says at its end where its batches are.
  var isArrowFile: Bool { Self.fileEndings.contains(ending) }

  /// The formats of files with an ending; the first one is that of a run that says no other.
  private static let formats: [(endings: [String], formats: [OutputFormat])] = [
    (["ndjson", "jsonl"], [.ndjson]), (["json"], [.json, .ndjson, .pretty]), (["csv"], [.csv]),
    (["tsv"], [.tsv]), (["db", "db3", "sqlite", "sqlite3"], [.sqlite]),
    (["parquet"], [.parquet]), (fileEndings + ["arrows"], [.arrow]),
  ]

  /// Endings of other forms, and what to do for them.
  private static let others: [(endings: [String], advice: String)] = [
    (["avro", "orc"], "give --to csv or --to ndjson to a program that writes such files"),
    (
      ["xlsx", "xlsm", "xls", "ods", "numbers"],
      "spreadsheets open files of --to csv; write them with --csv-safe"
    ),
    (
      ["zip", "7z", "rar", "tar", "tgz", "tbz2", "txz", "lz4", "br", "lzma", "z"],
      "a name that ends in .gz, .zst, .xz or .bz2 compresses the output"
    ),
    (
      ["duckdb", "mdb", "accdb", "sql"],
      "'stream-map ddl' prints the table, and the database loads files of --to csv; --to sqlite writes a database"
    ),
    (
      ["xml", "yaml", "yml", "toml", "html", "htm", "pdf", "msgpack", "cbor", "bson", "pkl"],
      "give --to ndjson to a program that writes such files"
    ),
  ]

  /// Whether it ends as outputs do that are never feeds.
  var isOfOutputs: Bool {
    Self.formats.contains { !$0.formats.contains(.ndjson) && $0.endings.contains(ending) }
  }

  /// The format of a run that writes this file.
  ///
  /// - Parameter given: What `--to` or the mapping file says; nil if they say nothing.
  /// - Returns: The format.
  /// - Throws: `ValidationError` if the name says another one.
  func format(_ given: OutputFormat?) throws -> OutputFormat {
    // The user's own text may be of any form.
    if given == .text { return .text }
    if let other = Self.others.first(where: { $0.endings.contains(ending) }) {
      throw ValidationError(
        "-o \(path): no form of output is called '.\(ending)': \(other.advice).")
    }
    if let form = OutputFormat(rawValue: path), !FirstInput.exists(path) {
      throw ValidationError(
        "-o \(path) is the name of a form: give --to \(form), or -o ./\(path) for such a file.")
    }
    let named = Self.formats.first { $0.endings.contains(ending) }?.formats
    guard let format = given ?? named?.first else { return .ndjson }
    if let named, !named.contains(format) {
      throw ValidationError(
        "-o \(path): '.\(ending)' is a file of --to \(named[0]), and the output is \(format): give"
          + " --to \(named[0]), or a name that ends in \(Self.ending(of: format)).")
    }
    switch format {
    case .sqlite: try refuseCompression(of: "a database")
    case .parquet, .arrow: try refuseCompression(of: "a file of columns")
    case .ndjson, .json, .pretty, .csv, .tsv, .text, .pgcopy: break
    }
    return format
  }

  private static func ending(of format: OutputFormat) -> String {
    // The text of COPY has no usual ending.
    formats.first { $0.formats.contains(format) }.map { "." + $0.endings[0] } ?? ".txt"
  }

  /// Refuses the name of any other form than one record a line.
  func refuseUnlessLines(of command: String) throws {
    if try format(nil) == .ndjson { return }
    throw ValidationError(
      "-o \(path): \(command) writes one record a line: give a name that ends in .ndjson.")
  }

  /// Refuses the ending of a compression for what is not compressed.
  func refuseCompression(of what: String) throws {
    guard compression != nil else { return }
    throw ValidationError("-o \(path): \(what) is not compressed: give a name without that ending.")
  }
}
