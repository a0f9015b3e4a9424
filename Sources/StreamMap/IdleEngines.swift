import Synchronization

/// Engines that are not in use, for documents to come: making one costs more than decoding a small document.
///
/// No more are kept than were ever in use at a time, and at most a handful.
final class IdleEngines<Value>: Sendable {
  /// An engine without a user.
  ///
  /// Invariant: who gives one lets go of it, so it is never used by two.
  private struct Idle: @unchecked Sendable {
    let engine: RecordEngine<Value>
  }

  private let idle = Mutex<[Idle]>([])
  private static var most: Int { 16 }

  func take() -> RecordEngine<Value>? {
    let taken = idle.withLock { $0.popLast() }
    return taken?.engine
  }

  func give(_ engine: RecordEngine<Value>) {
    let given = Idle(engine: engine)
    idle.withLock { idle in
      if idle.count < Self.most { idle.append(given) }
    }
  }
}
