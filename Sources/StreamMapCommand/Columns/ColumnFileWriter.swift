import CColumnFiles
import StreamMap

/// Makes the bytes of a file of columns from batches of them: the one place that calls `CColumnFiles`.
///
/// Not thread-safe. After an error nothing more can be added.
struct ColumnFileWriter: ~Copyable {
  /// Why there is no such file.
  enum Failure: Error {
    case memory
    /// A column of a batch has more than 2 GiB as it is written.
    case size
    /// The columns have a type that such a file does not have here.
    case type
  }

  private let file: OpaquePointer

  /// Takes the bytes of the file, piece by piece.
  typealias Taker = (UnsafeRawBufferPointer) throws -> Void

  /// Makes a file of columns, which has to be begun.
  ///
  /// - Throws: ``Failure``, `MappingError` if memory runs out.
  init(_ form: ColumnFile.Form, of columns: ColumnPlan) throws {
    var schema = ArrowSchema()
    try columns.makeColumns().schema(into: &schema)
    defer { schema.release?(&schema) }
    var result = SM_FILE_OK
    let made = "stream-map version \(Version.current)".withCString { creator in
      sm_column_file_create(&schema, sm_file_defaults(form.number, creator), &result)
    }
    try Self.check(result)
    guard let made else { throw Failure.memory }
    file = made
  }

  deinit {
    sm_column_file_destroy(file)
  }

  /// Writes what the file begins with.
  func begin(_ take: Taker) throws { try hand(to: take) }

  /// Adds what columns have, and leaves them empty.
  ///
  /// - Throws: ``Failure``, `MappingError` if memory runs out, what `take` throws.
  func add(_ columns: RecordColumns, _ take: Taker) throws {
    var batch = ArrowArray()
    try columns.take(into: &batch)
    defer { batch.release?(&batch) }
    try Self.check(sm_column_file_add(file, &batch))
    // Arrow's pieces are the batch's own memory.
    try hand(to: take)
  }

  /// Ends the file.
  ///
  /// - Throws: ``Failure``, what `take` throws.
  func end(_ take: Taker) throws {
    try Self.check(sm_column_file_end(file))
    try hand(to: take)
  }

  private func hand(to take: Taker) throws {
    var pieces: UnsafePointer<sm_file_piece>?
    let count = sm_column_file_pieces(file, &pieces)
    for piece in UnsafeBufferPointer(start: pieces, count: count) {
      try take(UnsafeRawBufferPointer(start: piece.bytes, count: piece.count))
    }
  }

  private static func check(_ result: sm_file_result) throws {
    switch result {
    case SM_FILE_OK: return
    case SM_FILE_MEMORY: throw Failure.memory
    case SM_FILE_TOO_LARGE: throw Failure.size
    default: throw Failure.type
    }
  }
}

extension ColumnFile.Form {
  fileprivate var number: sm_file_form {
    switch self {
    case .parquet: SM_FILE_PARQUET
    case .arrowStream: SM_FILE_ARROW_STREAM
    case .arrowFile: SM_FILE_ARROW
    }
  }
}
