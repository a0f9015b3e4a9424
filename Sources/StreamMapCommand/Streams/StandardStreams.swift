import Foundation

/// Standard input, output and error.
enum StandardStreams {
  /// Opens those streams that the process was started without, though they are of no use.
  ///
  /// Otherwise the next opened file would become one of them, and messages would go to the output.
  static func reserve() {
    let modes = [O_WRONLY, O_RDONLY, O_RDONLY]
    for (number, mode) in zip(STDIN_FILENO..., modes) where fcntl(number, F_GETFD) < 0 {
      // The lowest free number is this one.
      _ = open("/dev/null", mode)
    }
  }
}
