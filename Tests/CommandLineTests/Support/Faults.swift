import Foundation
import Testing

/// Calls of the system that fail: `Faults/faults.c`, built when it is first asked for.
enum Faults {
  /// The environment that has a command run with it; nil if there is no way (another system, no compiler).
  static let preload: String? = {
    #if os(Linux)
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Faults/faults.c").path
    let library = FileManager.default.temporaryDirectory
      .appending(path: "stream-map-faults-\(ProcessInfo.processInfo.processIdentifier).so").path
    for compiler in ["clang", "gcc", "cc"] {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]
      process.standardError = FileHandle.nullDevice
      guard (try? process.run()) != nil else { continue }
      process.waitUntilExit()
      if process.terminationStatus == 0 { return library }
    }
    #endif
    return nil
  }()

  static var isThere: Bool { preload != nil }

  /// The environment of a run in which a call goes wrong: at a number from 1 up, or at every second one with 0.
  static func environment(_ call: String, _ kind: String, at number: Int) -> [String: String] {
    [
      "LD_PRELOAD": preload ?? "", "FAULT_CALL": call, "FAULT_KIND": kind,
      "FAULT_AT": "\(number)", "FAULT_MARK": "mark",
    ]
  }
}
