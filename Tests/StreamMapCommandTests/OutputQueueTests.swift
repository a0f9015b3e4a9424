import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapCommand

/// Output that waits to be written takes memory.
@Suite struct OutputQueueTests {
  /// Takes its time for each piece, and counts how many there are that it has not written.
  private final class SlowOutput: RunOutput, @unchecked Sendable {
    private let lock = NSCondition()
    private var pieces = (handed: 0, written: 0, most: 0)
    private(set) var text: [UInt8] = []
    var most: Int { lock.withLock { pieces.most } }
    var bytesWritten: Int { text.count }
    let needsThread = true
    let waits = false
    let gates: [WriteGate] = []
    let partialName: String? = nil
    let batchSize: Int? = nil
    let hasUncommitted = false
    let showsBatches = false
    let hasEnd = false
    let preparation: OutputPreparation? = nil

    func noteHanded() {
      lock.withLock {
        pieces.handed += 1
        pieces.most = max(pieces.most, pieces.handed - pieces.written)
      }
    }

    func write(_ piece: OutputPiece) throws {
      Thread.sleep(forTimeInterval: 0.01)
      text.append(piece.bytes[0])
      lock.withLock {
        pieces.written += 1
        lock.broadcast()
      }
    }

    /// Waits until so many pieces are written; false if no thread does that.
    func waits(forWritten count: Int) -> Bool {
      let deadline = Date(timeIntervalSinceNow: 120)
      return lock.withLock {
        while pieces.written < count { if !lock.wait(until: deadline) { return false } }
        return true
      }
    }

    func rest() throws {}
    func commit() throws {}
    func leave() {}
    func remains(checkpoint: String?) -> String? { nil }
    func has(_ beginning: Fingerprint?, extending whole: inout WholeDigest?) -> Bool { false }
    func start(after earlier: Checkpoint?) {}
    func savedFingerprint(extending whole: inout WholeDigest?) -> Fingerprint? { nil }
  }

  /// Writes pieces of a size; each has its number.
  private func write(
    _ count: Int, ofBytes size: Int, threads: Int,
    beforeEach: (SlowOutput, _ number: Int) -> Void = { _, _ in }
  ) throws -> SlowOutput {
    let output = SlowOutput()
    let queue = OutputQueue(output, pool: WorkerPool(threads: threads))
    for number in 0..<count {
      try queue.write { empty in
        beforeEach(output, number)
        output.noteHanded()
        let buffer = empty.buffer ?? OutputBuffer()
        buffer.append([UInt8](repeating: UInt8(number), count: size))
        return OutputPiece(buffer)
      }
    }
    try queue.flush()
    return output
  }

  @Test func `large pieces wait one at a time, however many threads there are`() throws {
    let output = try write(12, ofBytes: 5 << 20, threads: 8)
    #expect(output.text == Array(0..<12))
    // One is written, one waits, and one comes.
    #expect(output.most <= 3)
  }

  @Test
  func `a piece that is large by itself is written beside the thread that makes the next one`()
    throws
  {
    let output = try write(4, ofBytes: 9 << 20, threads: 1) { output, number in
      // Who makes this one does not write meanwhile.
      #expect(output.waits(forWritten: number))
    }
    #expect(output.text == Array(0..<4))
  }

  @Test func `many small pieces wait, and are written in their order`() throws {
    let output = try write(60, ofBytes: 1000, threads: 8)
    #expect(output.text == Array(0..<60))
    #expect(output.most > 3)
  }
}
