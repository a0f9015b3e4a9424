import CStreamMap
import Foundation
import StreamMap
import StreamMapFiles

/// What a `streammap_feed` points to.
///
/// Used by one thread at a time. A lock keeps the memory right where a caller forgets that.
final class FeedHandle: @unchecked Sendable {
  private enum Output {
    case columns(PieceFeed<ColumnConverter>)
    case lines(PieceFeed<LineConverter>)
  }

  /// What of a feed is read.
  struct Part {
    let reading: PartReading
    let format: FeedFormat
  }

  private let lock = NSRecursiveLock()
  private let mapping: MappingHandle
  private let name: String?
  private let part: Part?
  private var input: (any FeedInput)?
  private let callback: CallbackInput?
  private var output: Output?
  private var isClosed = false
  private var rejected = 0
  private var reject: ((BindingError) -> Bool)?
  /// Lines that are not read yet.
  private var lines: ArraySlice<UInt8> = []

  init(
    _ mapping: MappingHandle, _ input: any FeedInput, named name: String?, part: Part? = nil
  ) {
    self.mapping = mapping
    self.part = part
    self.input = input
    callback = input as? CallbackInput
    self.name = name
  }

  func onReject(_ reject: ((BindingError) -> Bool)?) {
    lock.withLock { self.reject = reject }
  }

  var counts: streammap_counts {
    lock.withLock {
      let (mapped, dropped) =
        switch output {
        case .columns(let feed): (feed.converter.mapped, feed.converter.dropped)
        case .lines(let feed): (feed.converter.mapped, feed.converter.dropped)
        case nil: (0, 0)
        }
      return streammap_counts(
        mapped: Int64(mapped), rejected: Int64(rejected), dropped: Int64(dropped))
    }
  }

  /// Makes the next batch of columns; false at the end.
  func next(into array: UnsafeMutablePointer<ArrowArray>) throws -> Bool {
    try lock.withLock {
      array.initialize(to: ArrowArray())
      guard case .columns(let feed) = try begin(asColumns: true) else { throw Self.mixed }
      guard try advance(feed) else { return false }
      do {
        try feed.converter.columns.take(into: array)
      } catch {
        isClosed = true
        throw error
      }
      return true
    }
  }

  /// Reads lines of output; 0 at the end.
  func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
    try lock.withLock {
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

  func schema(into schema: UnsafeMutablePointer<ArrowSchema>) throws {
    try MappingExports.schema(of: mapping, into: schema)
  }

  private static let mixed = BindingError(
    code: "usage", "a feed gives columns or text, not both: it is read as the other already")

  private func begin(asColumns: Bool) throws -> Output {
    if let output { return output }
    guard let input else { throw BindingError(code: "usage", "the feed is over") }
    self.input = nil
    let format = part?.format ?? mapping.format.ofFeed(named: name)
    let made: Output
    if asColumns {
      let converter = try ColumnConverter(
        mapping.plan, mapping.columns, size: mapping.size, jobs: mapping.jobs)
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

  /// Goes on to the next piece; false at the end.
  private func advance<Converter>(_ feed: PieceFeed<Converter>) throws -> Bool {
    if isClosed { return false }
    do {
      if try feed.next({ try report($0, feed.converter.mapped) }) { return true }
      try checkBudget(feed.converter.mapped, isOver: true)
      isClosed = true
      return false
    } catch {
      isClosed = true
      guard let error = error as? MappingError else { throw error }
      var made = BindingError(error, of: nil, file: name)
      if callback?.hasFailed == true { made.code = "callback" }
      throw made
    }
  }

  private func report(_ record: Record<Void>, _ mapped: Int) throws {
    guard let error = record.error else { return }
    rejected += 1
    let made = BindingError(error, of: record, file: name)
    if mapping.errors.mode == .fail { throw made }
    if reject.map({ !$0(made) }) == true {
      throw BindingError(code: "callback", "the callback for rejects ended the feed")
    }
    try checkBudget(mapped, isOver: false)
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
