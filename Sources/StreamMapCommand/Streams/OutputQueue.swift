import StreamMap
import StreamMapPlatform

/// Output on its way to its file: the threads of a pool write it, so that the thread that takes the records need not.
///
/// It has no thread of its own, which would take turns with those that map. If more waits than a few pieces, who brings the next one writes,
/// or waits for the one who does.
final class OutputQueue: PooledWork, @unchecked Sendable {
  private static let mostPieces = 4
  /// How many pieces make it worth to ask a thread to write; what is left, `flush` writes.
  // PERF: a thread that is woken for each piece costs more than the piece.
  private static let enoughPieces = 2

  // Invariant: the monitor guards everything that changes. Who has set `isWriting` owns the file until it is unset. A piece belongs to one
  // thread at a time: to the one that made it until it is queued, and then to the one that took it from the queue.
  private let monitor = Monitor()
  /// A piece was written, or cannot be written.
  private let progress = Monitor.Condition()
  private let file: any RunOutput
  private let pool: WorkerPool
  private var pieces: [OutputPiece] = []
  /// The memory of the pieces that were written.
  private var idle: [OutputPiece] = []
  private var isWriting = false
  /// Whether the pool has been asked for a turn that is still to come.
  private var hasTurn = false
  private var failure: (any Error)?

  init(_ file: any RunOutput, pool: WorkerPool) {
    self.file = file
    self.pool = pool
  }

  /// Queues bytes to be written, as soon as there is room.
  ///
  /// - Parameter take: Returns the bytes with their memory, which is the queue's from then on; it gets other memory for them.
  /// - Throws: The error of an earlier write.
  func write(_ take: (_ leaving: OutputPiece) -> OutputPiece) throws {
    let empty = try room()
    let piece = take(empty ?? OutputPiece())
    let needsTurn = monitor.withLock {
      pieces.append(piece)
      guard pieces.count >= Self.enoughPieces, !isWriting, !hasTurn else { return false }
      hasTurn = true
      return true
    }
    if needsTurn { pool.add(self) }
  }

  /// Makes room for a piece; returns memory for one, if there is any.
  private func room() throws -> OutputPiece? {
    while true {
      let isFull = try monitor.withLock {
        while pieces.count >= Self.mostPieces, isWriting, failure == nil {
          monitor.wait(for: progress)
        }
        if let failure { throw failure }
        return pieces.count >= Self.mostPieces
      }
      if !isFull { break }
      writePiece()
    }
    return monitor.withLock { idle.popLast() }
  }

  /// Waits until everything is written.
  ///
  /// - Throws: The error of a write.
  func flush() throws {
    while try isLeft() { writePiece() }
  }

  /// Whether there are pieces that another thread is not writing.
  private func isLeft() throws -> Bool {
    try monitor.withLock {
      while isWriting, failure == nil { monitor.wait(for: progress) }
      if let failure { throw failure }
      return !pieces.isEmpty
    }
  }

  /// Writes what is queued, unless another thread does so.
  func work() {
    monitor.withLock { hasTurn = false }
    while writePiece() {}
  }

  /// Writes the first piece; false if there is none, or another thread is writing.
  @discardableResult
  private func writePiece() -> Bool {
    let piece: OutputPiece? = monitor.withLock {
      if isWriting || pieces.isEmpty || failure != nil { return nil }
      isWriting = true
      return pieces.removeFirst()
    }
    guard let piece else { return false }
    do {
      try file.write(UnsafeRawBufferPointer(piece.bytes))
      piece.clear()
      monitor.withLock {
        isWriting = false
        idle.append(piece)
        progress.signal()
      }
      return true
    } catch {
      monitor.withLock {
        isWriting = false
        failure = error
        progress.signal()
      }
      return false
    }
  }
}
