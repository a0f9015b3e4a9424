import StreamMap
import StreamMapCompression
import StreamMapPlatform

/// Output on its way to its file: the threads of a pool compress and write it, so that the thread that takes the records need not.
///
/// It has no thread of its own, which would take turns with those that map. Several threads compress pieces; one at a time writes, in the
/// order in which they came. If more wait than a few pieces, who brings the next one helps.
final class OutputQueue: PooledWork, @unchecked Sendable {
  /// How many pieces make it worth to ask a thread; what is left, `flush` does.
  // PERF: a thread that is woken for each piece costs more than the piece.
  private static let enoughPieces = 2
  /// A piece of so many bytes is worth a thread by itself.
  private static let largePiece = 1 << 20
  /// How many bytes may wait after the piece that is written, or written next: a batch of columns is a large piece.
  private static let mostBytes = 8 << 20

  /// A piece in the queue.
  private final class Entry {
    enum State {
      case new
      /// A thread compresses it, and owns it.
      case inWork
      case ready
    }

    let piece: OutputPiece
    var state: State
    /// What is written in its place; nil for the piece as it is.
    var compressed: [UInt8]?

    init(_ piece: OutputPiece, isReady: Bool) {
      self.piece = piece
      state = isReady ? .ready : .new
    }
  }

  /// What a thread can do.
  private enum Step {
    /// With a compressor, if one is idle.
    case compress(Entry, OutputPreparation, Compressor?)
    case finish(Entry)
  }

  // Invariant: the monitor guards everything that changes. Who has set `isWriting` owns the file until it is unset. A piece belongs to one
  // thread at a time: to the one that made it until it is queued, and then to the one that took a step for it.
  private let monitor = Monitor()
  /// A step is done, or there was a failure.
  private let progress = Monitor.Condition()
  private let file: any RunOutput
  private let preparation: OutputPreparation?
  private let pool: WorkerPool
  private let mostPieces: Int
  private var entries: [Entry] = []
  /// The memory of the pieces that were written.
  private var idle: [OutputPiece] = []
  private var idleCompressors: [Compressor] = []
  private var isWriting = false
  /// How many turns the pool has been asked for that are still to come.
  private var turns = 0
  private var failure: (any Error)?

  init(_ file: any RunOutput, pool: WorkerPool) {
    self.file = file
    preparation = file.preparation
    self.pool = pool
    mostPieces = 2 * pool.threadCount + 2
  }

  /// Queues bytes to be written, as soon as there is room.
  ///
  /// - Parameter take: Returns the bytes with their memory, which is the queue's from then on; it gets other memory for them.
  /// - Throws: The error of an earlier step.
  func write(_ take: (_ leaving: OutputPiece) throws -> OutputPiece) throws {
    try advance(until: mostPieces - 1, Self.mostBytes)
    let entry = Entry(
      try take(monitor.withLock { idle.popLast() } ?? OutputPiece()), isReady: preparation == nil)
    let needsTurn = monitor.withLock {
      entries.append(entry)
      let most = preparation != nil ? pool.threadCount : isWriting ? 0 : 1
      let isEnough = entries.count >= Self.enoughPieces || entry.piece.count >= Self.largePiece
      guard isEnough, turns < most else { return false }
      turns += 1
      return true
    }
    if needsTurn { pool.add(self) }
  }

  /// Waits until everything is written.
  ///
  /// - Throws: The error of a step.
  func flush() throws { try advance(until: 0, 0) }

  /// Helps, or waits, until so many pieces are left that are not written, and so many bytes of those that wait.
  private func advance(until count: Int, _ bytes: Int) throws {
    while true {
      let (isEnough, step) = try monitor.withLock { () throws -> (Bool, Step?) in
        while true {
          // Who gets the failure may close the file.
          if let failure, !isWriting { throw failure }
          // PERF: who brings the next piece makes it while a thread that was asked comes for the first one.
          let first = isWriting ? nil : entries.first
          let waiting = entries.reduce(0) { $0 + $1.piece.count } - (first?.piece.count ?? 0)
          if failure == nil, entries.count + (isWriting ? 1 : 0) <= count, waiting <= bytes {
            return (true, nil)
          }
          if let step = takeStep() { return (false, step) }
          monitor.wait(for: progress)
        }
      }
      if isEnough { return }
      if let step { take(step) }
    }
  }

  /// Does what can be done now.
  func work() {
    monitor.withLock { turns -= 1 }
    while let step = monitor.withLock({ takeStep() }) { take(step) }
  }

  /// Writing comes first: it gives memory back.
  private func takeStep() -> Step? {
    if failure != nil { return nil }
    if !isWriting, let first = entries.first, first.state == .ready {
      isWriting = true
      return .finish(entries.removeFirst())
    }
    guard let preparation, let entry = entries.first(where: { $0.state == .new }) else {
      return nil
    }
    entry.state = .inWork
    return .compress(entry, preparation, idleCompressors.popLast())
  }

  private func take(_ step: Step) {
    do {
      switch step {
      case .compress(let entry, let preparation, let idle):
        let compressor = try idle ?? preparation.makeCompressor()
        let compressed = try compressor.compressed(UnsafeRawBufferPointer(entry.piece.bytes))
        monitor.withLock {
          entry.compressed = compressed
          entry.state = .ready
          idleCompressors.append(compressor)
          progress.broadcast()
        }
      case .finish(let entry):
        if let preparation, let compressed = entry.compressed {
          try compressed.withUnsafeBytes(preparation.writeCompressed)
        } else {
          try file.write(entry.piece)
        }
        entry.piece.clear()
        monitor.withLock {
          isWriting = false
          idle.append(entry.piece)
          progress.broadcast()
        }
      }
    } catch {
      monitor.withLock {
        if case .finish = step { isWriting = false }
        failure = failure ?? error
        progress.broadcast()
      }
    }
  }
}
