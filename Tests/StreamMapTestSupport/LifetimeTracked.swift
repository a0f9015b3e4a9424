@testable import StreamMap

/// Counts the instances of ``LifetimeTracked`` that are alive.
final class LifetimeCounter: Sendable {
  private let counts = Locked((live: 0, made: 0))

  var live: Int { counts.withLock { $0.live } }
  var made: Int { counts.withLock { $0.made } }

  fileprivate func begin() {
    counts.withLock {
      $0.live += 1
      $0.made += 1
    }
  }

  fileprivate func end() { counts.withLock { $0.live -= 1 } }
}

/// An object whose count shows whether it is never released, or released twice.
final class LifetimeTracked: Sendable {
  let text: String
  private let counter: LifetimeCounter

  init(_ text: String, _ counter: LifetimeCounter) {
    self.text = text
    self.counter = counter
    counter.begin()
  }

  deinit { counter.end() }
}
