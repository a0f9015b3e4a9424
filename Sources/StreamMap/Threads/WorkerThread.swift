#if canImport(Darwin)
import Darwin
import ObjectiveC
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Glibc
#endif

/// Plain threads: tasks have small stacks, and must not block.
package enum WorkerThread {
  /// As much as a main thread has, because conversions of the user's run here.
  private static var stackSize: Int { 8 << 20 }

  /// Starts a detached thread; false if the system gives none.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    guard pthread_attr_init(attributes) == 0 else { return false }
    defer { pthread_attr_destroy(attributes) }
    pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(attributes, stackSize)
    #if canImport(Darwin)
    let thread = UnsafeMutablePointer<pthread_t?>.allocate(capacity: 1)
    #else
    let thread = UnsafeMutablePointer<pthread_t>.allocate(capacity: 1)
    #endif
    defer { thread.deallocate() }
    // The thread takes it over.
    let given = Unmanaged.passRetained(Body(run: body))
    let error = pthread_create(thread, attributes, main, given.toOpaque())
    if error != 0 { given.release() }
    return error == 0
  }

  /// Does something on a thread of its own, which has a whole stack for it, and waits until it is done; false, with nothing done,
  /// where the system gives no thread.
  static func doWithOwnStack(_ body: @escaping () -> Void) -> Bool {
    // Invariant: one thread at a time uses what it captures, since this one waits.
    nonisolated(unsafe) let body = body
    let (monitor, end) = (Monitor(), Monitor.Condition())
    let isOver = Locked(false)
    let isStarted = start {
      body()
      monitor.withLock {
        isOver.withLock { $0 = true }
        end.signal()
      }
    }
    if !isStarted { return false }
    monitor.withLock {
      while !isOver.withLock({ $0 }) { monitor.wait(for: end) }
    }
    return true
  }

  /// Does a step of a thread's work, and lets go of what Objective-C keeps until then.
  static func step(_ body: () -> Void) {
    #if canImport(ObjectiveC)
    autoreleasepool(invoking: body)
    #else
    body()
    #endif
  }

  /// The number of processors that the machine has.
  static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  #if canImport(Darwin)
  private typealias Given = UnsafeMutableRawPointer
  #else
  private typealias Given = UnsafeMutableRawPointer?
  #endif

  private static let main: @convention(c) (Given) -> UnsafeMutableRawPointer? = { given in
    #if canImport(Darwin)
    pthread_setname_np("StreamMap")
    #endif
    if let body = given as UnsafeMutableRawPointer? {
      Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
    }
    return nil
  }
}
