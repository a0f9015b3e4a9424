import StreamMap
import StreamMapCompression

/// Buffers that tell what becomes of them.
final class TestBuffers: AsyncSequence, AsyncIteratorProtocol, @unchecked Sendable {
  struct Failure: Error {}

  enum End {
    case plain
    case failure
  }

  // Invariant: one task goes through it.
  private var make: (Int) -> [UInt8]?
  private let end: End
  /// How many buffers were asked for.
  private(set) var asked = 0

  /// Buffers that a closure makes of their numbers, from 0 up, and how they end.
  init(end: End = .plain, _ make: @escaping (Int) -> [UInt8]?) {
    self.make = make
    self.end = end
  }

  /// Bytes in pieces of a size.
  convenience init(_ bytes: [UInt8], size: Int, end: End = .plain) {
    self.init(end: end) { number in
      let start = number * size
      return start < bytes.count ? Array(bytes[start..<Swift.min(start + size, bytes.count)]) : nil
    }
  }

  func next() async throws -> [UInt8]? {
    // As buffers of a network do: an endless feed leaves its thread to other tasks, too.
    await Task.yield()
    asked += 1
    if let buffer = make(asked - 1) { return buffer }
    if end == .failure { throw Failure() }
    return nil
  }

  func makeAsyncIterator() -> TestBuffers { self }
}

/// What a sequence of buffers gives until its end or an error.
struct Outcome {
  var bytes: [UInt8] = []
  /// The size of the largest buffer.
  var largest = 0
  var error: (any Error)?

  var decompressionError: DecompressionError? { error as? DecompressionError }
}

func outcome<Buffers: AsyncSequence>(of buffers: Buffers) async -> Outcome
where Buffers.Element: FeedBuffer {
  var outcome = Outcome()
  do {
    for try await buffer in buffers {
      buffer.withFeedBytes { bytes in
        outcome.bytes += bytes
        outcome.largest = max(outcome.largest, bytes.count)
      }
    }
  } catch {
    outcome.error = error
  }
  return outcome
}

func compressed(_ bytes: [UInt8], _ format: CompressionFormat) throws -> [UInt8] {
  let compressor = try Compressor(format)
  return try bytes.withUnsafeBytes { bytes throws(Compressor.NoMemory) in
    try compressor.compressed(bytes)
  }
}
