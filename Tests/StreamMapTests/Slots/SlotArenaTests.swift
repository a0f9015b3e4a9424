import Testing

@testable import StreamMap

@Suite struct SlotArenaTests {
  @Test func `memory is aligned and keeps its bytes while the arena grows`() {
    let arena = SlotArena()
    let sizes = (0..<600).map { $0 % 50 == 49 ? 70_000 : $0 % 97 }
    let places = sizes.enumerated().map { number, size in
      let memory = arena.allocate(size)
      memory.initializeMemory(as: UInt8.self, repeating: UInt8(number % 251), count: size)
      return UnsafeRawBufferPointer(start: memory, count: size)
    }
    for (number, place) in places.enumerated() {
      #expect(Int(bitPattern: place.baseAddress) % SlotArena.alignment == 0)
      #expect(place.allSatisfy { $0 == UInt8(number % 251) })
    }
  }

  @Test func `released memory is lent again`() {
    let arena = SlotArena()
    let first = arena.allocate(40)
    let second = arena.allocate(1)
    arena.release(second)
    #expect(arena.allocate(100) == second)
    arena.release(first)
    #expect(arena.allocate(8) == first)
    arena.releaseAll()
    #expect(arena.allocate(3) == first)
  }

  @Test func `memory of an earlier block is released with all blocks after it`() {
    let arena = SlotArena()
    let first = arena.allocate(16)
    let large = arena.allocate(100_000)
    _ = arena.allocate(1_000_000)
    arena.release(first)
    #expect(arena.allocate(16) == first)
    // The blocks are kept: the same memory comes again.
    #expect(arena.allocate(100_000) == large)
  }

  @Test func `a kept block that is too small is not lent for more than it holds`() {
    let arena = SlotArena()
    _ = arena.allocate(10_000)
    let small = arena.allocate(20_000)
    arena.releaseAll()
    _ = arena.allocate(10_000)
    let large = arena.allocate(2_000_000)
    large.initializeMemory(as: UInt8.self, repeating: 1, count: 2_000_000)
    #expect(large != small)
    let other = arena.allocate(20_000)
    other.initializeMemory(as: UInt8.self, repeating: 2, count: 20_000)
    #expect(UnsafeRawBufferPointer(start: large, count: 2_000_000).allSatisfy { $0 == 1 })
  }
}
