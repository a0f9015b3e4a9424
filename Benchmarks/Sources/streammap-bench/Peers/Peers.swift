import Foundation

/// Contenders that are programs, each in the place where it is installed.
enum Peers {
  /// A worker in Rust.
  ///
  /// `slices` finds the lines and reads each; `stream` reads value after value from memory, and `reader` from a reader,
  /// as from a file or socket. `bytes` maps each line to an output record, its texts borrowed.
  static func serde(_ modes: [String], _ task: String, _ bench: Workbench, _ feed: String)
    -> [any Contender]
  {
    let program = serdeProgram(bench)
    // Its doubles are correctly rounded only with a feature that most programs do not enable.
    let obstacle = obstacle(program, "cargo and librust-serde-json-dev")
    return modes.map { mode in
      WorkerContender(
        "serde_json \(mode)", [program, mode, task, feed], obstacle: obstacle,
        comparison: .nearDoubles)
    }
  }

  /// The program in Rust as a command that writes output records, its texts borrowed.
  static func serdeCommand(
    _ name: String, _ task: String, _ bench: Workbench, _ feed: String,
    read: @escaping (MappedFile) throws -> Digest
  ) -> any Contender {
    CommandContender(name, [serdeProgram(bench), "command", task, feed], read: read)
  }

  private static func serdeProgram(_ bench: Workbench) -> String {
    "\(bench.home)/.build-peers/serde/release/serde-worker"
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
    packages.map { package in
      WorkerContender(
        title(package), pythonWorker(package, task, bench, feed), obstacle: missing(package))
    }
  }

  /// A package as a command that writes output records: the start of Python is included, like that of the other commands.
  static func pythonCommand(
    _ package: String, _ task: String, _ bench: Workbench, _ feed: String,
    read: @escaping (MappedFile) throws -> Digest
  ) -> any Contender {
    CommandContender(
      "\(title(package)), as a command",
      pythonWorker(package, task, bench, feed) + ["/dev/stdout"], obstacle: missing(package),
      read: read)
  }

  private static func pythonWorker(
    _ package: String, _ task: String, _ bench: Workbench, _ feed: String
  ) -> [String] {
    let python = Command.find("python3") ?? "python3"
    return [python, "\(bench.home)/Peers/python/worker.py", package, task, feed]
  }

  private static func title(_ package: String) -> String {
    switch package {
    case "duckdb": "DuckDB, 1 thread"
    case "chdb": "chDB, 1 thread"
    default: package
    }
  }

  private static func obstacle(_ program: String, _ needs: String) -> String? {
    FileManager.default.isExecutableFile(atPath: program)
      ? nil : "its worker is not built (it needs \(needs))"
  }

  private static func missing(_ package: String) -> String? {
    guard let python = Command.find("python3") else { return "python3 is not installed" }
    let check = Command(arguments: [python, "-c", "import \(package)"])
    return (try? check.run().status) == 0 ? nil : "Python's \(package) is not installed"
  }
}
