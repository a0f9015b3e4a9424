/// One open container of the record, as the machine sees it.
///
/// The stack of frames is the JSON path: it is turned into text only when an error is made.
struct Frame: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// The next value goes to one node: the record itself, or one taker of a value that has several.
    case target
    /// The next value is walked by paths only: one taker of a value that has several.
    case pathEntry
    /// An object mapping over the members (or elements) that its paths name.
    case object
    /// An object mapping with fields that take its whole source.
    case wholeObject
    /// A step of paths inside an object mapping: it has no value of its own.
    case path
    case array
    case dictionary
    case transform
    /// The next value goes to one node, the alternative that was chosen, whose outcome is the chooser's.
    case chosen
  }

  var kind: Kind
  /// Of object, path: the value is an array, its elements are found by index.
  var isArray = false
  /// Of array: an element failed, or there are too many; of dictionary: there are too many.
  ///
  /// Of object: a key is not allowed.
  var hasFailed = false
  /// Of target: how it ended.
  var outcome = Outcome.failed
  /// The node being built; of path: none.
  var node: Int32 = -1
  /// Of object, path, pathEntry: the place the frame stands for.
  var place: Int32 = -1
  /// Of object, path: the place of the current member or element, -1 where no one wants it, -2 where it is collected with others
  /// that no field has for its source.
  var pending: Int32 = -1
  /// Of object, path: the field being filled, -1 where none is.
  var field: Int32 = -1
  /// Of object, path: which key is likely to come next.
  var guess: Int32 = 0
  /// Of path: the frame of the object mapping it belongs to.
  ///
  /// Of object: itself.
  var owner: Int32 = -1
  /// How many errors there were before the container, and before the current element.
  var errorsBefore: Int32 = 0
  var elementErrorsBefore: Int32 = 0
  /// Of array: how many elements are made that are not yet appended.
  var staged: Int32 = 0
  /// Of array, and of object and path over an array: the index of the current element.
  ///
  /// Of dictionary: how many members came before. Of object over members: how many were collected, less one.
  var index = 0
  /// Of dictionary, and of object for keys that no field names: where the current key lies in the machine's key bytes.
  var keyStart = 0
  var keyEnd = 0
  /// Where the value goes.
  var destination: UnsafeMutableRawPointer
  /// Of object and path: the object's slots.
  ///
  /// Of array, dictionary: the half-built collection. Of transform: the inner value.
  var slots: UnsafeMutableRawPointer
  /// Of array and dictionary: the current element's slot.
  var element: UnsafeMutableRawPointer
  /// Where the arena stood before the frame.
  var mark: SlotArena.Mark
  /// Where the container starts in the feed.
  var start: SourceAddress
}

extension UnsafeMutablePointer<Frame> {
  /// Whether the next value's place is known: `pending`.
  // PERF: of the pointer, so that the frame is not copied to ask it.
  @inline(__always)
  var isOverMembers: Bool {
    (pointee.kind == .object || pointee.kind == .path) && !pointee.isArray
  }
}

/// How a value ended.
///
/// The raw values are those of `SlotState`.
enum Outcome: UInt8, BitwiseCopyable {
  /// There is no value, and none is missed.
  case left = 0
  /// Its slot holds a value.
  case filled = 1
  /// There is no value.
  case failed = 2
}

/// The frames, in memory that is read and changed in place.
///
/// PERF: a class with plain words in it, as are `SlotArena` and `OutputBuffer`: a structure inside the machine would be
/// checked for exclusive access at each call (6 % of the time of a typed feed).
final class FrameStack {
  // Invariant: the first `count` frames are initialised; `count <= capacity`; `top` is the last of them, the one before the
  // first where there is none.
  private var base: UnsafeMutablePointer<Frame>
  private var capacity = 32
  private(set) var count = 0
  /// The innermost frame.
  ///
  /// Only while there is one; valid until the next push.
  private(set) var top: UnsafeMutablePointer<Frame>

  init() {
    base = .allocate(capacity: capacity)
    top = base - 1
  }

  deinit {
    base.deallocate()
  }

  /// A frame by its index, counted from the outermost; valid until the next push.
  @inline(__always)
  subscript(index: Int) -> UnsafeMutablePointer<Frame> { base + index }

  @inline(__always)
  func push(_ frame: Frame) {
    if count == capacity { grow() }
    top += 1
    top.initialize(to: frame)
    count += 1
  }

  @inline(__always)
  func pop() {
    top -= 1
    count -= 1
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Frame>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    top = base + (count - 1)
    capacity *= 2
  }
}
