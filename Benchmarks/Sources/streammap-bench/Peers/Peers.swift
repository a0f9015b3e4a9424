import Foundation

/// Contenders that are programs, each in the place where it is installed.
enum Peers {
  /// A worker in Rust.
  ///
  /// `slices` finds the lines and reads each; `stream` reads value after value from memory, and `reader` from a reader,
  /// as from a file or socket.
  static func serde(_ modes: [String], _ task: String, _ bench: Workbench, _ feed: String)
    -> [any Contender]
  {
    let program = "\(bench.home)/.build-peers/serde/release/serde-worker"
    // Its doubles are correctly rounded only with a feature that most programs do not enable.
    let obstacle = obstacle(program, "cargo and librust-serde-json-dev")
    return modes.map { mode in
      WorkerContender(
        "serde_json \(mode)", [program, mode, task, feed], obstacle: obstacle,
        comparison: .nearDoubles)
    }
  }

  /// A worker in C++.
  static func simdjson(_ task: String, _ bench: Workbench, _ feed: String) -> any Contender {
    let program = "\(bench.home)/.build-peers/simdjson-worker"
    return WorkerContender(
      "simdjson On-Demand", [program, task, feed],
      obstacle: obstacle(program, "g++ and libsimdjson-dev"))
  }

  /// Workers in Python, one for each of these packages.
  static func python(_ packages: [String], _ task: String, _ bench: Workbench, _ feed: String)
    -> [any Contender]
  {
    let python = Command.find("python3")
    return packages.map { package in
      let command = [
        python ?? "python3", "\(bench.home)/Peers/python/worker.py", package, task, feed,
      ]
      return WorkerContender(
        package == "duckdb" ? "DuckDB, 1 thread" : package, command,
        obstacle: python == nil ? "python3 is not installed" : missing(package, python))
    }
  }

  /// DuckDB as a command, through Python: its start is included, like that of the other commands.
  static func duckDBCommand(
    _ task: String, _ bench: Workbench, _ feed: String,
    read: @escaping (MappedFile) throws -> Digest
  ) -> any Contender {
    CommandContender(
      "DuckDB, 1 thread, as a command",
      [
        Command.find("python3") ?? "python3", "\(bench.home)/Peers/python/worker.py", "duckdb",
        task, feed, "/dev/stdout",
      ], read: read)
  }

  private static func obstacle(_ program: String, _ needs: String) -> String? {
    FileManager.default.isExecutableFile(atPath: program)
      ? nil : "its worker is not built (it needs \(needs))"
  }

  private static func missing(_ package: String, _ python: String?) -> String? {
    let check = Command(arguments: [python ?? "python3", "-c", "import \(package)"])
    return (try? check.run().status) == 0 ? nil : "Python's \(package) is not installed"
  }
}
