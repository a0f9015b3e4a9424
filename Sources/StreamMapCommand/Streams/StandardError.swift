import Foundation
import StreamMap

/// Where messages go.
///
/// A terminal may also show one live line, which every message takes the place of.
enum StandardError {
  /// Whether the live line is shown now.
  private static let hasLiveLine = Locked(false)

  /// Whether it is a terminal.
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether messages may have colours: on a terminal, unless `NO_COLOR` forbids it (no-color.org).
  static var hasColours: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isTerminal && environment["NO_COLOR", default: ""].isEmpty
      && environment["TERM"] != "dumb"
  }

  static func write(_ text: String, terminator: String = "\n") {
    let text = LimitOptions.named(in: text)
    hasLiveLine.withLock { isShown in
      send((isShown ? LiveLine.erased : "") + text + terminator)
      isShown = false
    }
  }

  /// Shows a line that the next one, or the next message, takes the place of; it is cut to the width of the terminal.
  static func show(_ line: String) {
    hasLiveLine.withLock { isShown in
      send(LiveLine.erased + line.prefix(LiveLine.width))
      isShown = true
    }
  }

  /// Takes the live line away.
  static func clear() {
    hasLiveLine.withLock { isShown in
      if isShown { send(LiveLine.erased) }
      isShown = false
    }
  }

  private static func send(_ text: String) {
    // A message that cannot be written has nowhere else to go; the run continues.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  private enum LiveLine {
    /// To the start of the line, and the rest of it erased (ECMA-48, EL).
    static let erased = "\r\u{1B}[K"

    /// One less than the columns of the terminal: a full line would go on in the next one.
    static var width: Int {
      var size = winsize()
      guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 79 }
      return Int(size.ws_col) - 1
    }
  }
}
