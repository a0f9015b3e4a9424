#if os(Linux)
import Foundation
import Testing

@testable import StreamMapCommand

/// A write that waits in its middle may be cut off there by a signal.
@Suite struct PipeRoomTests {
  private let ends: [Int32]

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    self.ends = ends
  }

  private func waiting() -> Int {
    var count: Int32 = 0
    ioctl(ends[0], UInt(FIONREAD), &count)
    return Int(count)
  }

  @Test(arguments: [60, 1_000, 4_000])
  func `what fits into a pipe is written at once, whatever was written and read before`(
    longest: Int
  ) throws {
    defer { for end in ends { close(end) } }
    // Then a write that does not fit is short, and does not wait.
    for end in ends { try #require(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
    var room = try #require(PipeRoom(ends[1]))
    var random = SystemRandomNumberGenerator()
    var lines: [UInt8] = []
    while lines.count < 400_000 {
      lines += repeatElement(UInt8(ascii: "x"), count: Int.random(in: 1...longest))
      lines.append(UInt8(ascii: "\n"))
    }
    var memory = [UInt8](repeating: 0, count: 1 << 20)
    var most = 0
    for _ in 0..<5_000 {
      var polled = pollfd(fd: ends[1], events: Int16(POLLOUT), revents: 0)
      if poll(&polled, 1, 0) == 0 || Int.random(in: 0..<4) == 0 {
        let size = [100, 5_000, 300_000].randomElement(using: &random) ?? 1
        _ = read(ends[0], &memory, Int.random(in: 1...size))
        continue
      }
      let size = [5_000, 20_000, 300_000].randomElement(using: &random) ?? 1
      let (written, asked) = lines.withUnsafeBytes { lines in
        let start = Int.random(in: 0..<lines.count - size)
        let part = UnsafeRawBufferPointer(
          rebasing: room.fitting(lines[start..<start + Int.random(in: 1...size)]))
        return (write(ends[1], part.baseAddress, part.count), part.count)
      }
      try #require(written == asked, "\(waiting())")
      room.note(written)
      most = max(most, waiting())
    }
    #expect(most > 500_000)
  }
}
#endif
