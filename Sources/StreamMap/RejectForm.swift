/// How rejects and errors are written as JSON, and read again: one form for coders, the command, C, Python and Spark.
///
/// `Schemas/reject.schema.json` describes it.
enum RejectForm {
  /// The keys of a reject, in their order.
  static let keys =
    ["file", "record"] + address + ["key", "index", "path", "errors", "omitted", "raw"]

  /// The keys of an error, in their order.
  static let errorKeys =
    ["record"] + address + [
      "path", "target", "rule", "severity", "code", "expected", "found", "message", "errors",
      "omitted",
    ]

  private static let address = ["offset", "end", "line", "column"]

  /// What is not in the form.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  // MARK: Writing

  /// A reject; `worded` changes the wording of its message.
  static func json(
    of reject: Reject, file: String?, raw: String?, worded: (String) -> String
  ) -> JSONValue {
    var object = Writer()
    object.add("file", file)
    object.add("record", reject.record > 0 ? reject.record : nil)
    object.add(reject.position)
    object.add("key", reject.key)
    object.add("index", reject.index)
    let record = reject.record > 0 ? reject.record : nil
    if reject.isSeveral {
      // The reject itself stands for them.
      object.add("path", reject.error.path.description)
      object.add("errors", errors(reject.error.underlying, in: record, worded))
      object.add("omitted", reject.error.omittedCount > 0 ? reject.error.omittedCount : nil)
    } else {
      object.add("errors", errors([reject.error], in: record, worded))
    }
    object.add("raw", raw)
    return .object(object.members)
  }

  /// An error, in a record with a number.
  static func json(
    of error: MappingError, in record: Int?, worded: (String) -> String = { $0 }
  ) -> JSONValue {
    var object = Writer()
    if error.record != record {
      object.members.append(
        .init("record", error.record.map { .number("\($0)") } ?? .null))
    }
    object.add(error.position)
    object.add("path", error.path.description)
    object.add(
      "target", error.target.map { $0.components.isEmpty ? "$" : $0.relativeDescription })
    object.add("rule", error.rule)
    object.add("severity", error.severity == .issue ? error.severity.rawValue : nil)
    object.add("code", error.code.rawValue)
    object.add("expected", error.expected.map(worded))
    object.add("found", error.found)
    object.add("message", worded(error.message))
    if !error.underlying.isEmpty {
      object.add("errors", errors(error.underlying, in: error.record, worded))
    }
    object.add("omitted", error.omittedCount > 0 ? error.omittedCount : nil)
    return .object(object.members)
  }

  private static func errors(
    _ errors: [any Error], in record: Int?, _ worded: (String) -> String
  ) -> JSONValue {
    .array(
      errors.map { error in
        // An error of another type is written as its text alone.
        (error as? MappingError).map { json(of: $0, in: record, worded: worded) }
          ?? ["message": .string("\(error)")]
      })
  }

  private struct Writer {
    var members: [JSONValue.Member] = []

    mutating func add(_ key: String, _ text: String?) {
      if let text { members.append(.init(key, .string(text))) }
    }

    mutating func add(_ key: String, _ number: Int?) {
      if let number { members.append(.init(key, .number("\(number)"))) }
    }

    mutating func add(_ key: String, _ value: JSONValue) { members.append(.init(key, value)) }

    mutating func add(_ position: SourcePosition?) {
      guard let position else { return }
      add("offset", position.bytes.lowerBound)
      add("end", position.bytes.upperBound)
      // A part of a feed without an index does not know its lines.
      add("line", position.line > 0 ? position.line : nil)
      add("column", position.column)
    }
  }

  // MARK: Reading

  static func reject(_ json: JSONValue) throws(Mistake) -> Reject {
    let object = Reader(json)
    let number = try object.number("record")
    let position = try object.position()
    let all = try Self.errors(object, in: number)
    let omitted = try object.number("omitted") ?? 0
    let path = try object.path("path") ?? JSONPath()
    let one = all.count == 1 && omitted == 0 ? all[0] as? MappingError : nil
    let several = MappingError(
      .severalErrors, path: path, position: position, record: number, underlying: all,
      omitted: omitted)
    return Reject(
      record: number ?? 0, position: position, error: one ?? several,
      key: try object.text("key"), index: try object.number("index"))
  }

  static func error(_ json: JSONValue, in record: Int?) throws(Mistake) -> MappingError {
    let object = Reader(json)
    let number = try object.number("record") ?? (object.has("record") ? nil : record)
    guard let code = try object.text("code").flatMap(ErrorCode.init) else {
      throw Mistake(description: "code is not an error code")
    }
    let severity = try object.text("severity").map(MappingError.Severity.init) ?? .fatal
    guard let severity else { throw Mistake(description: "severity is neither fatal nor issue") }
    return MappingError(
      code, severity: severity, path: try object.path("path") ?? JSONPath(),
      target: try object.path("target"), position: try object.position(), record: number,
      expected: try object.text("expected"), found: try object.text("found"),
      rule: try object.text("rule"), underlying: try errors(object, in: number),
      omitted: try object.number("omitted") ?? 0)
  }

  private static func errors(_ object: Reader, in record: Int?) throws(Mistake) -> [any Error] {
    var errors: [any Error] = []
    for json in try object.list("errors") {
      let inner = Reader(json)
      if let text = try inner.text("message"), !inner.has("code") {
        errors.append(MappingError.ForeignError(description: text))
      } else {
        errors.append(try error(json, in: record))
      }
    }
    return errors
  }

  private struct Reader {
    private let json: JSONValue

    init(_ json: JSONValue) { self.json = json }

    /// Whether the member is there, `null` or not.
    func has(_ key: String) -> Bool { json[key] != nil }

    func text(_ key: String) throws(Mistake) -> String? {
      switch json[key] {
      case nil, .null?: return nil
      case .string(let text)?: return text
      default: throw Mistake(description: "\(key) is not a string")
      }
    }

    func number(_ key: String) throws(Mistake) -> Int? {
      switch json[key] {
      case nil, .null?: return nil
      case .number(let text)?:
        if let number = Int(text), number >= 0 { return number }
      default: break
      }
      throw Mistake(description: "\(key) is not a whole number")
    }

    func list(_ key: String) throws(Mistake) -> [JSONValue] {
      switch json[key] {
      case nil, .null?: return []
      case .array(let elements)?: return elements
      default: throw Mistake(description: "\(key) is not an array")
      }
    }

    func path(_ key: String) throws(Mistake) -> JSONPath? {
      guard let text = try text(key) else { return nil }
      do {
        return try PathPattern.single(parsing: text)
      } catch {
        throw Mistake(description: "\(key): \(error)")
      }
    }

    func position() throws(Mistake) -> SourcePosition? {
      guard let offset = try number("offset") else { return nil }
      let (end, line) = (try number("end") ?? offset, try number("line") ?? 0)
      guard end >= offset else { throw Mistake(description: "end is before offset") }
      return SourcePosition(
        bytes: offset..<end, line: line, column: try number("column") ?? 1)
    }
  }
}

extension Reject {
  /// Whether its errors are listed one by one, and the reject itself stands for what they have in common.
  fileprivate var isSeveral: Bool {
    guard error.code == .severalErrors, error.underlying.count != 1 || error.omittedCount > 0
    else { return false }
    return error
      == MappingError(
        .severalErrors, path: error.path, position: position, record: record > 0 ? record : nil,
        underlying: error.underlying, omitted: error.omittedCount)
  }
}

extension Reject: Codable {
  /// The reject in the form of `Schemas/reject.schema.json`, in which the command writes rejects, too: its errors one by one, each
  /// with its code, its path and its place in the feed.
  ///
  /// ```swift
  /// for reject in batch.rejects {
  ///   let text = reject.position.flatMap { batches.text(at: $0) }
  ///   deadLetters.append("\(reject.json(raw: text.map { String(decoding: $0, as: UTF8.self) }))")
  /// }
  /// // {"record":2,"offset":9,"end":19,"line":2,"column":1,"errors":[{"offset":15,…,"path":"$.id","code":"wrongType",…}],"raw":"{\"id\":\"x\"}"}
  /// ```
  ///
  /// A coder writes the same, without file and text.
  ///
  /// - Parameters:
  ///   - file: The name of the feed, where it is to be in it.
  ///   - raw: The text of the record, where it is to be in it. It holds values of the feed.
  /// - Returns: An object; its text is its `description`, one line.
  public func json(file: String? = nil, raw: String? = nil) -> JSONValue {
    json(file: file, raw: raw, worded: { $0 })
  }

  package func json(file: String?, raw: String?, worded: (String) -> String) -> JSONValue {
    RejectForm.json(of: self, file: file, raw: raw, worded: worded)
  }

  /// Reads what ``encode(to:)`` or ``json(file:raw:)`` wrote, without file and text.
  public init(from decoder: any Decoder) throws {
    self = try CodedJSON.read(from: decoder, RejectForm.reject)
  }

  /// Writes what ``json(file:raw:)`` gives.
  public func encode(to encoder: any Encoder) throws {
    try CodedJSON(value: json()).encode(to: encoder)
  }
}

extension MappingError: Codable {
  /// An error of another type that was encoded and decoded: only its text is left.
  public struct ForeignError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error's own description.
    public let description: String
  }

  /// The error in the form that ``Reject/json(file:raw:)`` has for each error of a record.
  public var json: JSONValue { RejectForm.json(of: self, in: nil) }

  /// Reads what ``encode(to:)`` wrote.
  public init(from decoder: any Decoder) throws {
    self = try CodedJSON.read(from: decoder) { json throws(RejectForm.Mistake) in
      try RejectForm.error(json, in: nil)
    }
  }

  /// Writes ``json``; an underlying error of another type is written as its text.
  public func encode(to encoder: any Encoder) throws {
    try CodedJSON(value: json).encode(to: encoder)
  }
}

extension MappingError: Equatable {
  /// Whether two errors are written alike: errors of other types are compared by their texts.
  public static func == (a: MappingError, b: MappingError) -> Bool {
    (a.code, a.severity, a.path, a.target) == (b.code, b.severity, b.path, b.target)
      && (a.position, a.record) == (b.position, b.record)
      && a.expected == b.expected && a.found == b.found && a.rule == b.rule
      && (a.omittedCount, a.underlying.count) == (b.omittedCount, b.underlying.count)
      && zip(a.underlying, b.underlying).allSatisfy { a, b in
        switch (a as? MappingError, b as? MappingError) {
        case (let a?, let b?): a == b
        case (nil, nil): "\(a)" == "\(b)"
        default: false
        }
      }
  }
}
