import Foundation
import Testing

@testable import StreamMap

/// Runs a body on a thread with the stack that threads have on Apple's systems, or another.
func onThread<Result: Sendable>(
  stack: Int = 512 << 10, _ body: @escaping @Sendable () -> Result
) throws -> Result {
  let result = Locked<Result?>(nil)
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    let made = body()
    result.withLock { $0 = made }
    done.signal()
  }
  thread.stackSize = stack
  thread.start()
  done.wait()
  return try #require(result.withLock { $0 })
}
