import Foundation
import Testing

/// What a run of the command came to.
struct CommandResult {
  let status: Int32
  let output: String
  let errors: String

  /// The lines that tell of mistakes in mapping files, without `error: `.
  var mistakes: [String] {
    errors.split(separator: "\n").filter { $0.contains(": error: ") }.map {
      String($0).replacing(": error: ", with: ": ")
    }
  }
}

/// Runs the command in a directory of its own.
final class Command {
  let directory: URL

  init() throws {
    // Their defaults, whatever started the tests; and a command that ends early must not end them.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("stream-map-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// The command that is tested: that which `STREAMMAP_COMMAND` names, or that which was built along with the tests.
  static let executable =
    ProcessInfo.processInfo.environment["STREAMMAP_COMMAND"].map { URL(fileURLWithPath: $0) }
    ?? builtAlong

  /// The command that was built along with the tests: it lies beside their bundle.
  ///
  /// It calls yajl in a shared library, where calls can be made to fail.
  static let builtAlong: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let executable = URL(fileURLWithPath: CommandLine.arguments.first ?? "")
    for place in [bundle, Bundle.main.executableURL, executable].compactMap(\.self) {
      let command = place.deletingLastPathComponent().appendingPathComponent("stream-map")
      if FileManager.default.isExecutableFile(atPath: command.path) { return command }
    }
    return URL(fileURLWithPath: ".build/debug/stream-map")
  }()

  // MARK: Files

  func url(_ name: String) -> URL { directory.appendingPathComponent(name) }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: url(name))
    return name
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url(name)), as: UTF8.self)
  }

  /// Whether two files have the same contents, which are too long to be shown.
  func areSame(_ name: String, _ other: String) throws -> Bool {
    try Data(contentsOf: url(name)) == Data(contentsOf: url(other))
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: url(name).path) }

  /// Waits until a file is there, with as many bytes as are given, or more.
  func waitFor(_ name: String, bytes: Int = 0) throws {
    let deadline = Date(timeIntervalSinceNow: 30)
    while try !exists(name) || Data(contentsOf: url(name)).count < bytes {
      if Date() > deadline { throw CocoaError(.fileNoSuchFile) }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  /// The names in the directory, but those of the streams.
  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: directory.path)
        .filter { !$0.hasPrefix(".") }.sorted()
    }
  }

  // MARK: Runs

  /// Runs the command to its end; the input is written in pieces of the given size.
  func run(
    _ arguments: [String], input: some Sequence<UInt8> = [], pieceSize: Int = .max,
    environment: [String: String] = [:]
  ) throws -> CommandResult {
    let running = try start(arguments, environment: environment)
    running.write(Array(input), pieceSize: pieceSize)
    return try running.finish()
  }

  func run(_ arguments: String..., input: String, pieceSize: Int = .max) throws -> CommandResult {
    try run(arguments, input: Array(input.utf8), pieceSize: pieceSize)
  }

  func run(_ arguments: String...) throws -> CommandResult {
    try run(arguments, input: [])
  }

  /// Runs a line of shell, in which `stream-map` is the command.
  func shell(_ line: String) throws -> CommandResult {
    let path = Self.executable.deletingLastPathComponent().path
    let running = try start(
      ["-c", "PATH='\(path)':$PATH; \(line)"], executable: URL(fileURLWithPath: "/bin/sh"))
    return try running.finish()
  }

  func start(
    _ arguments: [String], executable: URL = Command.executable,
    environment: [String: String] = [:]
  ) throws -> RunningCommand {
    try RunningCommand(executable, arguments, in: directory, environment)
  }
}

/// A command that runs.
final class RunningCommand {
  private let process = Process()
  private let input = Pipe()
  private let directory: URL
  private let name = UUID().uuidString

  init(
    _ executable: URL, _ arguments: [String], in directory: URL, _ environment: [String: String]
  ) throws {
    self.directory = directory
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = directory
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    process.standardInput = input
    // Files, so that neither side waits for the other.
    process.standardOutput = try handle("output")
    process.standardError = try handle("errors")
    try process.run()
  }

  private func url(_ stream: String) -> URL {
    directory.appendingPathComponent(".\(name).\(stream)")
  }

  private func handle(_ stream: String) throws -> FileHandle {
    try Data().write(to: url(stream))
    return try FileHandle(forWritingTo: url(stream))
  }

  private func text(_ stream: String) throws -> String {
    String(decoding: try Data(contentsOf: url(stream)), as: UTF8.self)
  }

  func write(_ bytes: [UInt8], pieceSize: Int = .max) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(pieceSize)
      // A command that has ended already does not read on.
      do { try input.fileHandleForWriting.write(contentsOf: Data(piece)) } catch { return }
      rest = rest.dropFirst(piece.count)
    }
  }

  /// Waits until the output is as long as it is to be.
  func output(ofBytes count: Int) throws -> String {
    let deadline = Date(timeIntervalSinceNow: 20)
    while Date() < deadline {
      let output = try text("output")
      if output.utf8.count >= count { return output }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return try text("output")
  }

  var isRunning: Bool { process.isRunning }

  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Waits for the end without closing the input.
  func result() throws -> CommandResult {
    process.waitUntilExit()
    return CommandResult(
      status: process.terminationStatus, output: try text("output"), errors: try text("errors"))
  }

  /// Waits for the end that has to come by itself; nil, and the command killed, where it does not.
  ///
  /// Sooner it ends by far: the machine may have much to do.
  func result(within seconds: Double) throws -> CommandResult? {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while process.isRunning, Date() < deadline { Thread.sleep(forTimeInterval: 0.01) }
    if process.isRunning {
      send(SIGKILL)
      process.waitUntilExit()
      return nil
    }
    return try result()
  }

  func finish() throws -> CommandResult {
    try? input.fileHandleForWriting.close()
    return try result()
  }
}
