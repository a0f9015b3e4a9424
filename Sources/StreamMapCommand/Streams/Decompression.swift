import StreamMap
import StreamMapCompression
import StreamMapPlatform
import Synchronization

/// Decompresses an input on a thread of its own; its output is read from a pipe, like any other feed from a pipe.
///
/// So waiting, interruption and live feeds need nothing of their own. The thread ends with the input, at a fault, or once the
/// reading end of the pipe is closed.
final class Decompression: Sendable {
  private static let pieceSize = 256 << 10

  /// Where to read what was decompressed; the reader closes it.
  let descriptor: Int32
  private let failure = Locked<SystemError?>(nil)
  /// How many compressed bytes were read.
  private let bytesRead = Atomic(0)

  /// Starts decompressing what a descriptor gives.
  ///
  /// - Parameters:
  ///   - source: The descriptor of the compressed bytes; it is closed at the end, unless it is standard input.
  ///   - start: The bytes that were read from it already.
  ///   - format: The format that they tell.
  ///   - title: The name of the input in messages.
  ///   - mostExpansion: How many times as large it may become.
  /// - Throws: ``SystemError``.
  init(
    of source: Int32, startingWith start: [UInt8], _ format: CompressionFormat, title: String,
    mostExpansion: Int
  ) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError("read \(title)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    PipeRoom.enlarge(ends[1])
    descriptor = ends[0]
    let target = ends[1]
    let isStarted = WorkerThread.start {
      do {
        try self.run(source, start, format, title: title, mostExpansion, to: target)
      } catch {
        self.failure.withLock { $0 = Self.systemError(error, title: title) }
      }
      // The reader sees the end only after the failure is noted.
      close(target)
      if source != STDIN_FILENO { close(source) }
    }
    if isStarted { return }
    for end in ends { close(end) }
    throw SystemError.noThread("read \(title)")
  }

  /// How many compressed bytes were read so far.
  var place: Int { bytesRead.load(ordering: .relaxed) }

  /// Why the input ended early, once the reading end is at its end.
  func checkEnd() throws(SystemError) {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// The reader has gone.
  private struct Closed: Error {}

  private func run(
    _ source: Int32, _ start: [UInt8], _ format: CompressionFormat, title: String,
    _ mostExpansion: Int, to target: Int32
  ) throws {
    let decompressor = try Decompressor(
      format, limits: DecompressionLimits(expansion: mostExpansion))
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 64)
    defer { piece.deallocate() }
    bytesRead.add(start.count, ordering: .relaxed)
    try start.withUnsafeBytes { try Self.decompress($0, decompressor, to: target) }
    while true {
      let count = read(source, piece.baseAddress, piece.count)
      if count > 0 {
        bytesRead.add(count, ordering: .relaxed)
        let read = UnsafeRawBufferPointer(rebasing: piece[..<count])
        try Self.decompress(read, decompressor, to: target)
      } else if count == 0 {
        return try decompressor.finish()
      } else if errno == EAGAIN {
        var polled = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
        _ = poll(&polled, 1, -1)
      } else if errno != EINTR {
        throw SystemError("read \(title)")
      }
    }
  }

  private static func decompress(
    _ piece: UnsafeRawBufferPointer, _ decompressor: Decompressor, to target: Int32
  ) throws {
    try decompressor.decompress(piece) { made in
      var rest = made[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = write(target, part.baseAddress, part.count)
        if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw Closed() }
      }
    }
  }

  /// What to report; nil if the reader has gone.
  private static func systemError(_ error: any Error, title: String) -> SystemError? {
    switch error {
    case let error as SystemError: return error
    case let error as DecompressionError:
      var reason = "\(error)"
      if case .tooLarge = error.reason { reason += "; --limit-expansion allows more" }
      return SystemError("read \(title)", reason, status: error.status)
    default: return nil
    }
  }
}

extension DecompressionError {
  fileprivate var status: ExitStatus {
    switch reason {
    case .damaged, .truncated: .malformedFeed
    case .tooLarge, .tooManyBytes: .limit
    case .noMemory: .io
    }
  }
}
