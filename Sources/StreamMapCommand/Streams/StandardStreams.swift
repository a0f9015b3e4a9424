import Foundation

/// Standard input, output and error.
enum StandardStreams {
  /// Has those that were handed over closed be open, though of no use.
  ///
  /// Otherwise the next file that is opened would be one of them, and messages would go to the output.
  static func reserve() {
    let modes = [O_WRONLY, O_RDONLY, O_RDONLY]
    for (number, mode) in zip(STDIN_FILENO..., modes) where fcntl(number, F_GETFD) < 0 {
      // The lowest number that is free is this one.
      _ = open("/dev/null", mode)
    }
  }
}
