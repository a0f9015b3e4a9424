import Foundation

@testable import StreamMap

/// One feed by every way to get its records.
enum FeedRoutes {
  /// What came out.
  struct Outcome: Equatable, CustomStringConvertible {
    /// The numbers and codes of the records: `1`, `2 missing`.
    var records: [String] = []
    var verdict = FeedVerdict.stopped
    /// Where to continue; of the last record, where a feed was not read to its end.
    var position: FeedPosition?
    var unseen: [String] = []
    /// The last error.
    var error: MappingError?

    var description: String {
      "\(records) \(verdict) \(position?.offset ?? -1)/\(position?.recordCount ?? -1)"
    }

    static func == (a: Outcome, b: Outcome) -> Bool {
      a.records == b.records && a.verdict == b.verdict
    }

    mutating func take(_ record: Record<some Any>) {
      records.append(record.error.map { "\(record.number) \($0.code)" } ?? "\(record.number)")
      if let failure = record.error { error = failure }
    }
  }

  /// How the records of one feed are asked for.
  struct Given<Value: Sendable>: Sendable {
    let mapper: Mapper<Value>
    let bytes: [UInt8]
    var paths: RecordPaths = []
    var format = FeedFormat.auto
    var position: FeedPosition?
    var options = FeedOptions()

    var rest: ArraySlice<UInt8> { bytes[(position?.offset ?? 0)...] }

    func buffers(_ size: Int) -> AsyncStream<[UInt8]> {
      FeedRoutes.buffers(Array(rest), size)
    }
  }

  /// Buffers of a size; before each there is an empty one.
  static func buffers(_ bytes: [UInt8], _ size: Int) -> AsyncStream<[UInt8]> {
    AsyncStream { continuation in
      for start in stride(from: 0, to: bytes.count, by: size) {
        continuation.yield([])
        continuation.yield(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      continuation.finish()
    }
  }

  /// The outcome by each route, with its name.
  static func outcomes<Value: Sendable>(_ feed: Given<Value>) async throws -> [(String, Outcome)] {
    var outcomes: [(String, Outcome)] = []
    for size in [1, 3, 1 << 20] { outcomes.append(("stream, \(size)", try pushed(feed, size))) }
    for jobs in [1, 3] {
      outcomes.append(("memory, \(jobs) jobs", try inMemory(feed, jobs)))
      outcomes.append(("file, \(jobs) jobs", try inFile(feed, jobs)))
      for size in [1, 5, 1 << 20] {
        outcomes.append(("buffers of \(size), \(jobs) jobs", try await async(feed, size, jobs)))
        outcomes.append(("batches of \(size), \(jobs) jobs", try await batches(feed, size, jobs)))
      }
    }
    return outcomes
  }

  static func pushed<Value>(_ feed: Given<Value>, _ size: Int) throws -> Outcome {
    var outcome = Outcome()
    let stream = try feed.mapper.stream(
      at: feed.paths, format: feed.format, from: feed.position, options: feed.options)
    let rest = feed.rest
    for start in stride(from: rest.startIndex, to: rest.endIndex, by: size) {
      stream.feed(rest[start..<min(start + size, rest.endIndex)]) { outcome.take($0) }
    }
    stream.finish { outcome.take($0) }
    outcome.verdict = stream.verdict
    outcome.position = stream.position
    outcome.unseen = stream.unseenPaths.map(\.description)
    return outcome
  }

  private static func taken<Value>(_ records: RecordSequence<Value>) -> Outcome {
    var outcome = Outcome()
    for record in records { outcome.take(record) }
    outcome.verdict = records.verdict
    outcome.position = records.position
    outcome.unseen = records.unseenPaths.map(\.description)
    return outcome
  }

  static func inMemory<Value: Sendable>(_ feed: Given<Value>, _ jobs: Int) throws -> Outcome {
    taken(
      try feed.mapper.records(
        in: Feed(
          feed.bytes, at: feed.paths, format: feed.format, from: feed.position,
          options: feed.options), jobs: jobs))
  }

  static func inFile<Value: Sendable>(_ feed: Given<Value>, _ jobs: Int) throws -> Outcome {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(feed.bytes).write(to: URL(filePath: path))
    return taken(
      try feed.mapper.records(
        in: Feed(
          .file(path), at: feed.paths, format: feed.format, from: feed.position,
          options: feed.options), jobs: jobs))
  }

  static func async<Value: Sendable>(_ feed: Given<Value>, _ size: Int, _ jobs: Int) async throws
    -> Outcome
  {
    var outcome = Outcome()
    let records = try feed.mapper.records(
      in: Feed(
        feed.buffers(size), at: feed.paths, format: feed.format, from: feed.position,
        options: feed.options), jobs: jobs)
    for try await record in records { outcome.take(record) }
    outcome.verdict = records.verdict
    outcome.position = records.position
    outcome.unseen = records.unseenPaths.map(\.description)
    return outcome
  }

  /// Values have no numbers of their own in batches: they are told by what is between the rejects.
  static func batches<Value: Sendable>(_ feed: Given<Value>, _ size: Int, _ jobs: Int) async throws
    -> Outcome
  {
    var outcome = Outcome()
    let batches = try feed.mapper.batches(
      in: Feed(
        feed.buffers(size), at: feed.paths, format: feed.format, from: feed.position,
        options: feed.options), jobs: jobs)
    var first = (feed.position?.recordCount ?? 0) + 1
    for try await batch in batches {
      let failed = batch.rejects.map { ($0.record, "\($0.record) \($0.error.code)") }
      outcome.error = batch.rejects.last?.error ?? outcome.error
      for number in first..<first + batch.records {
        let reject = failed.first { $0.0 == number }?.1
        outcome.records.append(reject ?? "\(number)")
      }
      first += batch.records
    }
    if let reason = batches.reason {
      outcome.error = reason
      outcome.records.append("\(reason.record ?? 0) \(reason.code)")
    }
    outcome.verdict = batches.verdict
    outcome.position = batches.summary.position
    outcome.unseen = batches.unseenPaths.map(\.description)
    return outcome
  }
}
