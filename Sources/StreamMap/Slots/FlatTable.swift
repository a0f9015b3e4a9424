/// A read-only table in its own memory, so that reading it costs one load.
final class FlatTable<Element: BitwiseCopyable>: @unchecked Sendable {
  // Invariant: written only in `init`.
  let start: UnsafePointer<Element>
  let count: Int

  init(_ elements: [Element]) {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
    memory.initialize(from: elements, count: elements.count)
    start = UnsafePointer(memory)
    count = elements.count
  }

  deinit {
    start.deallocate()
  }

  /// Only for indices that the plan's own tables contain.
  @inline(__always)
  subscript(index: Int32) -> UnsafePointer<Element> { start + Int(index) }
}
