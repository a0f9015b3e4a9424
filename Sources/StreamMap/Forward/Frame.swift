/// One open container of the record, as the machine sees it.
///
/// The stack of frames is the JSON path. It is turned into text only when an error is made.
struct Frame: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// The next value goes to one node: the record itself, or one of several fields of a value.
    case target
    /// Only paths go through the next value: one of several fields of a value.
    case pathEntry
    /// An object mapping over the members (or elements) that its paths name.
    case object
    /// An object mapping with fields that take its whole source.
    case wholeObject
    /// A step of paths inside an object mapping; it has no value of its own.
    case path
    case array
    case dictionary
    case transform
    /// The next value goes to one node, the chosen alternative; its outcome is also that of the mapping that chose.
    case chosen
  }

  /// Who takes the next value, as far as the kind of frame tells.
  // PERF: combines `kind` and `isArray`, because each value asks for both.
  enum Next: UInt8, BitwiseCopyable {
    /// The place `pending`.
    case member
    /// An array's element.
    case element
    case elsewhere
  }

  var kind: Kind
  var next = Next.elsewhere
  /// For object, path: the value is an array, and its elements are found by index.
  var isArray = false
  /// For array: an element failed, or there are too many; for dictionary: there are too many, or a key is not allowed.
  ///
  /// For object: a key is not allowed.
  var hasFailed = false
  /// For target: how the value ended.
  var outcome = Outcome.failed
  /// For object: the kind of the value, if its mapping takes no such values, and only its condition is asked.
  var misfit: JSONKind?
  /// The node being built; none in a path frame.
  var node: Int32 = -1
  /// For object, path, pathEntry: the place that the frame stands for.
  var place: Int32 = -1
  /// For object, path: the place of the current member or element; -1 if no field wants it; -2 if it is collected with
  /// the other members that are not the source of a field.
  ///
  /// For dictionary: -4 if the current member is skipped because its key occurred before.
  var pending: Int32 = -1
  /// For object, path: the field being filled; -1 if there is none.
  var field: Int32 = -1
  /// For object, path: which key is likely to come next.
  var guess: Int32 = 0
  /// For path: the index of the frame of its object mapping.
  ///
  /// For object: its own index.
  var owner: Int32 = -1
  /// How many errors there were before the container, and before the current element.
  var errorsBefore = ErrorLog.Mark()
  var elementErrorsBefore = ErrorLog.Mark()
  /// For array: how many elements are made but not yet appended.
  var staged: Int32 = 0
  /// For array, and for object and path over an array: the index of the current element.
  ///
  /// For dictionary: how many members came before. For object over members: the number of collected members, minus one.
  var index = 0
  /// For dictionary, and for object at keys that no field names: where the current key lies in the machine's key bytes.
  var keyStart = 0
  var keyEnd = 0
  /// Where the value goes.
  var destination: UnsafeMutableRawPointer
  /// For object and path: the object's slots.
  ///
  /// For array, dictionary: the half-built collection. For transform: the inner value. The arena owns this memory, and
  /// gets it back with the frame; only a path frame does not give it back.
  var slots: UnsafeMutableRawPointer
  /// For array and dictionary: the current element's slot.
  var element: UnsafeMutableRawPointer
  /// Where the container starts in the feed.
  var start: FeedToken
}

/// How a value ended.
///
/// The raw values are those of `SlotState`.
enum Outcome: UInt8, BitwiseCopyable {
  /// There is no value, and none is required.
  case left = 0
  /// The slot holds a value.
  case filled = 1
  /// There is no value.
  case failed = 2
  /// For a patch: the slot holds a substitute for an absent value.
  case standsIn = 3
  /// For a field with several sources: the same as the first three, because of a null.
  case leftByNull = 4
  case filledByNull = 5
  case failedByNull = 6
  /// There is no value, which is an error, but only because of absent or null values.
  ///
  /// It is an outcome of paths, of parts, and of alternatives that are all absent: the mapping's default stands in for it.
  case absent = 8
  case absentByNull = 12
  /// There is no value, because a condition leaves it out.
  case omitted = 16

  /// The same, because of a null.
  var ofNull: Outcome { Outcome(rawValue: rawValue | SlotState.ofNull) ?? self }
  /// Whether there is no value although one is required.
  var isFailure: Bool { self == .failed || self == .absent || self == .omitted }
  /// Whether there is no value only because it, or what it lacks, is not there.
  var isLacking: Bool { self == .absent || self == .omitted }
}

/// The frames, in memory that is read and changed in place.
///
/// A frame stays where it is until it is popped, also while others are pushed: values are made inside of others, and so are the documents
/// in their texts. So memory is added in segments, each as large as all before it.
///
/// PERF: a class of plain words, like `SlotArena` and `OutputBuffer`. A structure inside the machine would be checked
/// for exclusive access at each call (6 % of the time of a typed feed).
final class FrameStack {
  private struct Segment {
    let base: UnsafeMutablePointer<Frame>
    let capacity: Int
    /// The index of its first frame.
    let start: Int
  }

  private var segments: [Segment]
  private var current = 0
  // Those of the current segment. Invariant: the frames of the segments before it are initialised, and those from `base` to `top`, at
  // least one of them; there is room up to `last`.
  private var base: UnsafeMutablePointer<Frame>
  private var last: UnsafeMutablePointer<Frame>
  private var start = 0
  /// The innermost frame; valid until it is popped.
  private(set) var top: UnsafeMutablePointer<Frame>

  private static let firstCapacity = 32

  /// Makes the stack with its outermost frame, which stays.
  init(_ outermost: Frame) {
    base = .allocate(capacity: Self.firstCapacity)
    last = base + (Self.firstCapacity - 1)
    top = base
    top.initialize(to: outermost)
    segments = [Segment(base: base, capacity: Self.firstCapacity, start: 0)]
  }

  deinit {
    for segment in segments { segment.base.deallocate() }
  }

  /// A frame by its index, counted from the outermost; valid until it is popped.
  @inline(__always)
  subscript(index: Int) -> UnsafeMutablePointer<Frame> {
    index >= start ? base + (index &- start) : earlier(index)
  }

  @inline(never)
  private func earlier(_ index: Int) -> UnsafeMutablePointer<Frame> {
    var number = current
    while segments[number].start > index { number -= 1 }
    return segments[number].base + (index - segments[number].start)
  }

  /// The number of frames.
  @inline(__always)
  var count: Int {
    // PERF: unsigned, so that the division is a shift.
    Int((UInt(bitPattern: top) &- UInt(bitPattern: base)) / UInt(MemoryLayout<Frame>.stride))
      &+ start &+ 1
  }

  /// Whether only the outermost frame is left.
  @inline(__always)
  var isOutermost: Bool { top == base && start == 0 }

  // PERF: an autoclosure, so that the frame is made in its final place, if there is room for it.
  @inline(__always)
  func push(_ frame: @autoclosure () -> Frame) {
    if top == last {
      let frame = frame()
      addSegment()
      top = base
      top.initialize(to: frame)
      return
    }
    let new = top + 1
    new.initialize(to: frame())
    top = new
  }

  /// Removes the innermost frame, which must have been pushed.
  @inline(__always)
  func pop() {
    if top == base { leaveSegment() } else { top -= 1 }
  }

  @inline(never)
  private func addSegment() {
    let segment = segments[current]
    let start = segment.start + segment.capacity
    current += 1
    if current == segments.count {
      // As many as there are: twice as many altogether.
      segments.append(
        Segment(base: .allocate(capacity: start), capacity: start, start: start))
    }
    use(segments[current])
  }

  @inline(never)
  private func leaveSegment() {
    guard current > 0 else { return }
    current -= 1
    use(segments[current])
    top = last
  }

  private func use(_ segment: Segment) {
    base = segment.base
    last = base + (segment.capacity - 1)
    start = segment.start
  }
}
