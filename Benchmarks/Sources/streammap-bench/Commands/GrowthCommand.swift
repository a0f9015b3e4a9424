import ArgumentParser
import Foundation
import StreamMap

/// Checks whether a byte costs the same, however large something is.
struct GrowthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth",
    abstract:
      "Processor time per byte over the size of feeds, their nesting, their strings, odd escapes, and mapped fields.",
    discussion: """
      Of each series the ratio is that of a step's time per byte to the median of the series'.
      """)

  @Option(help: ArgumentHelp("A feed of tweets, one a line.", valueName: "file"))
  var tweets: String

  @Option(help: "How often each step is measured; the median counts.")
  var runs = 5

  @Option(help: ArgumentHelp("Megabytes of the largest feed.", valueName: "MB"))
  var largest = 2000

  /// The number of bytes that a step of the other series reads.
  private static let volume = 64 << 20
  /// The number of bytes handed over at once.
  private static let piece = 256 << 10

  func run() throws {
    try sizes()
    try nesting()
    try strings(isMapped: false)
    try strings(isMapped: true)
    try oddEscapes()
    try fields()
  }

  /// A feed that repeats one block.
  private func sizes() throws {
    let feed = try MappedFile(path: tweets)
    var block: [UInt8] = []
    for line in feed.lines where block.count < 1_000_000 {
      block += line
      block.append(0x0A)
    }
    let mapper = try Mapper(Tweet.mapping)
    var series = Series("megabytes of feed, seven fields typed")
    for megabytes in [1, 10, 100, 500, largest] {
      let count = max(megabytes * 1_000_000 / block.count, 1)
      try series.add("\(megabytes)", runs) { try read(block, times: count, mapper) }
    }
    series.print()
  }

  /// The same number of brackets in each record, in fewer and deeper nests from step to step; none of it is mapped.
  private func nesting() throws {
    let mapper = try Mapper(output: .object([OutputField("id", from: "id", .number)]))
    var series = Series("nesting, unmapped")
    for depth in [1, 5, 20, 100, 499] {
      let nest =
        String(repeating: "[", count: depth) + "7" + String(repeating: "]", count: depth)
      let nests = Array(repeating: nest, count: max(500 / depth, 1)).joined(separator: ",")
      let feed = block("{\"id\":1,\"x\":[\(nests)]}")
      try series.add("\(depth)", runs) { try read(feed, mapper) }
    }
    series.print()
  }

  /// The same text in fewer and longer strings from step to step.
  private func strings(isMapped: Bool) throws {
    let fields = [OutputField("id", from: isMapped ? "text" : "id", .any)]
    var limits = Limits()
    limits.string = 64 << 20
    let mapper = try Mapper(output: .object(fields), limits: limits)
    var series = Series("bytes of a string, \(isMapped ? "mapped" : "unmapped")")
    for size in [1 << 10, 16 << 10, 256 << 10, 4 << 20, 16 << 20] {
      let text = String(repeating: "The quick brown fox, ", count: size / 21)
      let feed = block("{\"id\":1,\"text\":\"\(text)\"}")
      try series.add("\(size)", runs) { try read(feed, mapper) }
    }
    series.print()
  }

  /// Ever longer lists of strings whose escapes leave in another way, as JSON that is kept.
  private func oddEscapes() throws {
    let mapper = try Mapper(output: .object([OutputField("all", from: "all", .raw)]))
    var series = Series("strings with odd escapes in a record, kept as JSON")
    for count in [10, 100, 1000, 5000] {
      let strings = Array(repeating: #""\/""#, count: count).joined(separator: ",")
      let feed = block("{\"all\":[\(strings)]}")
      try series.add("\(count)", runs) { try read(feed, mapper) }
    }
    series.print()
  }

  /// Objects whose members are all mapped, a thousand members per record.
  private func fields() throws {
    var series = Series("mapped fields of an object")
    for count in [1, 10, 100, 1000] {
      let names = (0..<count).map { "field_number_\($0)" }
      let mapper = try Mapper(
        output: .array(
          of: .object(names.map { OutputField($0, from: FieldSource(stringLiteral: $0), .number) }))
      )
      let object = "{" + names.map { "\"\($0)\":1234567" }.joined(separator: ",") + "}"
      let objects = Array(repeating: object, count: 1000 / count).joined(separator: ",")
      let feed = block("[\(objects)]")
      try series.add("\(count)", runs) { try read(feed, mapper) }
    }
    series.print()
  }

  /// Complete records of a text, enough of them that the feed is not handed over in tiny pieces.
  private func block(_ text: String) -> [UInt8] {
    let record = Array((text + "\n").utf8)
    return Array(repeatElement(record, count: max(Self.piece / record.count, 1)).joined())
  }

  private func read<Value>(_ block: [UInt8], _ mapper: Mapper<Value>) throws -> Int {
    try read(block, times: max(Self.volume / block.count, 1), mapper)
  }

  /// Reads a block this many times as one feed; returns the number of bytes read.
  private func read<Value>(_ block: [UInt8], times: Int, _ mapper: Mapper<Value>) throws -> Int {
    let stream = try mapper.stream(format: .ndjson)
    var records = 0
    func take(_ record: Record<Value>) throws {
      _ = try record.get()
      records += 1
    }
    try block.withUnsafeBufferPointer { block in
      for _ in 0..<times {
        for start in stride(from: 0, to: block.count, by: Self.piece) {
          let piece = block[start..<min(start + Self.piece, block.count)]
          try stream.feed(UnsafeBufferPointer(rebasing: piece), take)
        }
      }
    }
    try stream.finish(take)
    guard records >= times else { throw BenchmarkError("records are missing") }
    return block.count * times
  }

  /// Steps of one series.
  private struct Series {
    let name: String
    private var steps: [(title: String, nanoseconds: Double)] = []

    init(_ name: String) {
      self.name = name
    }

    /// Measures `body`, which returns the number of bytes that it read.
    mutating func add(_ title: String, _ runs: Int, _ body: () throws -> Int) rethrows {
      var times: [Double] = []
      for _ in 0..<runs {
        let start = Clock.now
        let bytes = try body()
        times.append(start.elapsed.cpu * 1e9 / Double(bytes))
      }
      steps.append((title, times.sorted()[runs / 2]))
    }

    func print() {
      let median = steps.map(\.nanoseconds).sorted()[steps.count / 2]
      Swift.print(name)
      for step in steps {
        Swift.print(
          "  \(step.title): \(Table.number(step.nanoseconds, 3)) ns a byte,",
          "\(Table.number(step.nanoseconds / median, 2))x")
      }
    }
  }
}
