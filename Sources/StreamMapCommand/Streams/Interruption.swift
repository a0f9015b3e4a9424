import Foundation
import Synchronization

/// SIGINT and SIGTERM: the run stops behind the current record.
///
/// A second signal ends the process at once.
enum Interruption {
  private static let isRequested = Atomic(false)
  // A pipe that the handler writes to, so that a signal also wakes who waits for input. Without the
  // pipe, a signal between the last look at the flag and the wait would go unnoticed until input
  // came.
  private static let writeEnd = Atomic<Int32>(-1)
  private static let readEnd = Atomic<Int32>(-1)

  static var happened: Bool { isRequested.load(ordering: .relaxed) }

  /// Readable once a signal has come; -1 where there is no pipe.
  static var descriptor: Int32 { readEnd.load(ordering: .relaxed) }

  static func install() {
    // Before the handlers: it must not be the first to touch what is initialised lazily.
    isRequested.store(false, ordering: .relaxed)
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      readEnd.store(ends[0], ordering: .relaxed)
      writeEnd.store(ends[1], ordering: .relaxed)
    }
    // A closed pipe is told by write's own error.
    signal(SIGPIPE, SIG_IGN)
    var numbers = sigset_t()
    sigemptyset(&numbers)
    for number in [SIGINT, SIGTERM] {
      sigaddset(&numbers, number)
      let before = signal(number, handle)
      // Whoever started the command in the background wants it left alone. (Handlers are only
      // comparable as words.)
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
    // A parent that starts the command from a worker thread hands down what that thread blocks.
    pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
  }

  private static let handle: @convention(c) (Int32) -> Void = { number in
    let code = errno
    isRequested.store(true, ordering: .relaxed)
    var byte: UInt8 = 0
    _ = write(writeEnd.load(ordering: .relaxed), &byte, 1)
    signal(number, SIG_DFL)
    errno = code
  }
}
