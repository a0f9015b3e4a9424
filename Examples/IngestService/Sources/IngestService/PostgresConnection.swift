import Foundation
import LibPQ

/// An address of PostgreSQL, as libpq reads it: `postgres://user@host/database`.
///
/// It has no password, so it can stand in a log. libpq takes that from `PGPASSWORD`, or from the file that `PGPASSFILE` or `passfile` in
/// the address names.
struct PostgresAddress: Sendable {
  let text: String

  /// Nil if the text is none, or has a password.
  init?(_ text: String) {
    guard Self.isOne(text), let options = PQconninfoParse(text, nil) else { return nil }
    defer { PQconninfoFree(options) }
    var option = options
    while let keyword = option.pointee.keyword {
      let name = String(cString: keyword)
      if name == "password" || name == "sslpassword", option.pointee.val != nil { return nil }
      option += 1
    }
    self.text = text
  }

  /// Whether a text is meant to be one, right or wrong.
  static func isOne(_ text: String) -> Bool {
    ["postgres:", "postgresql:"].contains { text.lowercased().utf8.starts(with: $0.utf8) }
  }
}

/// A connection to PostgreSQL, by libpq.
///
/// The caller waits on a thread, but never for ever: a server that says nothing for ``silence`` is given up.
final class PostgresConnection {
  /// How long a server may say nothing, besides the time that it waits for a lock.
  static let silence = Duration.seconds(10)

  private let connection: OpaquePointer
  private var isGivenUp = false

  /// Connects.
  ///
  /// - Throws: ``DatabaseFault``.
  init(to address: PostgresAddress) throws {
    let options = [
      // The address takes the place of the name of the database, and what follows that of its options.
      ("dbname", address.text), ("client_encoding", "UTF8"),
      ("fallback_application_name", "IngestService"),
    ]
    let names = CStrings(options.map(\.0))
    let values = CStrings(options.map(\.1))
    let started = names.use { names in
      values.use { values in PQconnectStartParams(names, values, 1) }
    }
    guard let started else { throw DatabaseFault(kind: .other, cause: "no memory") }
    connection = started
    // Without one, libpq writes notices on standard error.
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
    let deadline = ContinuousClock.now + Self.silence
    var state = PGRES_POLLING_WRITING
    while PQstatus(connection) != CONNECTION_BAD, state != PGRES_POLLING_OK {
      if state == PGRES_POLLING_FAILED { break }
      try wait(for: state == PGRES_POLLING_READING ? POLLIN : POLLOUT, until: deadline)
      state = PQconnectPoll(connection)
    }
    guard PQstatus(connection) == CONNECTION_OK else { throw lost }
    _ = PQsetnonblocking(connection, 1)
  }

  deinit { PQfinish(connection) }

  /// Whether another transaction can have it.
  var isReady: Bool {
    !isGivenUp && PQstatus(connection) == CONNECTION_OK
      && PQtransactionStatus(connection) == PQTRANS_IDLE
  }

  /// Runs a statement, or without values several.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - values: Those of `?1`, `?2` and so on.
  ///   - patience: How long the server may wait for locks.
  /// - Returns: The answer of the last one.
  /// - Throws: ``DatabaseFault``.
  func run(
    _ sql: String, _ values: [SQLValue] = [], within patience: Duration = .zero
  ) throws -> PostgresAnswer {
    let isSent =
      values.isEmpty
      ? PQsendQuery(connection, sql)
      : CStrings(values.map(Self.text)).use { texts in
        PQsendQueryParams(
          connection, sql.replacing("?", with: "$"), Int32(values.count), nil, texts, nil, nil, 0)
      }
    guard isSent == 1 else { throw lost }
    return try answer(until: .now + patience + Self.silence)
  }

  /// Sends rows, after `COPY … FROM STDIN` was run.
  ///
  /// - Throws: ``DatabaseFault``.
  func copy(_ rows: some Sequence<[SQLValue]>) throws {
    var bytes: [UInt8] = []
    func send() throws {
      let count = Int32(bytes.count)
      try bytes.withUnsafeBytes { bytes in
        let first = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        try queue { PQputCopyData(connection, first, count) }
      }
      bytes.removeAll(keepingCapacity: true)
    }
    for row in rows {
      for (index, value) in row.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: "\t")) }
        Self.append(value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "\n"))
      if bytes.count > 1 << 16 { try send() }
    }
    if !bytes.isEmpty { try send() }
    try queue { PQputCopyEnd(connection, nil) }
    _ = try answer(until: .now + Self.silence)
  }

  /// Hands something over to libpq, which answers 0 while its buffers are full.
  private func queue(_ put: () -> Int32) throws {
    let deadline = ContinuousClock.now + Self.silence
    while true {
      let isQueued = put()
      if isQueued == 1 { return }
      guard isQueued == 0 else { throw lost }
      try wait(for: POLLOUT, until: deadline)
    }
  }

  private func answer(until deadline: ContinuousClock.Instant) throws -> PostgresAnswer {
    while true {
      let left = PQflush(connection)
      if left == 0 { break }
      guard left > 0 else { throw lost }
      // A server that has much to say may have to say it first.
      if try wait(for: POLLIN | POLLOUT, until: deadline) & POLLIN != 0 {
        guard PQconsumeInput(connection) == 1 else { throw lost }
      }
    }
    var last: PostgresAnswer?
    var fault: DatabaseFault?
    while true {
      while PQisBusy(connection) == 1 {
        try wait(for: POLLIN, until: deadline)
        guard PQconsumeInput(connection) == 1 else { throw lost }
      }
      guard let result = PQgetResult(connection) else { break }
      let answer = PostgresAnswer(result)
      let status = PQresultStatus(result)
      // The rows come next: there is no end of the answer before them.
      if status == PGRES_COPY_IN { return answer }
      if status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK {
        fault = fault ?? answer.fault
      }
      last = answer
    }
    if let fault { throw fault }
    guard let last else { throw lost }
    return last
  }

  @discardableResult
  private func wait(
    for events: Int32, until deadline: ContinuousClock.Instant
  ) throws -> Int32 {
    while true {
      let left = max(deadline - .now, .zero) / .milliseconds(1)
      var place = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
      let count = poll(&place, 1, Int32(left.rounded(.up)))
      // Errors of the connection come out where libpq reads from it.
      if count > 0 { return Int32(place.revents) }
      if count < 0, errno == EINTR { continue }
      isGivenUp = true
      throw DatabaseFault(
        kind: .unavailable, cause: "PostgreSQL does not answer within its time")
    }
  }

  /// What to say where libpq itself has failed.
  private var lost: DatabaseFault {
    isGivenUp = true
    // It has several lines; a cause is in one line of the log.
    let words = String(cString: PQerrorMessage(connection)).split(whereSeparator: \.isWhitespace)
    return DatabaseFault(
      kind: .unavailable, cause: "PostgreSQL: \(words.joined(separator: " "))", isPassing: true)
  }

  /// A value as libpq sends it; nil for null.
  private static func text(_ value: SQLValue) -> String? {
    switch value {
    case .null: nil
    case .integer(let number): "\(number)"
    // It has no U+0000.
    case .text(let text): text.replacing("\0", with: "\u{fffd}")
    case .flag(let flag): flag ? "t" : "f"
    }
  }

  /// Adds a value in COPY's text format.
  private static func append(_ value: SQLValue, to bytes: inout [UInt8]) {
    guard let text = text(value) else {
      bytes += #"\N"#.utf8
      return
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
      case UInt8(ascii: "\t"): bytes += #"\t"#.utf8
      case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
      case UInt8(ascii: "\r"): bytes += #"\r"#.utf8
      default: bytes.append(byte)
      }
    }
  }
}

/// What PostgreSQL answers to a statement.
final class PostgresAnswer {
  private let result: OpaquePointer

  init(_ result: OpaquePointer) { self.result = result }

  deinit { PQclear(result) }

  /// How many rows the statement changed.
  var changes: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  var rows: [SQLRow] {
    let columns = PQnfields(result)
    return (0..<PQntuples(result)).map { row in
      SQLRow(
        values: (0..<columns).map { column in
          guard PQgetisnull(result, row, column) == 0 else { return .null }
          let text = String(cString: PQgetvalue(result, row, column))
          // The types of the tables: boolean, bigint and text.
          switch PQftype(result, column) {
          case 16: return .flag(text == "t")
          case 20: return Int64(text).map { .integer($0) } ?? .text(text)
          default: return .text(text)
          }
        })
    }
  }

  var fault: DatabaseFault {
    let code = field("C") ?? "?????"
    let isPassing: Bool
    let kind: DatabaseFault.Kind
    switch code {
    // A lock that is not to be had, or a transaction that has lost against another one.
    case "55P03", "40001", "40P01", "57014": (kind, isPassing) = (.busy, true)
    case "53300": (kind, isPassing) = (.busy, true)
    case "53100": (kind, isPassing) = (.full, false)
    // The server stops, starts or follows another one now.
    case "57P01", "57P02", "57P03", "25006": (kind, isPassing) = (.unavailable, true)
    case "58030": (kind, isPassing) = (.unavailable, false)
    default: (kind, isPassing) = (.other, false)
    }
    return DatabaseFault(
      kind: kind, cause: "PostgreSQL \(code): \(field("M") ?? "no reason is given")",
      isPassing: isPassing)
  }

  private func field(_ letter: Unicode.Scalar) -> String? {
    PQresultErrorField(result, Int32(letter.value)).map { String(cString: $0) }
  }
}

/// Texts for C, as long as they are used; the last one is followed by nil.
private struct CStrings {
  let texts: [String?]

  init(_ texts: [String?]) { self.texts = texts }

  func use<Result>(
    _ work: (UnsafePointer<UnsafePointer<CChar>?>) throws -> Result
  ) rethrows -> Result {
    let copies = texts.map { $0.flatMap { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    let pointers = copies.map { $0.map { UnsafePointer($0) } } + [nil]
    return try pointers.withUnsafeBufferPointer { pointers in
      // There is always one, the last.
      guard let first = pointers.baseAddress else { return try work([nil]) }
      return try work(first)
    }
  }
}
