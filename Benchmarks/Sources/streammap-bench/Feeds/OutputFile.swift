import Foundation

/// A file that is written in large pieces.
final class OutputFile {
  private let handle: FileHandle
  private var buffer: [UInt8] = []
  /// Bytes written so far.
  private(set) var count = 0

  init(path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let handle = FileHandle(forWritingAtPath: path)
    else { throw BenchmarkError("cannot write \(path)") }
    self.handle = handle
  }

  func write(_ bytes: some Collection<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    count += bytes.count
    if buffer.count >= 1 << 20 { try flush() }
  }

  func close() throws {
    try flush()
    try handle.close()
  }

  private func flush() throws {
    try handle.write(contentsOf: buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}

/// The reason why a benchmark cannot run.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
