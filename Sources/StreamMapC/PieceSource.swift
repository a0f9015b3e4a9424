import CStreamMap

/// What a callback reads: pieces of the caller's, which are copied to where the library has room.
final class PieceSource {
  typealias Read = @convention(c) (UnsafeMutableRawPointer?) -> UnsafePointer<streammap_piece>?

  private let next: Read
  private let context: UnsafeMutableRawPointer?
  // Invariant: of the last piece, which is valid until the next one is asked for.
  private var rest = UnsafeRawBufferPointer(start: nil, count: 0)

  init(_ next: @escaping Read, _ context: UnsafeMutableRawPointer?) {
    self.next = next
    self.context = context
  }

  /// Fills the start of the memory; returns how many bytes there are, 0 at the end, less where reading fails.
  func read(into room: UnsafeMutableRawBufferPointer) -> Int {
    if rest.isEmpty {
      guard let piece = next(context)?.pointee, piece.length == 0 || piece.bytes != nil,
        let length = Int(exactly: piece.length)
      else { return -1 }
      rest = UnsafeRawBufferPointer(start: piece.bytes, count: length)
    }
    let count = min(room.count, rest.count)
    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    return count
  }
}
