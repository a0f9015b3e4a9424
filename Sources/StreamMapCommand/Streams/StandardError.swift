import StreamMap
import StreamMapFiles
import StreamMapPlatform

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
    isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Writes lines.
  ///
  /// Names and texts in them come from anywhere: what a terminal would take for commands is written as its code.
  ///
  /// - Parameters:
  ///   - text: The lines, without the last line feed.
  ///   - colour: Adds colours to what is written.
  static func write(_ text: String, colour: (String) -> String = { $0 }) {
    let text = colour(ShownText.ofLines(LimitOptions.named(in: text)))
    hasLiveLine.withLock { isShown in
      send((isShown ? LiveLine.erased : "") + text + "\n")
      isShown = false
    }
  }

  /// Writes a line while another thread may hang that holds anything.
  static func writeAtOnce(_ line: String) {
    let text = Array((ShownText.ofLines(line) + "\n").utf8)
    _ = StreamMapPlatform.write(STDERR_FILENO, text, text.count)
  }

  /// Shows a line that the next one, or the next message, takes the place of; it is cut to the width of the terminal.
  static func show(_ line: String) {
    hasLiveLine.withLock { isShown in
      send(LiveLine.erased + ShownText.of(line).prefix(LiveLine.width))
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
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        StreamMapPlatform.write(STDERR_FILENO, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var polled = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        _ = poll(&polled, 1, -1)
      } else if errno != EINTR {
        return
      }
    }
  }

  private enum LiveLine {
    /// To the start of the line, and the rest of it erased (ECMA-48, EL).
    static let erased = "\r\u{1B}[K"

    /// One less than the columns of the terminal: a full line would continue in the next one.
    static var width: Int {
      var size = winsize()
      guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 79 }
      return Int(size.ws_col) - 1
    }
  }
}
