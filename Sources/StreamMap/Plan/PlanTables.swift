// The compiled form of a mapping: flat tables of plain words. An event costs a few loads; nothing in them is
// reference-counted on the way of an event.

/// What happens to a value at one place of the mapping.
struct PlanNode: BitwiseCopyable {
  enum Opcode: UInt8, BitwiseCopyable {
    // Scalars.
    case string, bool
    case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64
    case float, double, decimal, url, uuid, date
    case number, any
    // Sub-trees as a whole.
    case jsonValue, rawJSON
    // Containers.
    case array, dictionary, object
    // One value inside: made into another by code; made into another by a second mapping.
    case transform, rewritten
    // One of several.
    case firstOf, dispatch

    /// Whether a scalar is not made by the builder alone.
    var isBeyondScalars: Bool { rawValue >= Opcode.jsonValue.rawValue }
  }

  var opcode: Opcode
  /// Whether the builder alone makes the value, of a token, and it has no rules to keep to.
  // PERF: what the machine has to ask for each scalar, in one.
  var isPlainScalar = false
  var storesOptional: Bool
  /// Of an array: whether an element without a value is left out, instead of failing the array.
  var omitsElements: Bool
  /// Of a dictionary: what becomes of a member whose key occurred before.
  var duplicateKeys = DuplicateKeyRule.last
  /// Of a sub-tree as a whole: whether it becomes a `JSONValue`, here or where a rule, a condition or a function looks at it.
  var becomesTree = false
  /// Of firstOf: whether what the earlier alternatives said is kept as issues.
  var reportsEarlier: Bool = false
  /// Of transform: whether its code looks at the issues of the value.
  var seesIssues: Bool = false
  var absent: PlanAction
  var null: PlanAction
  var invalid: PlanAction
  /// The element's, member's or inner node; of an object its index in `Plan.objects`; of a dispatch in `Plan.dispatches`; of
  /// firstOf the first in `Plan.alternatives`.
  var child: Int32
  /// Of firstOf: how many alternatives; of rewritten: the second node.
  var second: Int32 = -1
  /// The node that takes the value back, where it is another one; else -1.
  var reverse: Int32 = -1
  /// Of a transform of plain strings: the index of what it makes of each text that it knows.
  ///
  /// The plan keeps it alive.
  var knownTexts: Unmanaged<KeyTable>?
  /// What values are held against: a range of `Plan.checks`.
  var firstCheck: Int32 = 0
  var checkCount: Int32 = 0
  /// Cold data: `Plan.details`.
  var detail: Int32
  /// The typed part.
  ///
  /// The plan keeps it alive. Nil in plans for output records.
  var operations: Unmanaged<ValueOperations>?
}

/// A policy's action.
struct PlanAction: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case fail, useNil, supply, take, leave
    /// Of null, in a field with several sources: what another node does, unless another source has a value.
    case contested
  }

  var kind: Kind
  var isReported: Bool
  /// Of `supply`: its index in `Plan.supplies`; of `contested`: the other node.
  var supply: Int32
}

/// An object mapping: a range of fields and a tree of places.
struct PlanObject: BitwiseCopyable {
  var firstField: Int32
  var fieldCount: Int32
  /// The fields with several sources: a range of `Plan.contests`.
  ///
  /// For each source besides the first there is one more field, with a slot of its own, behind the others.
  var firstContest: Int32 = 0
  var contestCount: Int32 = 0
  var otherSourceCount: Int32 = 0
  /// The place of the object itself; its places follow it in depth-first order.
  var rootPlace: Int32
  var placeCount: Int32
  /// The layout of a frame's memory: the slots, then a state byte for each field, then one for each place.
  var statesOffset: Int32
  var seenOffset: Int32
  var frameSize: Int32
  var unknownKeys = UnknownKeyRule.ignore
  var duplicateKeys = DuplicateKeyRule.last
  /// The field that the members go to that no other has for its source; -1 where there is none.
  var collector: Int32 = -1
  /// Nil where it is no patch.
  var patch: AbsentRule?
  /// Whether the machine is told that a part of it was there.
  var notesParts = false
  /// Whether its fields stand for one value: where all that it lacks is absent, so is that.
  var isTransparent = false
  /// Whether it takes objects only, and of them nothing but the members that its fields name.
  // PERF: what the machine has to ask of each object, in one.
  var isPlain = false

  var wantsUnknownKeys: Bool { unknownKeys != .ignore || collector >= 0 }
}

/// A field: what it becomes and where its slot and its state byte lie in its object's frame.
struct PlanField: BitwiseCopyable {
  var node: Int32
  var offset: Int32
  var state: Int32 = 0
}

/// A field with several sources: whichever has a value first, in their order, is the field's.
struct PlanContest: BitwiseCopyable {
  var field: Int32
  /// The fields that stand for its other sources.
  var firstOther: Int32
  var otherCount: Int32

  /// The field for the first source, and those for the others.
  subscript(number: Int32) -> Int32 { number == 0 ? field : firstOther + number - 1 }
}

/// A place below an object mapping's source: the end of a field's path, or a step on it, or both.
struct PlanPlace: BitwiseCopyable {
  /// The places of members; nil where no path goes into an object here.
  ///
  /// The plan keeps it alive.
  var keys: Unmanaged<KeyTable>?
  /// The places of elements: a range of `Plan.elements`, in the order of their indices.
  var firstElement: Int32
  var elementCount: Int32
  /// The fields that end here: a range of `Plan.takers`.
  var firstTaker: Int32
  var takerCount: Int32
  /// Those that end here or below: a range of `Plan.takers` that starts at the same point.
  var subtreeTakerCount: Int32
  /// This place and those below it, which follow it.
  var subtreePlaceCount: Int32
  /// The object it belongs to.
  var object: Int32
  /// The place above it; -1 for the root of an object.
  var parent: Int32
  // PERF: what the one field of most places needs, in the place itself.
  /// The field that ends here where there is just one and no path leads on; else -1.
  var onlyField: Int32 = -1
  var onlyNode: Int32 = -1
  /// The same where it is a plain scalar; else -1.
  var onlyScalar: Int32 = -1
  /// From the start of the object's frame: the slot and the state byte of that field; the byte that says whether the place
  /// occurred.
  var onlySlot: Int32 = 0
  var onlyState: Int32 = 0
  var seen: Int32 = 0

  var leadsOn: Bool { keys != nil || elementCount > 0 }
}

/// An element's index and its place.
struct PlanElement: BitwiseCopyable {
  var index: Int
  var place: Int32
}

/// A read-only table in memory of its own, so that reading it costs a load.
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

  /// Only with indices the plan's own tables hold.
  @inline(__always)
  subscript(index: Int32) -> UnsafePointer<Element> { start + Int(index) }
}
