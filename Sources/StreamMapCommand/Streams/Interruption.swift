import Foundation
import StreamMap
import Synchronization

/// SIGINT and SIGTERM: the run stops after the current record; if it hangs, it is ended within a second.
///
/// A second signal ends the process at once.
enum Interruption {
  /// How long a run may take to stop by itself, in microseconds.
  private static let patience: UInt32 = 700_000
  /// How long ending it may then take: the disk may hang.
  private static let lastPatience: UInt32 = 200_000

  private static let isRequested = Atomic(false)
  // A pipe that the handler writes to, so that a signal also wakes a thread that waits for input. Without the pipe, a
  // signal between the last check of the flag and the wait would go unnoticed until input came.
  private static let writeEnd = Atomic<Int32>(-1)
  private static let readEnd = Atomic<Int32>(-1)

  static var happened: Bool { isRequested.load(ordering: .relaxed) }

  /// Readable once a signal has come; -1 if there is no pipe.
  static var descriptor: Int32 { readEnd.load(ordering: .relaxed) }

  /// How to end a run that hangs.
  private static let forcedEnd = Locked<ForcedEnd?>(nil)

  static func install() {
    StandardStreams.reserve()
    // Before the handlers are installed: a handler must not be the first to touch lazily initialised values.
    isRequested.store(false, ordering: .relaxed)
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      readEnd.store(ends[0], ordering: .relaxed)
      writeEnd.store(ends[1], ordering: .relaxed)
    }
    // The error of `write` itself reports a closed pipe, and a file that may not grow.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var numbers = sigset_t()
    sigemptyset(&numbers)
    for number in [SIGINT, SIGTERM] {
      sigaddset(&numbers, number)
      let before = signal(number, handle)
      // If the command was started in the background with signals ignored, they stay ignored. (Handlers are only
      // comparable as words.)
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
    // If a worker thread of the parent starts the command, the signals that the thread blocks are inherited.
    sigaddset(&numbers, SIGALRM)
    pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
    let thread = Thread { endWhatHangs() }
    thread.name = "interruption"
    thread.start()
  }

  /// Sets how to end the run if it does not stop by itself.
  static func whereItHangs(_ end: ForcedEnd) { forcedEnd.withLock { $0 = end } }

  /// Waits for a signal, then for the run to stop.
  private static func endWhatHangs() {
    while !happened {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&polled, 1, -1)
    }
    usleep(patience)
    signal(SIGALRM) { _ in _exit(ExitStatus.interrupted.rawValue) }
    ualarm(lastPatience, 0)
    forcedEnd.withLock { $0 }?.carryOut()
    _exit(ExitStatus.interrupted.rawValue)
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
