import CText

/// Decodes the escapes of JSON strings (RFC 8259, section 7), one string at a time.
final class StringDecoder {
  // Invariant: `room` has this many bytes; without it, there are none.
  private var capacity = 0
  private var room: UnsafeMutablePointer<UInt8>?
  private let largest: Int

  /// - Parameter largest: Longer strings are not decoded, because they would leave large memory behind.
  init(largest: Int = 1 << 20) {
    self.largest = largest
  }

  deinit {
    room?.deallocate()
  }

  /// The string whose content, without its quotes, this is; nil if an escape is wrong, or the string is very long.
  ///
  /// Valid until the next call of any method.
  ///
  /// - Complexity: O(*n*) in the bytes.
  func decoded(_ content: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    guard content.count <= largest else { return nil }
    let room = self.room(of: content.count)
    return Self.decode(content, into: room).map { UnsafeBufferPointer(start: room, count: $0) }
  }

  /// Releases the memory of a very long string.
  func trim() {
    if capacity <= 1 << 20 { return }
    room?.deallocate()
    room = nil
    capacity = 0
  }

  private func room(of count: Int) -> UnsafeMutablePointer<UInt8> {
    if let room, count <= capacity { return room }
    room?.deallocate()
    capacity = max(count, 2 * capacity, 1024)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    room = larger
    return larger
  }

  /// Writes the string whose content, without its quotes, this is.
  ///
  /// - Parameters:
  ///   - content: As written.
  ///   - room: Has at least as many bytes, none of them in common.
  /// - Returns: how many bytes were written; nil if an escape is wrong or half of a surrogate pair.
  /// - Complexity: O(*n*) in the bytes.
  static func decode(
    _ content: UnsafeBufferPointer<UInt8>, into room: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    guard let start = content.baseAddress else { return 0 }
    return sm_unescape(start, content.count, room).map { $0 - room }
  }
}
