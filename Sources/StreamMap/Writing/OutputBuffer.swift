/// Bytes that are being written: the buffer grows, can be truncated, and keeps its memory.
///
/// Plain memory instead of an array: an append on a hot path is only a bounds check and a copy, and ranges of the
/// buffer can be moved.
final class OutputBuffer {
  // Invariant: `count <= capacity`, and `start..<start + count` is initialised.
  private var start: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int
  /// How many values lately needed little of the memory of an outsized one; and after how many it is released.
  private var smallValues = 0
  private static let mostSmallValues = 8

  init(capacity: Int = 1024) {
    self.capacity = max(capacity, 64)
    start = .allocate(capacity: self.capacity)
  }

  deinit {
    start.deallocate()
  }

  /// All bytes; valid until the buffer changes.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  /// The bytes of a range inside the buffer; valid until the buffer changes.
  func slice(_ from: Int, _ to: Int) -> UnsafeBufferPointer<UInt8> {
    let from = min(max(from, 0), count)
    return UnsafeBufferPointer(start: start + from, count: max(min(to, count), from) - from)
  }

  @inline(__always)
  func append(_ byte: UInt8) {
    if count == capacity { grow(1) }
    start[count] = byte
    count += 1
  }

  @inline(__always)
  func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    if capacity - count < bytes.count { grow(bytes.count) }
    (start + count).update(from: base, count: bytes.count)
    count += bytes.count
  }

  func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  /// Appends bytes between quotes.
  @inline(__always)
  func append(inQuotes bytes: UnsafeBufferPointer<UInt8>) {
    if capacity - count < bytes.count &+ 2 { grow(bytes.count &+ 2) }
    start[count] = UInt8(ascii: "\"")
    if let base = bytes.baseAddress {
      (start + count + 1).update(from: base, count: bytes.count)
    }
    start[count &+ bytes.count &+ 1] = UInt8(ascii: "\"")
    count += bytes.count &+ 2
  }

  /// Appends a whole number.
  func append(decimal number: UInt64) {
    var rest = number
    var count = 1
    while rest >= 10 {
      rest /= 10
      count += 1
    }
    append(upTo: count) { room in
      var rest = number
      for place in stride(from: count - 1, through: 0, by: -1) {
        room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      return count
    }
  }

  /// Appends a range of the buffer itself.
  func appendSlice(_ from: Int, _ to: Int) {
    let length = max(min(to, count) - max(from, 0), 0)
    if capacity - count < length { grow(length) }
    (start + count).update(from: start + max(from, 0), count: length)
    count += length
  }

  /// Calls `body` with room for at least `needed` bytes after the end; `body` returns how many it wrote.
  @inline(__always)
  func append(upTo needed: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    if capacity - count < needed { grow(needed) }
    let written = body(start + count)
    count += min(max(written, 0), needed)
  }

  /// Lets `body` write after the end: it gets the memory, how many bytes are used and how many there are, and returns how many are
  /// used then.
  @inline(__always)
  func extend(_ body: (UnsafeMutablePointer<UInt8>, Int, Int) -> Int) {
    count = min(max(body(start, count, capacity), count), capacity)
  }

  /// Makes room, at least for as much again as there is.
  func makeRoom() { grow(capacity) }

  /// How many bytes can be appended before it grows.
  var room: Int { capacity - count }

  /// Replaces the last byte.
  func replaceLast(with byte: UInt8) {
    if count > 0 { start[count - 1] = byte }
  }

  /// Whether the text from an offset on is null.
  func isNull(from start: Int) -> Bool {
    count - start == 4 && slice(start, start + 1).first == UInt8(ascii: "n")
  }

  /// Drops everything after `end`.
  func truncate(to end: Int) {
    count = min(max(end, 0), count)
  }

  /// Removes a range; the bytes after it move up.
  func remove(_ from: Int, _ to: Int) {
    let from = min(max(from, 0), count)
    let to = min(max(to, from), count)
    (start + from).update(from: start + to, count: count - to)
    count -= to - from
  }

  /// Drops everything, and releases the extra memory of an outsized value after several that need little of it.
  func clear() {
    if capacity > 1 << 20 { release() }
    count = 0
  }

  // PERF: of large values, one follows the other. To get their memory again for each took longer than to map them.
  @inline(never)
  private func release() {
    smallValues = count < capacity / 8 ? smallValues + 1 : 0
    if smallValues < Self.mostSmallValues { return }
    smallValues = 0
    start.deallocate()
    capacity = 1 << 16
    start = .allocate(capacity: capacity)
  }

  private func grow(_ needed: Int) {
    capacity = max(capacity * 2, count + needed)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }
}
