import StreamMapFiles
import StreamMapPlatform

/// An operation on a file that failed.
struct SystemError: Error, CustomStringConvertible {
  let what: String
  let reason: String
  /// How the command ends because of it.
  let status: ExitStatus

  /// Makes the error with the reason of the call that just failed.
  init(_ what: String) {
    self.init(what, String(cString: strerror(errno)))
  }

  init(_ what: String, _ reason: String, status: ExitStatus = .io) {
    self.what = what
    self.reason = reason
    self.status = status
  }

  /// The system gives no thread for it.
  static func noThread(_ what: String) -> SystemError {
    SystemError(what, "the system has no thread for it")
  }

  /// One line, whatever names are in it.
  var description: String { ShownText.of("cannot \(what): \(reason)") }
}
