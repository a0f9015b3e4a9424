/// Converts a feed to columns, batch by batch.
///
/// Not thread-safe.
package final class ColumnConverter: PieceConverter {
  package static let pieceSize = 0

  package let converter: OutputConverter
  package var mapped = 0
  package var dropped = 0
  private let output: ColumnsOutput

  /// A converter with its own place in a feed and its own columns.
  ///
  /// - Parameters:
  ///   - plan: What becomes of records, fitted to the columns: see ``OutputPlan/fitting(_:)``.
  ///   - columns: The columns.
  ///   - size: When a batch is full.
  ///   - jobs: How many threads map.
  ///   - parser: What turns the records' bytes into events.
  ///   - most: How many bytes of strings, or elements of lists, a column has at most: 2 GiB, but for tests.
  /// - Throws: ``MappingError`` if memory runs out.
  package init(
    _ plan: OutputPlan, _ columns: ColumnPlan, size: ColumnBatchSize = ColumnBatchSize(),
    jobs: Int = 1, parser: RecordParser = .auto, most: Int = .max
  ) throws(MappingError) {
    output = try ColumnsOutput(plan, columns, size, most: most)
    converter = OutputConverter(plan, output)
    converter.jobs = jobs
    converter.parser = parser
  }

  /// The columns of a piece, which are to be taken.
  package var columns: RecordColumns { output.first }
}
