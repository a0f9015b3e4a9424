import Foundation
import StreamMap

/// Writes output from its own thread, so that mapping need not wait for the reader, up to a few pieces.
final class OutputQueue: @unchecked Sendable {
  private static let mostPieces = 4

  // Invariant: the monitor guards everything that changes. The thread owns the file until everything is written.
  private let monitor = Monitor()
  /// There is a piece to write, or no more will come.
  private let work = Monitor.Condition()
  /// A piece was written, or cannot be written.
  private let progress = Monitor.Condition()
  private let file: any RunOutput
  private var pieces: [[UInt8]] = []
  /// The memory of the pieces that were written.
  private var idle: [[UInt8]] = []
  private var isWriting = false
  private var failure: (any Error)?
  private var isOver = false

  init(_ file: any RunOutput) {
    self.file = file
    let thread = Thread { self.writePieces() }
    thread.name = "output"
    thread.start()
  }

  /// Queues bytes to be written.
  ///
  /// - Throws: The error of an earlier write.
  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    if bytes.isEmpty { return }
    try monitor.withLock {
      while pieces.count >= Self.mostPieces, failure == nil { monitor.wait(for: progress) }
      if let failure { throw failure }
      var piece = idle.popLast() ?? []
      piece.append(contentsOf: bytes)
      pieces.append(piece)
      work.signal()
    }
  }

  /// Waits until everything is written.
  ///
  /// - Throws: The error of a write.
  func flush() throws {
    try monitor.withLock {
      while !pieces.isEmpty || isWriting, failure == nil { monitor.wait(for: progress) }
      if let failure { throw failure }
    }
  }

  /// No more pieces come: the thread ends.
  func end() {
    monitor.withLock {
      isOver = true
      work.signal()
    }
  }

  private func writePieces() {
    while var piece = takePiece() {
      do {
        try piece.withUnsafeBytes { try file.write($0) }
        piece.removeAll(keepingCapacity: true)
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

  private func giveBack(_ piece: [UInt8]) {
    monitor.withLock {
      isWriting = false
      idle.append(piece)
      progress.signal()
    }
  }

  private func takePiece() -> [UInt8]? {
    monitor.withLock {
      while pieces.isEmpty, !isOver { monitor.wait(for: work) }
      if pieces.isEmpty { return nil }
      isWriting = true
      return pieces.removeFirst()
    }
  }
}
