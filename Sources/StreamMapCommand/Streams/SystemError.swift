import Foundation

/// A system call that failed.
struct SystemError: Error, CustomStringConvertible {
  let what: String
  let code: Int32

  /// With the code of the call that just failed.
  init(_ what: String) {
    self.what = what
    code = errno
  }

  var description: String { "cannot \(what): \(String(cString: strerror(code)))" }
}
