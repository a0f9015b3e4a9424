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

  // Invariant: `blocks[...block]` are in use, `used` bytes of the last of them, which is `base` and has room for
  // `capacity`. Offsets are multiples of 16, the alignment of each block.
  private var blocks: [UnsafeMutableRawBufferPointer] = []
  private var block = 0
  private var used = 0
  private var base: UnsafeMutableRawPointer
  private var capacity = 4096

  static let alignment = 16

  init() {
    base = .allocate(byteCount: capacity, alignment: Self.alignment)
    blocks.append(UnsafeMutableRawBufferPointer(start: base, count: capacity))
  }

  deinit {
    for block in blocks { block.deallocate() }
  }

  var mark: Mark { Mark(block: block, used: used) }

  /// Uninitialised memory for `size` bytes, aligned to 16.
  func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    let rounded = (size + Self.alignment - 1) & ~(Self.alignment - 1)
    if used + rounded > capacity { nextBlock(for: rounded) }
    defer { used += rounded }
    return base + used
  }

  private func nextBlock(for size: Int) {
    block += 1
    if block == blocks.count || blocks[block].count < size {
      // A kept block that is too small makes room for a new one in its place in the order.
      let count = max(size, capacity * 2)
      blocks.insert(.allocate(byteCount: count, alignment: Self.alignment), at: block)
    }
    enter(block, used: 0)
  }

  private func enter(_ block: Int, used: Int) {
    self.block = block
    self.used = used
    guard let start = blocks[block].baseAddress else { return }
    base = start
    capacity = blocks[block].count
  }

  /// Gives back everything.
  func releaseAll() {
    if block != 0 { enter(0, used: 0) }
    used = 0
  }

  /// Gives back all that was allocated since the mark.
  ///
  /// The values in it must be gone already.
  func release(to mark: Mark) {
    if block != mark.block { enter(mark.block, used: mark.used) }
    used = mark.used
  }
}
