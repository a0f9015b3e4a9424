/// One way to do a task's work.
protocol Contender: AnyObject {
  var name: String { get }
  var kind: ContenderKind { get }
  var comparison: Digest.Comparison { get }
  /// The reason why it cannot run here; nil if it can.
  var obstacle: String? { get }
  /// Runs once, untimed, and returns a digest of what it read; nil for a contender without a result, such as a bare
  /// parser.
  func digest() throws -> Digest?
  /// Runs once.
  func run() throws -> Timing
  /// Ends the processes that it keeps running.
  func stop()
}

extension Contender {
  var comparison: Digest.Comparison { .exact }
  var obstacle: String? { nil }
  func stop() {}
}

/// How a contender runs, and therefore what its time includes.
enum ContenderKind: String, Codable {
  /// In this process, over a feed in memory.
  case inside = "in process"
  /// In its own process, which has the feed in memory and times itself.
  case worker
  /// A command, from its start to its end, including its reading and writing.
  case command
}

/// The time of one run, in seconds.
struct Timing: Codable {
  var wall: Double
  /// That of all threads.
  var cpu: Double
}

/// A contender in this process.
final class InsideContender: Contender {
  let name: String
  let kind = ContenderKind.inside
  private let work: (_ hashes: Bool) throws -> Digest?
  /// The counts of the untimed run and of the first timed run: a run that counts something else did other work.
  private var count: Int?
  private var first: Digest?

  init(_ name: String, _ work: @escaping (_ hashes: Bool) throws -> Digest?) {
    self.name = name
    self.work = work
  }

  func digest() throws -> Digest? {
    let digest = try work(true)
    count = digest?.count
    return digest
  }

  func run() throws -> Timing {
    let start = Clock.now
    let digest = try work(false)
    let timing = start.elapsed
    first = first ?? digest
    guard digest?.count == count, digest == first else {
      throw BenchmarkError("\(name): two runs had different results")
    }
    return timing
  }
}
