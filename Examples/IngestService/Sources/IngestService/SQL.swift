/// A database that the store can be in.
///
/// Its statements are the same for all of them, but for what ``ago(_:)`` and ``seconds(of:)`` make. Values are `?1`, `?2` and so on.
protocol SQLDatabase: Sendable {
  /// How many may write at once.
  var writers: Int { get }

  /// The time so many seconds ago, where a value gives the seconds.
  func ago(_ value: String) -> String

  /// A column with a time, as whole seconds since 1970.
  func seconds(of column: String) -> String

  /// Reads.
  ///
  /// - Throws: ``DatabaseFault``, or what `work` throws.
  func read<Result: Sendable>(
    _ work: @escaping @Sendable (any SQLTransaction) throws -> Result
  ) async throws -> Result

  /// Makes changes: all of them, or none if `work` throws.
  ///
  /// - Parameters:
  ///   - patience: How long to wait where another program holds what is to be changed, if the database waits by itself.
  ///   - work: Makes the changes.
  /// - Returns: What `work` returns.
  /// - Throws: ``DatabaseFault``, or what `work` throws.
  func write<Result: Sendable>(
    within patience: Duration, _ work: @escaping @Sendable (any SQLTransaction) throws -> Result
  ) async throws -> Result
}

/// What statements run in.
protocol SQLTransaction {
  /// The rows that a statement gives.
  func rows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow]

  /// How many rows a statement changed.
  @discardableResult
  func change(_ sql: String, _ values: [SQLValue]) throws -> Int

  /// Adds rows to a table.
  func insert(_ rows: some Sequence<[SQLValue]>, into table: String, _ columns: [String]) throws
}

/// What a statement takes, or a row has.
enum SQLValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case text(String)
  case flag(Bool)

  init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }

  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
}

/// A row of an answer, whose columns have numbers.
struct SQLRow: Sendable {
  /// A column is not what the tables say.
  struct Unexpected: Error {}

  let values: [SQLValue]

  func number(_ column: Int) throws -> Int64 {
    guard case .integer(let number) = values[column] else { throw Unexpected() }
    return number
  }

  func optionalNumber(_ column: Int) throws -> Int? {
    values[column] == .null ? nil : Int(try number(column))
  }

  func text(_ column: Int) throws -> String {
    guard case .text(let text) = values[column] else { throw Unexpected() }
    return text
  }

  func optionalText(_ column: Int) throws -> String? {
    values[column] == .null ? nil : try text(column)
  }

  func flag(_ column: Int) throws -> Bool {
    switch values[column] {
    case .flag(let flag): flag
    // SQLite has no type for them.
    case .integer(let number): number != 0
    case .null, .text: throw Unexpected()
    }
  }
}

/// Why a database does not do what it should.
struct DatabaseFault: Error {
  enum Kind {
    /// Another program holds what is needed, or it has too much to do.
    case busy
    case full
    /// It is not there, or takes no changes.
    case unavailable
    case other
  }

  let kind: Kind
  /// For the log of the service; it holds no value of a feed.
  let cause: String
  /// Whether nothing was changed, and the same may succeed a moment later.
  var isPassing = false
}
