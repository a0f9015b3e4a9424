/// Memory for texts while they are changed: two buffers, written by turns.
///
/// Not thread-safe. Invariant: what a caller is given stays valid until two more texts are written, or the room is gone.
package final class TextRoom {
  /// Bytes that are being written.
  package final class Bytes {
    // Invariant: `count <= capacity`, and `start..<start + count` is initialised.
    // PERF: one user at a time, so there is nothing for the runtime to check at each append.
    @exclusivity(unchecked) private var start: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private var capacity: Int
    @exclusivity(unchecked) package fileprivate(set) var count = 0

    fileprivate init() {
      capacity = 256
      start = .allocate(capacity: capacity)
    }

    deinit {
      start.deallocate()
    }

    /// What was written.
    package var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    package func append(_ byte: UInt8) {
      if count == capacity { grow(1) }
      start[count] = byte
      count &+= 1
    }

    package func append(_ bytes: UnsafeBufferPointer<UInt8>) {
      guard let base = bytes.baseAddress else { return }
      if capacity &- count < bytes.count { grow(bytes.count) }
      (start + count).update(from: base, count: bytes.count)
      count &+= bytes.count
    }

    /// Appends as many bytes as `body` writes, which is given room for so many.
    @inline(__always)
    func append(_ needed: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
      if capacity &- count < needed { grow(needed) }
      body(start + count)
      count &+= needed
    }

    /// Appends as many bytes as `body` says that it wrote; it is given room for so many.
    @inline(__always)
    func append(upTo most: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
      if capacity &- count < most { grow(most) }
      count &+= body(start + count)
    }

    /// Appends two hexadecimal digits for each byte, in lower case.
    package func append(hex bytes: UnsafeBufferPointer<UInt8>) {
      append(2 &* bytes.count) { room in
        var digits = room
        for byte in bytes {
          digits[0] = HexDigit.lower(byte >> 4)
          digits[1] = HexDigit.lower(byte & 15)
          digits += 2
        }
      }
    }

    /// Appends a byte so many times.
    package func append(_ byte: UInt8, times count: Int) {
      if count > 0 { append(count) { $0.update(repeating: byte, count: count) } }
    }

    package func append(_ bytes: [UInt8]) {
      bytes.withUnsafeBufferPointer { append($0) }
    }

    private func grow(_ needed: Int) {
      capacity = max(capacity * 2, count + needed)
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      larger.update(from: start, count: count)
      start.deallocate()
      start = larger
    }

    /// Starts again, and releases the memory of an outsized text.
    fileprivate func clear() {
      count = 0
      if capacity > 1 << 20 {
        start.deallocate()
        capacity = 256
        start = .allocate(capacity: capacity)
      }
    }
  }

  private let buffers = (Bytes(), Bytes())
  @exclusivity(unchecked) private var usesFirst = false

  package init() {}

  /// An empty buffer for the next text: not the one that the last text is in.
  package func next() -> Bytes {
    usesFirst.toggle()
    let buffer = usesFirst ? buffers.0 : buffers.1
    buffer.clear()
    return buffer
  }
}
