import CScan
import Foundation
import Testing

/// The implementations that find structure: the one that runs on any machine, and the fastest one of this machine.
///
/// The choice applies to the whole process. Other tests that run at the same time read the same with any of them.
enum Scanners {
  private static let lock = NSLock()

  /// Runs the body with each of them.
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
