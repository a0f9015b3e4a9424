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

  /// How records become text that follows others, where many are written at once; nil if more has to be done for each.
  var ends: FeedReader.RowText? {
    if hasRows || isFramed { return nil }
    return switch form {
    case .lines: .between(prefix: "", suffix: "\n")
    case .array: .between(prefix: ",\n", suffix: "")
    case .indented: .form(.indented)
    case .rows(let rows): .form(rows.form)
    }
  }
}

/// Appends records as a layout says.
///
/// Not thread-safe: each thread that maps has its own.
final class OutputAppender {
  private let form: OutputLayout.Form
  private let splitter: RowSplitter?
  private let writer: RecordFormWriter?
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
    writer =
      switch layout.form {
      case .lines, .array: nil
      case .indented: RecordFormWriter(.indented)
      case .rows(let rows): RecordFormWriter(rows.form)
      }
  }

  /// Appends a record to those before it; where it fails, nothing.
  ///
  /// - Parameters:
  ///   - text: Its JSON.
  ///   - buffer: Where it is appended.
  /// - Returns: Why it cannot be written.
  @inline(__always)
  func append(_ text: UnsafeBufferPointer<UInt8>, to buffer: OutputBuffer) -> RowFailure? {
    if let splitter { return appendRows(of: text, splitter, to: buffer) }
    return isFramed ? appendFrame(text, to: buffer) : appendRow(text, to: buffer)
  }

  @inline(never)
  private func appendRows(
    of text: UnsafeBufferPointer<UInt8>, _ splitter: RowSplitter, to buffer: OutputBuffer
  ) -> RowFailure? {
    let start = buffer.count
    var failure: RowFailure?
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
    -> RowFailure?
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
    -> RowFailure?
  {
    switch form {
    case .lines:
      buffer.append(text)
      buffer.append(UInt8(ascii: "\n"))
    case .array:
      buffer.append(",\n")
      buffer.append(text)
    case .indented: return append(text, by: writer, [], to: buffer)
    case .rows(let rows): return append(text, by: writer, rows.columns, to: buffer)
    }
    return nil
  }

  private func append(
    _ text: UnsafeBufferPointer<UInt8>, by writer: RecordFormWriter?, _ columns: [OutputColumn],
    to buffer: OutputBuffer
  ) -> RowFailure? {
    guard let writer, let unheld = buffer.append({ writer.write(text, to: $0) }) else { return nil }
    return .unheld(unheld.value, column: columns[unheld.column].name)
  }
}
