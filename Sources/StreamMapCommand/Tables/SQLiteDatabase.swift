import CSQLite
import StreamMap
import StreamMapPlatform

/// A database of SQLite that is open for writing.
///
/// One thread uses it at a time.
final class SQLiteDatabase {
  /// How long a database that another program writes is waited for, in milliseconds.
  private static let patience: Int32 = 10_000
  /// The memory for pages, in KiB.
  private static let cacheSize = 16 << 10

  let path: String
  private var handle: OpaquePointer?

  /// Opens a file, or makes it.
  init(_ path: String) throws(SystemError) {
    self.path = path
    // A name with a colon means something else to SQLite.
    let name = path.hasPrefix("/") ? path : "./" + path
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(name, &handle, flags, nil) == SQLITE_OK else { throw failure() }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Self.patience)
    // Whatever the database holds, it is data.
    try run("PRAGMA trusted_schema = OFF; PRAGMA cache_size = -\(Self.cacheSize)")
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Runs statements that have no results.
  func run(_ statements: String) throws(SystemError) {
    if sqlite3_exec(handle, statements, nil, nil, nil) != SQLITE_OK { throw failure() }
  }

  func prepare(_ statement: String) throws(SystemError) -> SQLiteStatement {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, statement, -1, &prepared, nil) == SQLITE_OK else {
      throw failure()
    }
    return SQLiteStatement(prepared, in: self)
  }

  /// The rows that a statement has, as texts; nil for what is null.
  func rows(_ statement: String, _ values: String...) throws(SystemError) -> [[String?]] {
    let prepared = try prepare(statement)
    for (number, value) in values.enumerated() { prepared.bind(Array(value.utf8), at: number) }
    var rows: [[String?]] = []
    while try prepared.step() { rows.append(prepared.texts) }
    return rows
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Whether a rule of the table was broken by the last call.
  var isConstraintBroken: Bool { code == SQLITE_CONSTRAINT }

  private var code: Int32 { sqlite3_errcode(handle) & 0xFF }

  /// Why the last call failed, in SQLite's words.
  var message: String { sqlite3_errmsg(handle).map { String(cString: $0) } ?? "out of memory" }

  /// The error of the last call that failed.
  func failure() -> SystemError {
    SystemError("write \(path)", reason)
  }

  private var reason: String {
    switch code {
    case SQLITE_BUSY, SQLITE_LOCKED:
      return "another program is writing it (waited \(Self.patience / 1000) seconds)"
    case SQLITE_READONLY: return "it may only be read"
    case SQLITE_FULL: return "the disk is full"
    case SQLITE_NOTADB: return "it is a file, but not a SQLite database"
    case SQLITE_CORRUPT: return "the database is damaged: \(message)"
    case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_PERM:
      let code = sqlite3_system_errno(handle)
      return code == 0 ? message : String(cString: strerror(code))
    default: return message
    }
  }
}

/// A statement that is run many times.
final class SQLiteStatement {
  private let handle: OpaquePointer?
  private let database: SQLiteDatabase
  /// The first value that could not be bound, such as one that is too long.
  private var refusal: SystemError?

  fileprivate init(_ handle: OpaquePointer?, in database: SQLiteDatabase) {
    self.handle = handle
    self.database = database
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Runs it, or advances to its next row; false if there is none.
  func step() throws(SystemError) -> Bool {
    if let refusal { throw refusal }
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.failure()
    }
  }

  /// Makes it ready to be run again.
  func reset() { sqlite3_reset(handle) }

  // MARK: Values

  private func check(_ code: Int32) {
    if code != SQLITE_OK, refusal == nil { refusal = database.failure() }
  }

  func bindNull(at number: Int) { check(sqlite3_bind_null(handle, Int32(number + 1))) }

  func bind(_ value: Int64, at number: Int) {
    check(sqlite3_bind_int64(handle, Int32(number + 1), value))
  }

  func bind(_ value: Double, at number: Int) {
    check(sqlite3_bind_double(handle, Int32(number + 1), value))
  }

  /// A text that stays where it is until the statement has run.
  func bind(staying text: UnsafeBufferPointer<UInt8>, at number: Int) {
    // A null pointer would be null.
    guard let start = text.baseAddress, !text.isEmpty else { return bind([], at: number) }
    start.withMemoryRebound(to: CChar.self, capacity: text.count) { start in
      check(
        sqlite3_bind_text64(
          handle, Int32(number + 1), start, UInt64(text.count), nil, UInt8(SQLITE_UTF8)))
    }
  }

  /// A text, which is copied.
  func bind(_ text: [UInt8], at number: Int) {
    // SQLite's mark for what has to be copied is no address.
    let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    (text + [0]).withUnsafeBytes { bytes in
      check(
        sqlite3_bind_text64(
          handle, Int32(number + 1), bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          UInt64(text.count), copying, UInt8(SQLITE_UTF8)))
    }
  }

  /// The values of the row, as texts.
  fileprivate var texts: [String?] {
    (0..<sqlite3_column_count(handle)).map { column in
      guard let text = sqlite3_column_text(handle, column) else { return nil }
      let count = Int(sqlite3_column_bytes(handle, column))
      return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }
  }
}
