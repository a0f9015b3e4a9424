import StreamMapPlatform

/// Standard input, output and error.
enum StandardStreams {
  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  /// Whether what is written to standard output stays in a regular file.
  static var outputIsFile: Bool { WriteGate.isFile(STDOUT_FILENO) }

  /// Makes them safe to use, before anything else is opened or written.
  static func prepare() {
    reserve()
    // The error of `write` itself reports a closed pipe, and a file that may not grow.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Opens those streams that the process was started without, though they are of no use.
  ///
  /// Otherwise the next opened file would become one of them, and messages would go to the output.
  private static func reserve() {
    let modes = [O_WRONLY, O_RDONLY, O_RDONLY]
    for (number, mode) in zip(STDIN_FILENO..., modes) where fcntl(number, F_GETFD) < 0 {
      // The lowest free number is this one.
      _ = open("/dev/null", mode)
    }
  }
}
