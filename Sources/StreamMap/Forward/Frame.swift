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

  /// Whose value the next one is, as far as the kind of frame tells.
  // PERF: what `kind` and `isArray` say together, for each value asks it.
  enum Next: UInt8, BitwiseCopyable {
    /// That of the place `pending`.
    case member
    /// That of an array's element.
    case element
    case elsewhere
  }

  var kind: Kind
  var next = Next.elsewhere
  /// Of object, path: the value is an array, its elements are found by index.
  var isArray = false
  /// Of array: an element failed, or there are too many; of dictionary: there are too many, or a key is not allowed.
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
  ///
  /// Of dictionary: -4 where the current member is passed over, for its key occurred before.
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
  /// Of array, dictionary: the half-built collection. Of transform: the inner value. All but a path's are the arena's, and
  /// given back to it with the frame.
  var slots: UnsafeMutableRawPointer
  /// Of array and dictionary: the current element's slot.
  var element: UnsafeMutableRawPointer
  /// Where the container starts in the feed.
  var start: SourceAddress
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
  /// Of a patch: its slot holds what stands in for a value that was not there.
  case standsIn = 3
  /// Of a field with several sources: the same as the first three, because of a null.
  case leftByNull = 4
  case filledByNull = 5
  case failedByNull = 6
  /// There is no value, and that is an error, for nothing but what is absent or null.
  case absent = 8
  case absentByNull = 12

  /// The same, because of a null.
  var ofNull: Outcome { Outcome(rawValue: rawValue | SlotState.ofNull) ?? self }
  /// Whether there is no value, and one is missed.
  var isFailure: Bool { self == .failed || self == .absent }
}

/// The frames, in memory that is read and changed in place.
///
/// PERF: a class with plain words in it, as are `SlotArena` and `OutputBuffer`: a structure inside the machine would be
/// checked for exclusive access at each call (6 % of the time of a typed feed).
final class FrameStack {
  // Invariant: the frames from `base` to `top` are initialised, of which there is at least one; there is room up to `last`.
  private var base: UnsafeMutablePointer<Frame>
  private var last: UnsafeMutablePointer<Frame>
  /// The innermost frame; valid until the next push.
  private(set) var top: UnsafeMutablePointer<Frame>

  /// Frames with the outermost one, which stays.
  init(_ outermost: Frame) {
    let capacity = 32
    base = .allocate(capacity: capacity)
    last = base + (capacity - 1)
    top = base
    top.initialize(to: outermost)
  }

  deinit {
    base.deallocate()
  }

  /// A frame by its index, counted from the outermost; valid until the next push.
  @inline(__always)
  subscript(index: Int) -> UnsafeMutablePointer<Frame> { base + index }

  /// How many there are.
  @inline(__always)
  var count: Int {
    // PERF: without signs, so that it is a shift.
    Int((UInt(bitPattern: top) &- UInt(bitPattern: base)) / UInt(MemoryLayout<Frame>.stride)) &+ 1
  }

  /// Whether there is but the outermost one.
  @inline(__always)
  var isOutermost: Bool { top == base }

  // PERF: the frame is made when there is room for it, so that it is made where it is to be.
  @inline(__always)
  func push(_ frame: @autoclosure () -> Frame) {
    if top == last { grow() }
    let new = top + 1
    new.initialize(to: frame())
    top = new
  }

  /// Only of a frame that was pushed.
  @inline(__always)
  func pop() { top -= 1 }

  @inline(never)
  private func grow() {
    let count = count
    let larger = UnsafeMutablePointer<Frame>.allocate(capacity: count * 2)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    last = base + (count * 2 - 1)
    top = base + (count - 1)
  }
}
