import Testing

@testable import StreamMap

/// Runs one case by every route and compares the routes with each other and with the reference interpreter.
///
/// The routes, each with the whole feed at once, and in pieces of several sizes (in a long run of every size from 1 to 32):
///
/// 1. records come as rows, where the plan and the record can be rows; in pieces they are joined first;
/// 2. the events come from the index, for the parts that the plan needs;
/// 3. from the index, for everything;
/// 4. from yajl, over the text of the parts that the plan needs;
/// 5. values inside a record come as rows, because the record is too long for that: a document is also mapped with white space
///    after its first bracket, and held against yajl.
///
/// A document is also decoded by `decode`, and twice by one `MessageDecoder`.
///
/// For some of the sizes, the sources are also compared event by event, including addresses.
enum Routes {
  /// Small ones, powers of two and their neighbours: they cut tokens, escapes, characters, blocks of 8, 16 or 32 bytes.
  static let pieceSizes = TestExtent.isLong ? Array(1...32) : [1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31]

  /// The result of a route for a feed.
  struct Outcome: Equatable, CustomStringConvertible {
    var records: [String] = []

    var description: String { records.joined(separator: "\n") }
  }

  /// Runs all routes for a feed of complete documents; returns the outcome on which they agree.
  @discardableResult
  static func run<Value>(
    _ mapping: Mapping<Value>, _ feed: String, at paths: [String] = [], format: FeedFormat = .json,
    limits: Limits = Limits(), sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Record<Value>] {
    let mapper = try Mapper(mapping, limits: limits)
    return try run(
      mapper, Array(feed.utf8), at: paths, format: format, sourceLocation: sourceLocation
    ) { "\($0)" }
  }

  @discardableResult
  static func run(
    output mapping: OutputMapping, _ feed: String, at paths: [String] = [],
    format: FeedFormat = .json,
    limits: Limits = Limits(), sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Record<RawJSON>] {
    let mapper = try Mapper(output: mapping, limits: limits)
    return try run(
      mapper, Array(feed.utf8), at: paths, format: format, sourceLocation: sourceLocation
    ) { "\($0)" }
  }

  @discardableResult
  static func run<Value>(
    _ mapper: Mapper<Value>, _ feed: [UInt8], at paths: [String], format: FeedFormat,
    pieceSizes: some Sequence<Int> = Routes.pieceSizes,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ text: (Value) -> String
  ) throws -> [Record<Value>] {
    let patterns = try paths.map { try PathPattern(parsing: $0) }
    var first: [Record<Value>]?
    var everything = Selection.everything
    everything.hidesValues = mapper.plan.tables.hidesValues
    var byIndex = mapper
    byIndex.parser = .index
    var byYajl = mapper
    byYajl.parser = .yajl
    let sizes = [feed.count] + Array(pieceSizes)
    for (name, mapper, selection) in [
      ("rows", mapper, mapper.plan.tables.selection),
      ("index, projected", byIndex, mapper.plan.tables.selection),
      ("index, unprojected", byIndex, everything),
      ("yajl, projected", byYajl, mapper.plan.tables.selection),
    ] {
      let tables = try FeedSelection(selection, at: patterns)
      if mapper.parser == .index {
        try compareSources(feed, tables, format, mapper.limits, sizes, sourceLocation)
      }
      let sizes = mapper.parser == .auto && !TestExtent.isLong ? [feed.count, 1, 7, 16] : sizes
      for size in sizes {
        let route = try mapper.makeRoute(FeedRequest(tables, format: format))
        let records = collect(route, feed, pieceSize: max(size, 1))
        guard let expected = first else {
          first = records
          continue
        }
        #expect(
          describe(records, text) == describe(expected, text),
          "pieces of \(size), \(name)",
          sourceLocation: sourceLocation)
      }
    }
    if format == .json, paths.isEmpty {
      let longer = lengthened(feed)
      let tables = try FeedSelection(mapper.plan.tables.selection, at: patterns)
      let (inRows, inEvents) = try (
        collect(mapper.makeRoute(FeedRequest(tables, format: format)), longer, pieceSize: .max),
        collect(byYajl.makeRoute(FeedRequest(tables, format: format)), longer, pieceSize: .max)
      )
      #expect(
        describe(inRows, text) == describe(inEvents, text), "inner rows",
        sourceLocation: sourceLocation)
    }
    if format == .json, paths.isEmpty, let first, first.count == 1 {
      let decoder = try mapper.messageDecoder()
      for (name, record) in [
        ("decode", mapper.decode(feed)), ("a message decoder", decoder.decode(feed)),
        ("the same again", decoder.decode(feed)),
      ] {
        #expect(
          describe([record], text) == describe(first, text), "\(name)",
          sourceLocation: sourceLocation)
      }
    }
    return first ?? []
  }

  /// A document that is longer than what can be a row, and has the same meaning.
  private static func lengthened(_ document: [UInt8]) -> [UInt8] {
    let bracket = document.firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
    guard let bracket else { return document }
    let space = [UInt8](repeating: UInt8(ascii: " "), count: 70_000)
    return document[...bracket] + space + document[(bracket + 1)...]
  }

  /// Compares the index with yajl: event by event, with pieces of every fourth size.
  private static func compareSources(
    _ feed: [UInt8], _ selection: FeedSelection, _ format: FeedFormat, _ limits: Limits,
    _ sizes: [Int], _ sourceLocation: SourceLocation
  ) throws {
    var expected: [EventLog.Event]?
    for (number, size) in sizes.enumerated() where number % 4 < 2 {
      for parser in [RecordParser.index, .yajl] {
        let events = try EventLog.read(
          feed, selection, format: format, limits: limits, parser: parser, pieceSize: max(size, 1))
        #expect(
          events == expected ?? events, "pieces of \(size), \(parser)",
          sourceLocation: sourceLocation)
        expected = expected ?? events
      }
    }
  }

  /// The records of a feed that arrives in pieces of this size.
  static func collect<Value>(_ route: Route<Value>, _ feed: [UInt8], pieceSize: Int)
    -> [Record<Value>]
  {
    var records: [Record<Value>] = []
    var position = 0
    while true {
      switch route.next() {
      case .record(let record): records.append(record)
      case .dropped: continue
      case .end: return records
      case .input:
        // A copy of exactly its size, so that a sanitizer sees any read beyond it.
        let piece = Array(feed[position..<position + min(pieceSize, feed.count - position)])
        position += piece.count
        let isFinal = position == feed.count
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: piece.count)
        _ = memory.initialize(from: piece)
        defer { memory.deallocate() }
        route.input(UnsafeBufferPointer(memory), isFinal: isFinal)
        maps: while true {
          switch route.next() {
          case .record(let record): records.append(record)
          case .dropped: continue
          case .end: return records
          case .input: break maps
          }
        }
        if isFinal && piece.isEmpty { return records }
      }
    }
  }

  static func describe<Value>(_ records: [Record<Value>], _ text: (Value) -> String) -> String {
    records.map { record in
      let position = record.position.map { "\($0)" } ?? "-"
      let result =
        switch record.result {
        case .success(let value): text(value)
        case .failure(let error): error.fullDescription
        }
      let issues = record.issues.map { "\n  issue: " + $0.fullDescription }.joined()
      return "#\(record.number) [\(position)] \(result)\(issues)"
    }.joined(separator: "\n")
  }

  /// Compares the outcome of one document with the reference interpreter.
  static func compare<Value>(
    _ record: Record<Value>, _ definition: Definition, _ document: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let json = try #require(NaiveJSON(Array(document.utf8)), sourceLocation: sourceLocation)
    let difference = difference(record, ReferenceInterpreter.map(json, by: definition))
    #expect(difference == nil, sourceLocation: sourceLocation)
  }

  /// How a record differs from what the reference interpreter made, in its value or in its errors; nil if it does not.
  static func difference<Value>(
    _ record: Record<Value>, _ expected: ReferenceInterpreter.Answer
  ) -> String? {
    let found = findings(of: record).map(\.description).sorted()
    let wanted = expected.findings.map(\.description).sorted()
    if !isSame(record.value, expected) {
      let other = expected.text ?? describe(expected.value(as: Value.self))
      let errors = found.joined(separator: "\n")
      return "\(describe(record.value))\nfor:\n\(other)\n\(errors)"
    }
    if found == wanted { return nil }
    let missing = wanted.filter { !found.contains($0) }
    let extra = found.filter { !wanted.contains($0) }
    return "errors \(found.count) for \(wanted.count)\nmissing: \(missing)\nextra: \(extra)"
  }

  private static func describe<Value>(_ value: Value?) -> String {
    value.map { "\($0)" } ?? "nothing"
  }

  /// Whether a value is the one that the interpreter made: equal, or where its type cannot compare values, with the same
  /// description.
  private static func isSame<Value>(_ value: Value?, _ expected: ReferenceInterpreter.Answer)
    -> Bool
  {
    if let value = value as? RawJSON, let text = expected.text {
      return isSame(value.description, text)
    }
    guard let value, let other = expected.value(as: Value.self) else {
      return value == nil && expected.made == nil
    }
    func isEqual<Compared: Equatable>(_ compared: Compared) -> Bool {
      compared == other as? Compared
    }
    if let compared = value as? any Equatable { return isEqual(compared) }
    return "\(value)" == "\(other)"
  }

  /// Whether two texts are the same, members of objects in any order.
  ///
  /// The order matters in one case only: of a dictionary's equal keys an earlier one has no value, and the last has. The
  /// machine writes that where it stands, the interpreter where its key came first.
  private static func isSame(_ text: String, _ other: String) -> Bool {
    if text == other { return true }
    guard let value = NaiveJSON(Array(text.utf8)), let otherValue = NaiveJSON(Array(other.utf8))
    else { return false }
    return sorted(value) == sorted(otherValue)
  }

  private static func sorted(_ json: NaiveJSON) -> String {
    switch json.value {
    case .null, .bool, .number, .string: json.written
    case .array(let elements): "[" + elements.map(sorted).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\($0.key.quoted):\(sorted($0.value))" }.sorted().joined(separator: ",")
        + "}"
    }
  }

  /// The errors and the issues of a record, each by itself.
  static func findings<Value>(of record: Record<Value>) -> [ReferenceInterpreter.Finding] {
    var errors = record.issues
    if let error = record.error {
      errors +=
        error.leaves
    }
    return errors.map {
      ReferenceInterpreter.Finding(
        severity: $0.severity, code: $0.code, path: $0.path, target: $0.target ?? JSONPath(),
        position: $0.position)
    }
  }
}
