import StreamMap
import StreamMapPlatform
import Synchronization

/// SIGINT and SIGTERM: the run stops after the current record; if it hangs, it is ended within a second.
///
/// A second signal ends the process at once. SIGUSR1 asks how far the run is.
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

  /// A pipe that SIGUSR1 writes to.
  private static let askingEnd = Atomic<Int32>(-1)
  private static let askedEnd = Atomic<Int32>(-1)

  static var happened: Bool { isRequested.load(ordering: .relaxed) }

  /// Readable once a signal has come; -1 if there is no pipe.
  static var descriptor: Int32 { readEnd.load(ordering: .relaxed) }

  /// How to end a run that hangs.
  private static let forcedEnd = Locked<ForcedEnd?>(nil)

  /// Shows how far the run is.
  private static let report = Locked<ProgressReport?>(nil)

  static func install() {
    // Before the handlers are installed: a handler must not be the first to touch lazily initialised values.
    isRequested.store(false, ordering: .relaxed)
    openPipe(readEnd, writeEnd)
    openPipe(askedEnd, askingEnd)
    var numbers = sigset_t()
    sigemptyset(&numbers)
    for number in [SIGINT, SIGTERM, SIGUSR1] {
      sigaddset(&numbers, number)
      let before = signal(number, number == SIGUSR1 ? ask : handle)
      // If the command was started in the background with signals ignored, they stay ignored. (Handlers are only
      // comparable as words.)
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
    // If a worker thread of the parent starts the command, the signals that the thread blocks are inherited.
    sigaddset(&numbers, SIGALRM)
    pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
    // Where the system gives no thread, a signal still stops a run that does not hang.
    _ = WorkerThread.start { waitForSignals() }
  }

  /// Sets how to end the run if it does not stop by itself.
  static func whereItHangs(_ end: ForcedEnd) { forcedEnd.withLock { $0 = end } }

  /// Sets what tells how far the run is.
  static func whereAsked(_ progress: ProgressReport) { report.withLock { $0 = progress } }

  private static func openPipe(
    _ reading: borrowing Atomic<Int32>, _ writing: borrowing Atomic<Int32>
  ) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // A handler must not wait, however many signals come.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    reading.store(ends[0], ordering: .relaxed)
    writing.store(ends[1], ordering: .relaxed)
  }

  /// Waits for a signal that ends the run, then for the run to stop.
  private static func waitForSignals() {
    while !happened {
      var polled = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: askedEnd.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&polled, nfds_t(polled.count), -1)
      if polled[1].revents != 0 { answer() }
    }
    usleep(patience)
    signal(SIGALRM) { _ in _exit(ExitStatus.interrupted.rawValue) }
    ualarm(lastPatience, 0)
    forcedEnd.withLock { $0 }?.carryOut()
    _exit(ExitStatus.interrupted.rawValue)
  }

  /// Tells how far the run is, from another thread: standard error may not take it, and signals must still end the run.
  private static func answer() {
    var bytes = [UInt8](repeating: 0, count: 256)
    guard read(askedEnd.load(ordering: .relaxed), &bytes, bytes.count) > 0,
      let report = report.withLock({ $0 })
    else { return }
    _ = WorkerThread.start { report.tell() }
  }

  private static let ask: @convention(c) (Int32) -> Void = { _ in
    let code = errno
    var byte: UInt8 = 0
    _ = write(askingEnd.load(ordering: .relaxed), &byte, 1)
    errno = code
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
