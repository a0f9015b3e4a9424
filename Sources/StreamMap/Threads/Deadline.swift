/// When to wait no longer: a time by a clock, at which a task that waits is woken.
///
/// From the first wait on, a task of its own sleeps until then; `cancel` ends it.
@usableFromInline
final class Deadline: Sendable {
  private struct State {
    var isOver = false
    var isCancelled = false
    /// Wakes who waits.
    var wake: (@Sendable () -> Void)?
    var sleeper: Task<Void, Never>?
  }

  private let state = Locked(State())
  private let isPast: @Sendable () -> Bool
  private let sleep: @Sendable () async throws -> Void

  /// A time that comes so long after now.
  init(after delay: Duration, by clock: some Clock<Duration>) {
    let end = clock.now.advanced(by: delay)
    isPast = { clock.now >= end }
    sleep = { try await clock.sleep(until: end, tolerance: nil) }
  }

  /// Whether it is past.
  var isOver: Bool { state.withLock { $0.isOver } || isPast() }

  /// Says whom to wake when it is past; replaces the one named before.
  ///
  /// Look at ``isOver`` after this: it may be past already.
  func willWake(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { state in
      if state.isCancelled { return }
      state.wake = wake
      if state.sleeper == nil { state.sleeper = Task { await self.ring() } }
    }
  }

  private func ring() async {
    do {
      try await sleep()
    } catch {
      return
    }
    let wake = state.withLock { state in
      state.isOver = true
      return state.wake
    }
    wake?()
  }

  /// Says that no one waits any more.
  func cancel() {
    let sleeper = state.withLock { state in
      state.isCancelled = true
      state.wake = nil
      return state.sleeper
    }
    sleeper?.cancel()
  }
}
