import Synchronization

/// Who may use the database next: so many at a time.
///
/// Turns go alternately to the waiting one that has stored least and to the one that has waited longest. So a small upload
/// does not wait for one batch of each large one, and a large one continues however many small ones there are.
final class Turns: Sendable {
  private struct Waiting {
    let stored: Int
    let turn: CheckedContinuation<Void, Never>
  }

  private struct State {
    var free: Int
    /// In the order in which they came.
    var waiting: [Waiting] = []
    var isForSmallest = true

    mutating func next() -> CheckedContinuation<Void, Never>? {
      guard !waiting.isEmpty else {
        free += 1
        return nil
      }
      let smallest = waiting.indices.min { waiting[$0].stored < waiting[$1].stored } ?? 0
      let index = isForSmallest ? smallest : 0
      isForSmallest.toggle()
      return waiting.remove(at: index).turn
    }
  }

  private let state: Mutex<State>

  /// Turns of so many at a time.
  init(atOnce count: Int) { state = Mutex(State(free: count)) }

  /// Works when the turn comes.
  ///
  /// - Parameters:
  ///   - stored: How many bytes of its feed the upload has stored so far.
  ///   - work: Writes a batch, or reads.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws.
  func take<Result: Sendable>(
    after stored: Int, _ work: () async throws -> Result
  ) async throws -> Result {
    await withCheckedContinuation { turn in
      let isFree = state.withLock { state in
        if state.free == 0 {
          state.waiting.append(Waiting(stored: stored, turn: turn))
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { turn.resume() }
    }
    defer { state.withLock { $0.next() }?.resume() }
    return try await work()
  }
}
