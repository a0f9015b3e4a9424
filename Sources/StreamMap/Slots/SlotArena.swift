/// Memory for the half-built values of open containers, given and taken back in the order of a stack.
///
/// It grows by blocks that never move, so that pointers into it stay good until they are given back, and keeps its
/// blocks for the next record.
final class SlotArena {
  /// A point to go back to.
  struct Mark: BitwiseCopyable {
    fileprivate var block: Int
    fileprivate var used: Int
  }

  // Invariant: `blocks[...block]` are in use, `used` bytes of the last of them. Offsets are multiples of 16, the
  // alignment of each block.
  private var blocks: [UnsafeMutableRawBufferPointer] = []
  private var block = 0
  private var used = 0

  static let alignment = 16

  init() {
    blocks.append(.allocate(byteCount: 4096, alignment: Self.alignment))
  }

  deinit {
    for block in blocks { block.deallocate() }
  }

  var mark: Mark { Mark(block: block, used: used) }

  /// Uninitialised memory for `size` bytes, aligned to 16.
  func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    let rounded = (size + Self.alignment - 1) & ~(Self.alignment - 1)
    while true {
      let current = blocks[block]
      if used + rounded <= current.count, let base = current.baseAddress {
        defer { used += rounded }
        return base + used
      }
      block += 1
      used = 0
      if block == blocks.count || blocks[block].count < rounded {
        // A kept block that is too small is passed over for a new one put in its place in the order.
        blocks.insert(
          .allocate(byteCount: max(rounded, current.count * 2), alignment: Self.alignment),
          at: block)
      }
    }
  }

  /// Gives back everything.
  func releaseAll() {
    block = 0
    used = 0
  }

  /// Gives back all that was allocated since the mark.
  ///
  /// The values in it must be gone already.
  func release(to mark: Mark) {
    block = mark.block
    used = mark.used
  }
}
