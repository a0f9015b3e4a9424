/// The path to the value being sent, for errors; it becomes text only in an error.
final class ReversePath {
  enum Part: BitwiseCopyable {
    case place(Int32)
    case element(Int)
    /// The key is the one at this index of `keys`.
    case member(Int)
  }

  // PERF: plain memory, because an array is checked for exclusive access at run time at each part. Invariant: `count <=
  // capacity`, and `start..<start + count` is initialised.
  private var start: UnsafeMutablePointer<Part>
  private var count = 0
  private var capacity = 32
  private var keys: [String] = []
  /// How many objects and arrays are open around the value being sent.
  var depth = 0
  /// The depth from which on another stack is used.
  var stackEnd = ReversePath.levelsOnStack
  /// A level takes some kilobytes in a debug build, and threads of Apple's systems have half a megabyte.
  static let levelsOnStack = 32

  init() {
    start = .allocate(capacity: capacity)
  }

  deinit {
    start.deallocate()
  }

  @inline(__always)
  func append(_ part: Part) {
    if count == capacity { grow() }
    start[count] = part
    count += 1
  }

  @inline(__always)
  func removeLast() {
    if count > 0 { count -= 1 }
  }

  func append(_ key: String) {
    append(.member(keys.count))
    keys.append(key)
  }

  /// Removes the last part, which must be a key.
  func removeKey() {
    keys.removeLast()
    removeLast()
  }

  func components(_ plan: PlanTables) -> [JSONPath.Component] {
    UnsafeBufferPointer(start: start, count: count).compactMap { part in
      switch part {
      case .place(let place): plan.steps[Int(place)]
      case .element(let index): .index(index)
      case .member(let index): .key(keys[index])
      }
    }
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Part>.allocate(capacity: capacity * 2)
    larger.initialize(from: start, count: count)
    start.deallocate()
    start = larger
    capacity *= 2
  }
}
