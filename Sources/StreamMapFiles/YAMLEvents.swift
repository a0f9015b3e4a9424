internal import CYAML

/// What the parser of YAML found: a part of a text, or the end of one.
struct YAMLEvent {
  enum Content {
    case scalar(LocatedNode.Scalar)
    case list, map
    /// The end of a list or a map.
    case end
    case alias
  }

  let content: Content
  let mark: FileMark
  var hasAnchor = false
  /// Its tag, as in `!!str`; nil without one.
  var tag: String?
}

/// Why a text is no YAML.
struct YAMLFailure: Error {
  /// The words of the parser.
  let problem: String
  let mark: FileMark
  /// What it was about when it found the problem, and where that began.
  var context: (text: String, mark: FileMark)?
}

extension YAMLEvent {
  /// The events of a text with one document in it, in their order; none if it is empty.
  ///
  /// The parser is libyaml. It has no limit to nesting, and the nodes are made by calls inside each other: so there is one here.
  ///
  /// - Throws: ``YAMLFailure``.
  // Invariants: the parser keeps its own address, so it does not move; it and the bytes outlive all that is asked of it; each event
  // is read before it is deleted, and nothing of it is kept.
  static func all(in text: [UInt8]) throws(YAMLFailure) -> [YAMLEvent] {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) == 1 else {
      throw YAMLFailure(problem: "there is no memory for it", mark: .start)
    }
    defer { yaml_parser_delete(parser) }
    let read = text.withUnsafeBufferPointer { bytes -> Result<[YAMLEvent], YAMLFailure> in
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
      return Result { () throws(YAMLFailure) in try all(of: parser, bytes) }
    }
    return try read.get()
  }

  private static func all(
    of parser: UnsafeMutablePointer<yaml_parser_t>, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(YAMLFailure) -> [YAMLEvent] {
    var events: [YAMLEvent] = []
    var documents = 0
    var level = 0
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else {
        throw YAMLFailure(parser.pointee, bytes)
      }
      defer { yaml_event_delete(&event) }
      let mark = FileMark(event.start_mark)
      switch event.type {
      case YAML_STREAM_END_EVENT: return events
      case YAML_DOCUMENT_START_EVENT:
        documents += 1
        if documents > 1 {
          throw YAMLFailure(problem: "but found another document", mark: mark)
        }
      case YAML_SCALAR_EVENT: events.append(scalar(event, mark))
      case YAML_SEQUENCE_START_EVENT:
        try enter(&level, mark)
        let start = event.data.sequence_start
        events.append(
          YAMLEvent(
            content: .list, mark: mark, hasAnchor: start.anchor != nil, tag: text(start.tag)))
      case YAML_MAPPING_START_EVENT:
        try enter(&level, mark)
        let start = event.data.mapping_start
        events.append(
          YAMLEvent(
            content: .map, mark: mark, hasAnchor: start.anchor != nil, tag: text(start.tag)))
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
        level -= 1
        events.append(YAMLEvent(content: .end, mark: mark))
      case YAML_ALIAS_EVENT: events.append(YAMLEvent(content: .alias, mark: mark))
      default: break
      }
    }
  }

  /// The most lists and maps inside each other.
  private static let mostLevels = 1000

  private static func enter(_ level: inout Int, _ mark: FileMark) throws(YAMLFailure) {
    level += 1
    if level > mostLevels { throw YAMLFailure(problem: YAMLFailure.tooDeep, mark: mark) }
  }

  private static func scalar(_ event: yaml_event_t, _ mark: FileMark) -> YAMLEvent {
    let scalar = event.data.scalar
    let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
    let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
    return YAMLEvent(
      content: .scalar(
        LocatedNode.Scalar(text: String(decoding: bytes, as: UTF8.self), isPlain: isPlain)),
      mark: mark, hasAnchor: scalar.anchor != nil, tag: text(scalar.tag))
  }

  /// A text of the parser's, which ends with a zero; nil if there is none.
  fileprivate static func text(_ pointer: UnsafePointer<UInt8>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}

extension YAMLFailure {
  /// The problem of a text that this file, and not the parser, refuses.
  static let tooDeep = "lists and maps are more than 1000 levels deep"

  fileprivate init(_ parser: yaml_parser_t, _ bytes: UnsafeBufferPointer<UInt8>) {
    let words = parser.problem.map { String(cString: $0) } ?? "there is no memory for it"
    let character = String(parser.problem_value, radix: 16, uppercase: true)
    let isOfCharacter = parser.error == YAML_READER_ERROR && parser.problem_value >= 0
    problem = isOfCharacter ? "\(words) (U+\(character))" : words
    context = parser.context.map { (String(cString: $0), FileMark(parser.context_mark)) }
    // A character that the parser does not read has no mark.
    mark =
      parser.error == YAML_READER_ERROR
      ? FileMark(after: bytes.prefix(parser.problem_offset)) : FileMark(parser.problem_mark)
  }
}

extension FileMark {
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: mark.line + 1, column: mark.column + 1)
  }
}
