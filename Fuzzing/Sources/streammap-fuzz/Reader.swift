import CScan

@testable import StreamMap

typealias StreamFormat = FeedFormat

extension FeedFormat {
  /// The value of `sm_framing`.
  var framing: Int32 {
    switch self {
    case .json: 0
    case .ndjson: 1
    case .concatenated: 2
    case .sequence: 3
    case .auto: 4
    // Another module has to expect new formats.
    @unknown default: -1
    }
  }
}

/// The result for one record.
struct Row: Equatable {
  let number: Int
  let position: SourcePosition?
  /// The output, byte for byte.
  let value: [UInt8]?
  let code: ErrorCode?
  let errorPosition: SourcePosition?
  /// The error's message, without its address.
  let message: String?
  /// The whole error: code, path, address, sentence, and the issues.
  let error: String?

  init(_ record: Record<RawJSON>) {
    number = record.number
    position = record.position
    value = record.value?.bytes
    code = record.error?.code
    errorPosition = record.error?.position
    message = record.error?.message
    let issues = record.issues.map { "\n issue: " + $0.fullDescription }.joined()
    error = record.error.map { $0.fullDescription + issues } ?? (issues.isEmpty ? nil : issues)
  }

  /// Whether the first bytes show that the feed is in another encoding.
  var isOtherEncoding: Bool { message?.hasPrefix("expected UTF-8, found UTF-") == true }

  /// The parts of a record that must not depend on the mapping.
  var address: String {
    let isFault = code.map { $0.category != .data } ?? false
    return "#\(number) \(position.map { "\($0)" } ?? "-") \(isFault ? error ?? "" : "")"
  }
}

/// How a feed is cut into pieces.
enum Cuts {
  case whole
  case every(Int)
  case random(Random, most: Int)

  mutating func next(of rest: Int) -> Int {
    switch self {
    case .whole: return rest
    case .every(let size): return min(size, rest)
    case .random(var random, let most):
      let size = random.below(most + 1)
      self = .random(random, most: most)
      return min(size, rest)
    }
  }
}

/// Our reader and mapper by one route: a mapping, with or without its projection, and a parser.
///
/// It is used again and again, so that anything left from one feed would show in the next.
final class Reader {
  let name: String
  private let engine: FeedEngine
  private let route: Route<RawJSON>
  private let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 20)

  init(_ name: String, _ mapper: Mapper<RawJSON>, isProjected: Bool, parser: RecordParser) throws {
    self.name = name + (isProjected ? ", projected" : ", unprojected") + ", \(parser)"
    var mapper = mapper
    mapper.parser = parser
    let tables = try FeedSelection(isProjected ? mapper.plan.tables.selection : .everything, at: [])
    let (engine, taker) = try mapper.makeEngine(FeedRequest(tables, format: .json))
    self.engine = engine
    route = .one(engine, taker)
  }

  deinit { piece.deallocate() }

  /// The records of a feed; nil if the engine asks for more than there is, or does not end.
  func rows(_ bytes: [UInt8], _ format: FeedFormat, _ cuts: Cuts, scanner: String) -> [Row]? {
    guard sm_scan_select(scanner), bytes.count <= piece.count else { return nil }
    var cuts = cuts
    var rows: [Row] = []
    var at = 0
    var isOver = false
    engine.reset(format: format)
    while rows.count <= bytes.count + 1 {
      switch route.next() {
      case .record(let record): rows.append(Row(record))
      case .dropped: break
      case .end: return rows
      case .input:
        if isOver { return nil }
        // The bytes that were handed over are invalid now: code that still looks at them sees something else.
        piece.prefix(at).update(repeating: 0xDB)
        let size = cuts.next(of: bytes.count - at)
        _ = piece.update(fromContentsOf: bytes[at..<at + size])
        at += size
        isOver = at == bytes.count
        route.input(UnsafeBufferPointer(rebasing: piece.prefix(size)), isFinal: isOver)
      }
    }
    return nil
  }
}

/// The scanner's implementations that this machine has, the portable one first.
let scanners: [String] = ["portable", "avx2", "avx512", "neon"].filter { sm_scan_select($0) }
