import Foundation

/// What the system did not do.
struct SystemError: Error, CustomStringConvertible {
  let what: String
  let reason: String

  /// With the reason of the call that just failed.
  init(_ what: String) {
    self.init(what, String(cString: strerror(errno)))
  }

  init(_ what: String, _ reason: String) {
    self.what = what
    self.reason = reason
  }

  var description: String { "cannot \(what): \(reason)" }
}
