import Foundation

/// A moment on the wall clock and on the clock of this process.
struct Clock {
  private let wall: Double
  private let cpu: Double

  static var now: Clock {
    Clock(wall: seconds(CLOCK_MONOTONIC), cpu: seconds(CLOCK_PROCESS_CPUTIME_ID))
  }

  /// The time since this moment.
  var elapsed: Timing {
    let now = Clock.now
    return Timing(wall: now.wall - wall, cpu: now.cpu - cpu)
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
