import Foundation

/// Writes output from a thread of its own, so that mapping need not wait for whoever takes it, up to a few pieces.
final class OutputQueue: @unchecked Sendable {
  private static let mostPieces = 4

  // Invariant: what changes is guarded by the condition. The file is the thread's until all is written.
  private let condition = NSCondition()
  private let file: OutputFile
  private var pieces: [[UInt8]] = []
  /// The memory of those that are written.
  private var idle: [[UInt8]] = []
  private var isWriting = false
  private var failure: (any Error)?
  private var isOver = false

  init(_ file: OutputFile) {
    self.file = file
    let thread = Thread { self.work() }
    thread.name = "output"
    thread.start()
  }

  /// Hands bytes over to be written.
  ///
  /// - Throws: What an earlier write failed with.
  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    if bytes.isEmpty { return }
    condition.lock()
    defer { condition.unlock() }
    while pieces.count >= Self.mostPieces, failure == nil { condition.wait() }
    if let failure { throw failure }
    var piece = idle.popLast() ?? []
    piece.append(contentsOf: bytes)
    pieces.append(piece)
    condition.broadcast()
  }

  /// Waits until all is written.
  ///
  /// - Throws: What a write failed with.
  func flush() throws {
    condition.lock()
    defer { condition.unlock() }
    while !pieces.isEmpty || isWriting, failure == nil { condition.wait() }
    if let failure { throw failure }
  }

  /// Nothing more comes: the thread ends.
  func end() {
    condition.lock()
    isOver = true
    condition.broadcast()
    condition.unlock()
  }

  private func work() {
    while var piece = takePiece() {
      do {
        try piece.withUnsafeBytes { try file.write($0) }
        piece.removeAll(keepingCapacity: true)
        giveBack(piece)
      } catch {
        condition.lock()
        failure = error
        condition.broadcast()
        condition.unlock()
        return
      }
    }
  }

  private func giveBack(_ piece: [UInt8]) {
    condition.lock()
    defer { condition.unlock() }
    isWriting = false
    idle.append(piece)
    condition.broadcast()
  }

  private func takePiece() -> [UInt8]? {
    condition.lock()
    defer { condition.unlock() }
    while pieces.isEmpty, !isOver { condition.wait() }
    if pieces.isEmpty { return nil }
    isWriting = true
    condition.broadcast()
    return pieces.removeFirst()
  }
}
