/// Memory for the half-built values of open containers, allocated and released in stack order.
///
/// It grows by blocks that never move, so pointers into it stay valid until they are released, and it keeps its blocks
/// for the next record.
final class SlotArena {
  // Invariant: `blocks[...block]` are in use; the last of them, `base..<limit`, is in use up to `next`. All of these
  // are multiples of 16.
  private var blocks: [UnsafeMutableRawBufferPointer] = []
  private var block = 0
  private var base: UnsafeMutableRawPointer
  private var limit: UnsafeMutableRawPointer
  private var next: UnsafeMutableRawPointer

  static let alignment = 16

  init() {
    let size = 16384
    base = .allocate(byteCount: size, alignment: Self.alignment)
    limit = base + size
    next = base
    blocks.append(UnsafeMutableRawBufferPointer(start: base, count: size))
  }

  deinit {
    for block in blocks { block.deallocate() }
  }

  /// Uninitialised memory for `size` bytes, aligned to 16.
  @inline(__always)
  func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    let rounded = (size &+ (Self.alignment &- 1)) & ~(Self.alignment &- 1)
    if rounded > limit - next { nextBlock(for: rounded) }
    let memory = next
    next += rounded
    return memory
  }

  @inline(never)
  private func nextBlock(for size: Int) {
    block += 1
    if block == blocks.count || blocks[block].count < size {
      // A kept block that is too small is moved back, and a new one takes its place in the order.
      let count = max(size, (limit - base) * 2)
      blocks.insert(.allocate(byteCount: count, alignment: Self.alignment), at: block)
    }
    enter(block)
  }

  /// Continues at the start of a block.
  // PERF: outlined, because the array is checked for exclusive access.
  @inline(never)
  private func enter(_ block: Int) {
    self.block = block
    guard let start = blocks[block].baseAddress else { return }
    base = start
    limit = start + blocks[block].count
    next = start
  }

  /// Releases everything.
  func releaseAll() {
    if block != 0 { enter(0) }
    next = base
  }

  /// Releases this memory and everything that was allocated after it.
  ///
  /// The values in it must have been destroyed.
  @inline(__always)
  func release(_ memory: UnsafeMutableRawPointer) {
    // Memory of no bytes may be the end of one block or the start of the next: either is fine.
    while memory < base || memory > limit, block > 0 { enter(block - 1) }
    next = memory
  }
}
