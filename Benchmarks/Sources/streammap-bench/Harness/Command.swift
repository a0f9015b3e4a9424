import Foundation

/// A program with arguments, run from start to end.
struct Command {
  var arguments: [String]
  var environment: [String: String] = [:]

  /// The result of a run.
  struct Outcome {
    var timing: Timing
    var status: Int32
  }

  /// Where a program of this name is installed.
  static func find(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// Runs the program, with files as its standard input, output and error, and waits for its end.
  func run(
    input: String = "/dev/null", output: String = "/dev/null", errors: String = "/dev/null"
  ) throws -> Outcome {
    let inputs = open(input, O_RDONLY)
    guard inputs >= 0 else { throw BenchmarkError("cannot read \(input)") }
    defer { close(inputs) }
    let start = Clock.now
    let process = try spawn(inputs, output, errors)
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(process, &status, 0, &usage) == process else {
      throw BenchmarkError("\(arguments[0]): lost")
    }
    let cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    return Outcome(
      timing: Timing(wall: start.elapsed.wall, cpu: cpu), status: Self.code(status))
  }

  /// Runs the program with an open file as standard input, and watches its memory.
  ///
  /// On Linux, the value that `wait4` reports starts with the memory of the parent process, which here has the feed
  /// mapped. So the kernel's high-water mark is read while the program runs.
  func peak(descriptor: Int32, output: String) throws -> Int {
    let process = try spawn(descriptor, output, "/dev/null")
    var peak = 0
    var status: Int32 = 0
    var usage = rusage()
    while true {
      peak = max(peak, Self.highWaterMark(process))
      switch wait4(process, &status, WNOHANG, &usage) {
      case process:
        guard status == 0 else {
          throw BenchmarkError("\(arguments[0]): ended with status \(Self.code(status))")
        }
        #if os(Linux)
        return peak
        #else
        return Int(usage.ru_maxrss)
        #endif
      case 0: usleep(2000)
      default: throw BenchmarkError("\(arguments[0]): lost")
      }
    }
  }

  /// The high-water mark of a process's resident memory, in bytes; 0 if the system does not tell.
  private static func highWaterMark(_ process: pid_t) -> Int {
    let path = "/proc/\(process)/status"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) * 1024
  }

  // The macros for the status are not visible to Swift: the low seven bits are the signal.
  private static func code(_ status: Int32) -> Int32 {
    status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
  }

  private func spawn(_ input: Int32, _ output: String, _ errors: String) throws -> pid_t {
    #if os(Linux)
    var actions = posix_spawn_file_actions_t()
    #else
    var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 1, output, flags, 0o644)
    posix_spawn_file_actions_addopen(&actions, 2, errors, flags, 0o644)

    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let words = arguments.map { strdup($0) }
    let variables = all.map { strdup("\($0.key)=\($0.value)") }
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let failure = posix_spawnp(
      &process, arguments[0], &actions, nil, words + [nil], variables + [nil])
    guard failure == 0 else {
      throw BenchmarkError("\(arguments[0]): \(String(cString: strerror(failure)))")
    }
    return process
  }

  private func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
