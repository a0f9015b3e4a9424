#if canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A lock, and the conditions that threads wait for under it.
package final class Monitor: @unchecked Sendable {
  /// Something to wait for.
  ///
  /// Waiting happens under the monitor's lock, and so does what changes the thing. The signal may follow: then the thread that wakes
  /// finds the lock free.
  package final class Condition: @unchecked Sendable {
    // Invariant: initialised in `init`, destroyed in `deinit`; it never moves.
    fileprivate let pointer: UnsafeMutablePointer<pthread_cond_t>

    package init() {
      pointer = .allocate(capacity: 1)
      pointer.initialize(to: pthread_cond_t())
      pthread_cond_init(pointer, nil)
    }

    deinit {
      pthread_cond_destroy(pointer)
      pointer.deallocate()
    }

    /// Wakes one waiting thread.
    package func signal() { pthread_cond_signal(pointer) }

    /// Wakes all waiting threads.
    package func broadcast() { pthread_cond_broadcast(pointer) }
  }

  // Invariant: the same as for a condition's pointer.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// A lock; a thread that holds a recursive one may take it again.
  package init(isRecursive: Bool = false) {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    defer { pthread_mutexattr_destroy(&attributes) }
    if isRecursive { pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE)) }
    pthread_mutex_init(mutex, &attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Releases the lock, which the caller holds, until the condition is signaled; it may also return without a signal.
  package func wait(for condition: Condition) {
    pthread_cond_wait(condition.pointer, mutex)
  }
}
