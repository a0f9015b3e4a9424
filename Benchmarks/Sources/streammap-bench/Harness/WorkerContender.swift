import Foundation

/// A program that loads the feed once and then runs on request, so that neither its start nor the disk is measured.
///
/// It is started with the task and the feed as its last arguments. For each line on its standard input, `digest` or
/// `run`, it runs once and answers with one line: a ``Digest`` (for `run` without hashes) with `wall` and `cpu`.
final class WorkerContender: Contender {
  let name: String
  let kind = ContenderKind.worker
  let comparison: Digest.Comparison
  let obstacle: String?
  private let arguments: [String]
  private var process: Process?
  private let requests = Pipe()
  private let answers = Pipe()
  private var pending = Data()

  init(
    _ name: String, _ arguments: [String], obstacle: String?,
    comparison: Digest.Comparison = .exact
  ) {
    self.name = name
    self.arguments = arguments
    self.obstacle = obstacle
    self.comparison = comparison
  }

  func digest() throws -> Digest? {
    try JSONDecoder().decode(Digest.self, from: ask("digest"))
  }

  func run() throws -> Timing {
    try JSONDecoder().decode(Timing.self, from: ask("run"))
  }

  func stop() {
    guard let process else { return }
    try? requests.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private func ask(_ request: String) throws -> Data {
    if process == nil { try start() }
    try requests.fileHandleForWriting.write(contentsOf: Data("\(request)\n".utf8))
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        let answer = Data(pending[..<end])
        pending = Data(pending[(end + 1)...])
        return answer
      }
      let more = answers.fileHandleForReading.availableData
      if more.isEmpty { throw BenchmarkError("\(name): the worker ended") }
      pending += more
    }
  }

  private func start() throws {
    let process = Process()
    process.executableURL = URL(filePath: arguments[0])
    process.arguments = Array(arguments.dropFirst())
    process.standardInput = requests
    process.standardOutput = answers
    try process.run()
    self.process = process
  }
}
