import Foundation
import StreamMap

/// Writes output from a thread of its own, so that mapping need not wait for whoever takes it, up to a few pieces.
final class OutputQueue: @unchecked Sendable {
  private static let mostPieces = 4

  // Invariant: what changes is guarded by the monitor. The file is the thread's until all is written.
  private let monitor = Monitor()
  /// There is a piece to be written, or nothing more comes.
  private let work = Monitor.Condition()
  /// A piece is written, or cannot be.
  private let progress = Monitor.Condition()
  private let file: OutputFile
  private var pieces: [[UInt8]] = []
  /// The memory of those that are written.
  private var idle: [[UInt8]] = []
  private var isWriting = false
  private var failure: (any Error)?
  private var isOver = false

  init(_ file: OutputFile) {
    self.file = file
    let thread = Thread { self.writePieces() }
    thread.name = "output"
    thread.start()
  }

  /// Hands bytes over to be written.
  ///
  /// - Throws: What an earlier write failed with.
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

  /// Waits until all is written.
  ///
  /// - Throws: What a write failed with.
  func flush() throws {
    try monitor.withLock {
      while !pieces.isEmpty || isWriting, failure == nil { monitor.wait(for: progress) }
      if let failure { throw failure }
    }
  }

  /// Nothing more comes: the thread ends.
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
