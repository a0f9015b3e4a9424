import StreamMap
import StreamMapPlatform

/// Writes output from its own thread, so that mapping need not wait for the reader, up to a few pieces.
final class OutputQueue: @unchecked Sendable {
  private static let mostPieces = 4
  /// PERF: a thread that is woken for each piece costs more than the piece; `flush` wakes it for fewer.
  private static let enoughPieces = 2

  // Invariant: the monitor guards everything that changes. The thread owns the file until everything is written. A piece belongs
  // to one thread at a time: to the one that wrote it until it is queued, and then to the one that took it from the queue.
  private let monitor = Monitor()
  /// There are pieces to write, or no more will come.
  private let work = Monitor.Condition()
  /// A piece was written, or cannot be written.
  private let progress = Monitor.Condition()
  private let file: any RunOutput
  private var pieces: [OutputPiece] = []
  /// The memory of the pieces that were written.
  private var idle: [OutputPiece] = []
  private var isWriting = false
  private var failure: (any Error)?
  private var isOver = false

  init(_ file: any RunOutput) {
    self.file = file
    if !WorkerThread.start({ self.writePieces() }) {
      failure = SystemError.noThread("write the output")
    }
  }

  /// Queues bytes to be written, as soon as there is room.
  ///
  /// - Parameter take: Returns the bytes with their memory, which is the queue's from then on; it gets other memory for them.
  /// - Throws: The error of an earlier write.
  func write(_ take: (_ leaving: OutputPiece) -> OutputPiece) throws {
    let empty = try monitor.withLock {
      while pieces.count >= Self.mostPieces, failure == nil { monitor.wait(for: progress) }
      if let failure { throw failure }
      return idle.popLast()
    }
    let piece = take(empty ?? OutputPiece())
    let isEnough = monitor.withLock {
      pieces.append(piece)
      return pieces.count >= Self.enoughPieces
    }
    if isEnough { work.signal() }
  }

  /// Waits until everything is written.
  ///
  /// - Throws: The error of a write.
  func flush() throws {
    work.signal()
    try monitor.withLock {
      while !pieces.isEmpty || isWriting, failure == nil { monitor.wait(for: progress) }
      if let failure { throw failure }
    }
  }

  /// No more pieces come: the thread ends.
  func end() {
    monitor.withLock { isOver = true }
    work.signal()
  }

  private func writePieces() {
    while let piece = takePiece() {
      do {
        try file.write(UnsafeRawBufferPointer(piece.bytes))
        piece.clear()
        giveBack(piece)
      } catch {
        monitor.withLock {
          failure = error
          progress.signal()
        }
        return
      }
    }
  }

  private func giveBack(_ piece: OutputPiece) {
    monitor.withLock {
      isWriting = false
      idle.append(piece)
      progress.signal()
    }
  }

  private func takePiece() -> OutputPiece? {
    monitor.withLock {
      while pieces.isEmpty, !isOver { monitor.wait(for: work) }
      if pieces.isEmpty { return nil }
      isWriting = true
      return pieces.removeFirst()
    }
  }
}
