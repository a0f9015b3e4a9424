import Foundation

/// The command's peak memory on feeds of several sizes, which are written into its standard input.
enum Memory {
  static let name = "memory"

  struct Result: Codable {
    let shape: String
    let megabytes: Int
    let records: Int
    let peak: Int
  }

  /// Measures lines and one document, of 20 MB and of `largest`.
  static func measure(_ bench: Workbench, largest: Int) throws -> [Result] {
    let feed = try MappedFile(path: bench.feed(Tweets7.feed))
    var results: [Result] = []
    for isDocument in [false, true] {
      for megabytes in [20, largest] {
        results.append(try measure(feed, bench, megabytes, isDocument))
      }
    }
    return results
  }

  private static func measure(
    _ feed: MappedFile, _ bench: Workbench, _ megabytes: Int, _ isDocument: Bool
  ) throws -> Result {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw BenchmarkError("no pipe") }
    // Otherwise the command would also hold the writing end, and never see the end of its input.
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    let writer = FeedWriter(
      descriptor: ends[1], feed: feed, size: megabytes * 1_000_000, isDocument: isDocument)
    Thread.detachNewThread { writer.write() }
    let output = Workbench.temporary("memory")
    defer { unlink(output) }
    let arguments =
      [bench.streamMap, "-m", bench.mapping("tweets7.map.yaml")]
      + (isDocument ? ["--records", "$.statuses[*]"] : [])
    defer { close(ends[0]) }
    let peak = try Command(arguments: arguments).peak(descriptor: ends[0], output: output)
    var records = 0
    for _ in try MappedFile(path: output).lines { records += 1 }
    return Result(
      shape: isDocument ? "document" : "lines", megabytes: megabytes, records: records,
      peak: peak)
  }
}

/// Writes a feed's lines over and over into a pipe.
private struct FeedWriter: @unchecked Sendable {
  let descriptor: Int32
  // The feed is only read, and stays mapped as long as any copy of this lives.
  let feed: MappedFile
  let size: Int
  let isDocument: Bool

  func write() {
    defer { close(descriptor) }
    var buffer: [UInt8] = isDocument ? Array(#"{"statuses":["#.utf8) : []
    var written = 0
    var isFirst = true
    while written < size {
      for line in feed.lines where written < size {
        if isDocument && !isFirst { buffer.append(UInt8(ascii: ",")) }
        isFirst = false
        buffer += line
        if !isDocument { buffer.append(0x0A) }
        written += line.count + 1
        if buffer.count >= 1 << 18, !flush(&buffer) { return }
      }
    }
    if isDocument { buffer += Array("]}\n".utf8) }
    _ = flush(&buffer)
  }

  private func flush(_ buffer: inout [UInt8]) -> Bool {
    var start = 0
    while start < buffer.count {
      let count = buffer.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress.map { $0 + start }, buffer.count - start)
      }
      guard count > 0 else { return false }
      start += count
    }
    buffer.removeAll(keepingCapacity: true)
    return true
  }
}
