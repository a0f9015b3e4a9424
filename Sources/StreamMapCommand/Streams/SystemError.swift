import Foundation

/// An operation that the system did not perform.
struct SystemError: Error, CustomStringConvertible {
  let what: String
  let reason: String

  /// Makes the error with the reason of the call that just failed.
  init(_ what: String) {
    self.init(what, String(cString: strerror(errno)))
  }

  init(_ what: String, _ reason: String) {
    self.what = what
    self.reason = reason
  }

  var description: String { "cannot \(what): \(reason)" }
}
