#if canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How output records are written and follow each other: the one place for forms of output that are text.
///
/// A mapped record's JSON text comes in, whatever thread has made it; ``OutputAppender`` appends what becomes of it. First the record
/// becomes rows (``RowSplitter``), which are JSON, too. So all forms have the same ones.
package struct OutputLayout: Sendable {
  enum Form: Sendable {
    /// One a line.
    case lines
    /// The elements of one array.
    case array
    /// Each on several lines, with indentation.
    case indented
    case rows(RowForm)
  }

  let form: Form
  /// Whether ``OutputFrames`` separates the records, because they go to several files.
  private(set) var isFramed = false
  /// What makes the path of a record's file, where records have paths.
  private(set) var names: FileNames?
  /// Whether each record becomes rows first.
  var hasRows = false

  /// One record a line.
  package static let lines = OutputLayout(form: .lines)
  /// The elements of one array.
  package static let array = OutputLayout(form: .array)
  /// Each record on several lines, with indentation, one after the other.
  package static let indented = OutputLayout(form: .indented)

  /// Rows.
  ///
  /// - Throws: ``DefinitionError`` if records as they are have no such rows.
  package static func rows(of record: OutputValue, _ options: RowOptions) throws(DefinitionError)
    -> OutputLayout
  {
    OutputLayout(form: .rows(try RowForm(record, options)))
  }

  /// The layout where records go to several files: it writes frames.
  ///
  /// - Parameters:
  ///   - template: The paths of the files; nil if records have none.
  ///   - record: What records are.
  /// - Returns: The layout.
  /// - Throws: ``DefinitionError`` if a field of the template is not there, or is no scalar.
  package func framed(_ template: FileTemplate?, of record: OutputValue) throws(DefinitionError)
    -> OutputLayout
  {
    var layout = self
    layout.isFramed = true
    layout.names = try template?.names(of: record)
    return layout
  }

  /// The names of the columns, where there are columns.
  package var columnNames: [String]? {
    if case .rows(let rows) = form { rows.columns.map(\.name) } else { nil }
  }

  /// What stands in a file before the first record.
  package var opening: [UInt8] {
    switch form {
    case .lines, .indented: []
    case .array: [UInt8(ascii: "[")]
    case .rows(let rows): rows.header
    }
  }

  /// How many bytes of what is appended for a record separate it from the one before.
  package var separatorLength: Int { if case .array = form { 1 } else { 0 } }

  /// What stands in a file after the last record.
  package func closing(isEmpty: Bool) -> [UInt8] {
    guard case .array = form else { return [] }
    return Array((isEmpty ? "]\n" : "\n]\n").utf8)
  }

  /// What stands around each record's text, which is written as it is, after the first record; nil if more has to be done.
  var ends: FeedReader.RowEnds? {
    if hasRows { return nil }
    return switch form {
    case .lines where !isFramed: FeedReader.RowEnds(prefix: "", suffix: "\n")
    case .array where !isFramed: FeedReader.RowEnds(prefix: ",\n", suffix: "")
    case .lines, .array, .indented, .rows: nil
    }
  }

  /// Whether a record that is mapped may still fail.
  var canFail: Bool {
    if case .rows(let rows) = form, rows.canFail { true } else { hasRows }
  }
}

/// Appends records as a layout says.
///
/// Not thread-safe: each thread that maps has its own.
final class OutputAppender {
  private let form: OutputLayout.Form
  private let splitter: RowSplitter?
  private let rows: RowWriter?
  private let isFramed: Bool
  private let names: FileNames?
  /// For a framed record.
  private let path = OutputBuffer()
  private let framed = OutputBuffer()

  init(_ layout: OutputLayout, _ splitter: RowSplitter?) {
    form = layout.form
    self.splitter = splitter
    isFramed = layout.isFramed
    names = layout.names
    if case .rows(let form) = layout.form {
      rows = RowWriter(form)
    } else {
      rows = nil
    }
  }

  /// Appends a record to those before it; where it fails, nothing.
  ///
  /// - Parameters:
  ///   - text: Its JSON.
  ///   - buffer: Where it is appended.
  /// - Returns: Why it cannot be written.
  @inline(__always)
  func append(_ text: UnsafeBufferPointer<UInt8>, to buffer: OutputBuffer) -> RowWriter.Failure? {
    if let splitter { return appendRows(of: text, splitter, to: buffer) }
    return isFramed ? appendFrame(text, to: buffer) : appendRow(text, to: buffer)
  }

  @inline(never)
  private func appendRows(
    of text: UnsafeBufferPointer<UInt8>, _ splitter: RowSplitter, to buffer: OutputBuffer
  ) -> RowWriter.Failure? {
    let start = buffer.count
    var failure: RowWriter.Failure?
    let areFew = splitter.forEach(of: text) { row in
      failure = isFramed ? appendFrame(row, to: buffer) : appendRow(row, to: buffer)
      return failure == nil
    }
    if !areFew { failure = .tooLarge }
    if failure != nil { buffer.truncate(to: start) }
    return failure
  }

  @inline(never)
  private func appendFrame(_ text: UnsafeBufferPointer<UInt8>, to buffer: OutputBuffer)
    -> RowWriter.Failure?
  {
    framed.clear()
    path.clear()
    if let failure = appendRow(text, to: framed) { return failure }
    names?.append(of: text, to: path)
    OutputFrames.append(to: buffer, path: path.bytes, framed.bytes)
    return nil
  }

  @inline(__always)
  private func appendRow(_ text: UnsafeBufferPointer<UInt8>, to buffer: OutputBuffer)
    -> RowWriter.Failure?
  {
    switch form {
    case .lines:
      buffer.append(text)
      buffer.append(UInt8(ascii: "\n"))
    case .array:
      buffer.append(",\n")
      buffer.append(text)
    case .indented: IndentedText.append(text, to: buffer)
    case .rows: return rows?.append(text, to: buffer)
    }
    return nil
  }

  /// Appends records that are lines of JSON, of a layout whose records cannot fail.
  func append(lines: UnsafeBufferPointer<UInt8>, to buffer: OutputBuffer) {
    guard var start = lines.baseAddress else { return }
    let end = start + lines.count
    while let found = memchr(start, Int32(UInt8(ascii: "\n")), end - start) {
      let lineEnd = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
      _ = append(UnsafeBufferPointer(start: start, count: lineEnd - start), to: buffer)
      start = lineEnd + 1
    }
  }
}

extension RowWriter.Failure {
  /// The error of a record.
  func error<Value>(of record: Record<Value>, _ limits: Limits) -> MappingError {
    let number = record.number > 0 ? record.number : nil
    switch self {
    case .tooLarge:
      return MappingError(
        .limitExceeded, position: record.position, record: number,
        expected: Limits.message(.record, limits.record), found: "more bytes of rows")
    case .unheld(let value, let column):
      return MappingError(
        .invalidValue, position: record.position, record: number, expected: value.expected,
        found: "\(value.found) in the column '\(column)'")
    }
  }
}
