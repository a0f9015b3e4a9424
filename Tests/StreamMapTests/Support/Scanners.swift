import CScan
import Foundation
import Testing

/// The code that looks for structure: what any machine runs, and the fastest that this one does.
///
/// Which of them runs is a matter of the process. Whatever other tests run meanwhile reads the same with any of them.
enum Scanners {
  private static let lock = NSLock()

  /// Does something with each of them.
  static func each(_ body: (String) throws -> Void) throws {
    try lock.withLock {
      let fastest = String(cString: sm_scan_implementation())
      defer { _ = sm_scan_select(fastest) }
      for name in Set(["portable", fastest]).sorted() {
        #expect(sm_scan_select(name))
        try body(name)
      }
    }
  }
}
