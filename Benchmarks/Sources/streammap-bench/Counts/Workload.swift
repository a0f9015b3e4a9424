import ArgumentParser
import Foundation
import StreamMap

/// Small work whose instructions and allocations are counted: unlike time, they do not jitter.
enum Workload: String, CaseIterable, ExpressibleByArgument {
  /// The cost of the program without any work.
  case nothing
  case tweets7
  /// The same in small pieces.
  case tweets7Pieces = "tweets7-pieces"
  case tweets7Bytes = "tweets7-bytes"
  /// The same as the elements of one document.
  case tweets7Document = "tweets7-document"
  /// Lines by several threads, all of which count.
  case jobsLines = "jobs-lines"
  /// A document by several threads.
  case jobsDocument = "jobs-document"
  case tweetsAll = "tweets-all"
  /// The same with yajl reading all text.
  case tweetsAllByYajl = "tweets-all-yajl"
  /// Nothing but escapes: the index hands yajl each string.
  case escaped
  case numbers
  case catalogue
  case tiny
  case logsTyped = "logs-typed"
  /// The same from asynchronous buffers of 64 KiB.
  case async
  /// The same in buffers of 4 KiB.
  case asyncPieces = "async-pieces"
  /// A call of `decode` for each line.
  case messages
  /// The same by a decoder of its own.
  case messageDecoder = "message-decoder"
  /// A call of `update` for each line.
  case updates
  case encode
  case encodeAll = "encode-all"

  private static let jobs = 2

  /// How often it is counted; the least counts.
  ///
  /// How much memory several threads need depends on when each of them runs: by up to 3 % in a document.
  var repetitions: Int {
    switch self {
    case .jobsLines, .jobsDocument: 5
    case .nothing, .tweets7, .tweets7Pieces, .tweets7Bytes, .tweets7Document, .tweetsAll,
      .tweetsAllByYajl, .escaped, .numbers, .catalogue, .tiny, .logsTyped, .async, .asyncPieces,
      .messages, .messageDecoder, .updates, .encode, .encodeAll:
      1
    }
  }

  /// The file that is read.
  var feed: String {
    switch self {
    case .nothing, .tiny: Tiny.feed
    case .tweets7, .tweets7Pieces, .tweets7Bytes, .jobsLines, .tweetsAll, .tweetsAllByYajl, .encode,
      .encodeAll:
      Tweets7.feed
    case .tweets7Document, .jobsDocument: TweetsDocument.feed
    case .logsTyped, .async, .asyncPieces, .messages, .messageDecoder, .updates: LogFeed.feed
    case .escaped: Escaped.feed
    case .numbers: Numbers.feed
    case .catalogue: Catalogue.feed
    }
  }

  /// Does the work once.
  ///
  /// - Returns: Something that depends on all of it.
  func run(_ feed: MappedFile) throws -> Int {
    var sum = 0
    switch self {
    case .nothing: break
    case .tweets7:
      try StreamMapContender.each(try Mapper(Tweet.mapping), in: feed) { sum &+= $0.id }
    case .tweets7Pieces:
      try StreamMapContender.each(try Mapper(Tweet.mapping), in: feed, chunk: 4 << 10) {
        sum &+= $0.id
      }
    case .tweets7Bytes:
      try StreamMapContender.each(try Mapper(output: Tweet.output), in: feed) {
        sum &+= $0.bytes.count
      }
    case .tweets7Document:
      let mapper = try Mapper(Tweet.mapping)
      try StreamMapContender.each(mapper, in: feed, at: TweetsDocument.place) { sum &+= $0.id }
    case .jobsLines:
      let mapper = try Mapper(Tweet.mapping)
      for record in try mapper.records(in: Feed(feed.bytes, format: .ndjson), jobs: Self.jobs) {
        sum &+= try record.get().id
      }
    case .jobsDocument:
      let mapper = try Mapper(Tweet.mapping)
      let records = try mapper.records(
        in: Feed(feed.bytes, at: RecordPaths(TweetsDocument.place), format: .json), jobs: Self.jobs)
      for record in records { sum &+= try record.get().id }
    case .tweetsAll:
      try StreamMapContender.each(try Mapper(FullTweet.self), in: feed) { sum &+= $0.id }
    case .tweetsAllByYajl:
      var mapper = try Mapper(FullTweet.self)
      mapper.parser = .yajl
      try StreamMapContender.each(mapper, in: feed) { sum &+= $0.id }
    case .escaped:
      try StreamMapContender.each(try Mapper(EscapedNote.mapping), in: feed) {
        sum &+= $0.html.utf8.count
      }
    case .numbers:
      try StreamMapContender.each(try Mapper(Outlines.mapping), in: feed) {
        sum &+= $0.features.count
      }
    case .catalogue:
      try StreamMapContender.each(try Mapper(Catalog.mapping), in: feed) {
        sum &+= $0.performances.count
      }
    case .tiny:
      try StreamMapContender.each(try Mapper(TinyRecord.mapping), in: feed) { sum &+= $0.id }
    case .logsTyped:
      try StreamMapContender.each(try Mapper(LogRecord.mapping), in: feed) { sum &+= $0.user }
    case .async: sum = try Async.sum(try Mapper(LogRecord.mapping), feed, 64 << 10)
    case .asyncPieces: sum = try Async.sum(try Mapper(LogRecord.mapping), feed, 4 << 10)
    case .messages:
      try Messages.each(try Mapper(LogRecord.mapping), in: feed) { sum &+= $0.user }
    case .messageDecoder:
      try Messages.each(try Mapper(LogRecord.mapping).messageDecoder(), in: feed) {
        sum &+= $0.user
      }
    case .updates:
      let mapper = try Mapper(ServiceState.mapping)
      var state = ServiceState()
      for line in feed.lines {
        try mapper.update(&state, from: line)
        sum &+= state.user
      }
    case .encode:
      // The count includes decoding: subtract `tweets7`.
      let mapper = try Mapper(Tweet.mapping)
      var tweets: [Tweet] = []
      try StreamMapContender.each(mapper, in: feed) { tweets.append($0) }
      for tweet in tweets { sum &+= try mapper.encode(tweet).count }
    case .encodeAll:
      // Here, subtract `tweets-all`.
      let mapper = try Mapper(FullTweet.self)
      var tweets: [FullTweet] = []
      try StreamMapContender.each(mapper, in: feed) { tweets.append($0) }
      for tweet in tweets { sum &+= try mapper.encode(tweet).count }
    }
    return sum
  }
}

/// Runs workloads, for `counts` to run under valgrind.
///
/// Each has a process of its own: a copy of this one, so that valgrind translates the start of the program once. It prints each with the number
/// of its process.
struct WorkloadsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workloads", abstract: "Runs counted workloads once each.", shouldDisplay: false)

  @Argument var feeds: String
  @Argument var workloads: [Workload]

  func run() throws {
    #if os(Linux)
    var processes: [String] = []
    for workload in workloads {
      let process = fork()
      if process == 0 {
        do {
          // What it comes to is written, so that the compiler leaves nothing out.
          print(try workload.run(MappedFile(path: "\(feeds)/\(workload.feed)")))
          fflush(nil)
          _exit(0)
        } catch {
          print(error)
          fflush(nil)
          _exit(1)
        }
      }
      var status: Int32 = 0
      guard process > 0, waitpid(process, &status, 0) == process, status == 0 else {
        throw BenchmarkError("the workload \(workload.rawValue) failed")
      }
      processes.append("\(workload.rawValue) \(process)")
    }
    // Only now: what is printed before, and not yet written, each copy would write, too.
    print(processes.joined(separator: "\n"))
    #else
    throw BenchmarkError("workloads are counted on Linux")
    #endif
  }
}
