import CStreamMap
import StreamMap
import StreamMapCompression
import StreamMapFiles
import StreamMapPlatform

/// What a `streammap_feed` points to.
///
/// Used by one thread at a time. A lock keeps the memory right where a caller forgets that.
final class FeedHandle: @unchecked Sendable {
  private enum Output {
    case columns(PieceFeed<ColumnConverter>)
    case lines(PieceFeed<LineConverter>)

    var converter: any PieceConverter {
      switch self {
      case .columns(let feed): feed.converter
      case .lines(let feed): feed.converter
      }
    }
  }

  /// What of a feed is read.
  struct Part {
    let reading: PartReading
    let format: FeedFormat
    /// Whether it is all of the feed.
    let isWhole: Bool
  }

  /// How a feed ended.
  private enum Ending {
    case complete, failed
  }

  // The callback for rejects may ask for counts.
  private let lock = Monitor(isRecursive: true)
  /// A child that was forked has the parent's descriptors, and none of its threads: both would take from one feed.
  private let process = getpid()
  private let mapping: MappingHandle
  private let name: String?
  private let part: Part?
  private let input: CountedInput
  /// Whether the callback that reads has failed.
  private let hasFailed: () -> Bool
  private var output: Output?
  private var ending: Ending?
  /// Whether it belongs to a stream.
  private var isStreamed = false
  private var rejected = 0
  private var reject: ((BindingError) -> Bool)?
  /// Lines that are not read yet.
  private var lines: ArraySlice<UInt8> = []

  init(
    _ mapping: MappingHandle, _ input: any FeedInput, named name: String?,
    hasFailed: (() -> Bool)? = nil, part: Part? = nil
  ) {
    self.mapping = mapping
    self.part = part
    self.name = name
    let callback = input as? CallbackInput
    self.hasFailed = hasFailed ?? { callback?.hasFailed == true }
    let notes = FeedNotes(
      records: mapping.records, hidesValues: mapping.plan.hidesValues
    ) { "records \($0)" }
    // A compressed feed has no parts.
    self.input = CountedInput(
      part == nil ? DecompressedInput(input, named: name) : input, notes,
      from: part?.reading.start?.offset,
      ahead: mapping.tellsTexts ? OutputConverter.mostAhead(jobs: mapping.jobs) : nil)
  }

  // MARK: Whose it is

  /// Whether this process has opened it.
  var isOfThisProcess: Bool { getpid() == process }

  private func checkProcess() throws {
    if isOfThisProcess { return }
    throw BindingError(
      code: "usage",
      "the feed was opened by the process that forked this one: open it again here")
  }

  /// Whether it belongs to a stream, and no caller may use it besides.
  var belongsToStream: Bool { isOfThisProcess && lock.withLock { isStreamed } }

  /// Gives it to a stream.
  func giveToStream() throws {
    try checkProcess()
    try lock.withLock {
      if isStreamed { throw BindingError(code: "usage", "the feed belongs to a stream already") }
      isStreamed = true
    }
  }

  func onReject(_ reject: ((BindingError) -> Bool)?) {
    guard isOfThisProcess else { return }
    lock.withLock { self.reject = reject }
  }

  func onProgress(_ progress: (() -> Bool)?) {
    guard isOfThisProcess else { return }
    lock.withLock { input.progress = progress }
  }

  // MARK: What is said of it

  var counts: streammap_counts {
    guard isOfThisProcess else { return streammap_counts() }
    return lock.withLock {
      let converter = output?.converter
      return streammap_counts(
        mapped: Int64(converter?.mapped ?? 0), rejected: Int64(rejected),
        dropped: Int64(converter?.dropped ?? 0), bytes: Int64(input.count))
    }
  }

  /// What the mapping did not find in the feed, once it is over: a line for each field.
  var notes: [String] {
    get throws {
      try checkProcess()
      return lock.withLock {
        guard let ending, let converter = output?.converter else { return [] }
        return input.notes.unfound(
          converter.unfound, ofRecords: converter.mapped + converter.dropped + rejected,
          isOver: ending == .complete && part?.isWhole != false, most: 10)
      }
    }
  }

  func schema(into schema: UnsafeMutablePointer<ArrowSchema>) throws {
    try MappingExports.schema(of: mapping, into: schema)
  }

  // MARK: Reading

  /// Makes the next batch of columns; false at the end.
  func next(into array: UnsafeMutablePointer<ArrowArray>) throws -> Bool {
    array.initialize(to: ArrowArray())
    try checkProcess()
    return try lock.withLock {
      guard case .columns(let feed) = try begin(asColumns: true) else { throw Self.mixed }
      guard try advance(feed) else { return false }
      do {
        try feed.converter.columns.take(into: array)
      } catch {
        ending = .failed
        throw error
      }
      return true
    }
  }

  /// Reads lines of output; 0 at the end.
  func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
    try checkProcess()
    return try lock.withLock {
      guard case .lines(let feed) = try begin(asColumns: false) else { throw Self.mixed }
      while lines.isEmpty, !room.isEmpty {
        guard try advance(feed) else { return 0 }
        lines = feed.converter.take()[...]
      }
      let piece = lines.prefix(room.count)
      room.copyBytes(from: piece)
      lines = lines.dropFirst(piece.count)
      return piece.count
    }
  }

  private static let mixed = BindingError(
    code: "usage", "a feed gives columns or text, not both: it is read as the other already")

  private func begin(asColumns: Bool) throws -> Output {
    if let output { return output }
    let format =
      part?.format ?? mapping.format.ofFeed(named: name.map(CompressionFormat.plainName))
    let made: Output
    if asColumns {
      let converter = try ColumnConverter(
        mapping.columnPlan, mapping.columns, size: mapping.size, jobs: mapping.jobs)
      made = .columns(
        try PieceFeed(converter, input, format: format, named: name, part: part?.reading))
    } else {
      let converter = LineConverter(mapping.plan, jobs: mapping.jobs)
      made = .lines(
        try PieceFeed(converter, input, format: format, named: name, part: part?.reading))
    }
    output = made
    return made
  }

  /// Advances to the next piece; false at the end.
  private func advance<Converter>(_ feed: PieceFeed<Converter>) throws -> Bool {
    if ending != nil { return false }
    do {
      if try feed.next({ try report($0, feed.converter.mapped) }) { return true }
      try checkBudget(feed.converter.mapped, isOver: true)
      try checkPaths(feed.converter)
      ending = .complete
      return false
    } catch {
      ending = .failed
      guard let error = error as? MappingError else { throw error }
      var made = made(error, of: nil)
      if hasFailed() || input.wasStopped { made.code = "callback" }
      throw made
    }
  }

  private func made(_ error: MappingError, of record: Record<Void>?) -> BindingError {
    let text = record?.position.flatMap { input.text(of: $0.bytes) }
    var made = BindingError(error, of: record, file: name, raw: text)
    made.message += input.notes.hint(for: error)
    return made
  }

  private func report(_ record: Record<Void>, _ mapped: Int) throws {
    guard let error = record.error else { return }
    rejected += 1
    let made = made(error, of: record)
    if mapping.errors.mode == .fail { throw made }
    if input.progress?() == false {
      throw BindingError(code: "callback", "the callback for progress ended the feed")
    }
    if reject.map({ !$0(made) }) == true {
      throw BindingError(code: "callback", "the callback for rejects ended the feed")
    }
    try checkBudget(mapped, isOver: false)
  }

  /// A path of records that does not occur in a whole feed was not meant so.
  private func checkPaths(_ converter: some PieceConverter) throws {
    if mapping.records.isEmpty || mapping.unseenPaths == .ignore { return }
    guard let path = converter.unseenPaths.first else { return }
    var error = BindingError(code: "unseenPath", input.notes.text(ofUnseen: path))
    error.path = path.description
    throw error
  }

  private func checkBudget(_ mapped: Int, isOver: Bool) throws {
    if mapping.errors.mode == .fail { return }
    let records = rejected + mapped
    let bound = mapping.errors.budget.exceeded(rejected: rejected, of: records, isOver: isOver)
    switch bound {
    case .count(let count):
      throw BindingError(
        code: "tooManyErrors", "more than \(count) records were rejected (errors.max)")
    case .ratio(let ratio):
      throw BindingError(
        code: "tooManyErrors",
        "\(rejected) of \(records) records were rejected, more than \(ratio) of them (errors.max_ratio)"
      )
    case nil: break
    }
  }
}
