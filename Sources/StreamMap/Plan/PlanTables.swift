// The compiled form of a mapping: flat tables of plain words. An event costs a few loads, and handling it counts no
// references in the tables.
//
// Nodes are named by their index, so recursion needs no cycle of references.

/// What happens to a value at one place of the mapping.
struct PlanNode: BitwiseCopyable {
  var opcode: Opcode
  /// For a scalar.
  var scalar = ScalarType.any
  /// Whether the builder alone makes the value, from one token, and the value has no rules.
  // PERF: combines everything that the machine has to ask about each scalar.
  var isPlainScalar = false
  /// Whether it is an array of such scalars, none of them Optional: see `ArrayMaker`.
  var isPlainArray = false
  /// For an object: whether its fields may be made where they are in the object.
  var isMadeInPlace = false
  var storesOptional: Bool
  /// For an array: whether an element without a value is left out, instead of making the array fail.
  var omitsElements: Bool
  /// For a dictionary: what happens to a member whose key occurred before.
  var duplicateKeys = DuplicateKeyPolicy.last
  /// For a whole sub-tree: whether it becomes a `JSONValue`, either here or where a rule, a condition or a function looks at it.
  var becomesTree = false
  /// For firstOf: whether the errors of earlier alternatives are kept as issues.
  var reportsEarlier: Bool = false
  /// For transform: whether its code looks at the issues of the value.
  var seesIssues: Bool = false
  /// Whether a formula reads it: then any value will do, and only limits make it fail.
  var isOperand: Bool = false
  var absent: PlanAction
  var null: PlanAction
  var invalid: PlanAction
  /// The element's, member's or inner node; of an object the index in `Plan.objects`; of a dispatch the index in
  /// `Plan.dispatches`; of firstOf the index of the first alternative in `Plan.alternatives`.
  var child: Int32
  /// For firstOf: the number of alternatives; for rewritten: the second node.
  var second: Int32 = -1
  /// The node that encodes the value, if it is another one; else -1.
  var reverse: Int32 = -1
  /// For a transform of plain strings: the index of the result for each text whose result is known.
  ///
  /// The plan keeps it alive.
  var literalTable: Unmanaged<KeyTable>?
  /// The rules for values: a range of `Plan.checks`.
  var firstCheck: Int32 = 0
  var checkCount: Int32 = 0
  /// The index of rarely used data in `Plan.details`.
  var detail: Int32
  /// For a scalar: what is asked besides its type.
  ///
  /// The plan keeps it alive.
  var options: Unmanaged<ScalarOptions>?
  /// The typed part.
  ///
  /// The plan keeps it alive. Nil in plans for output records.
  var operations: Unmanaged<ValueOperations>?
}

/// A policy's action.
struct PlanAction: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case fail, useNil, substitute, take, leave
    /// For null, in a field with several sources: the action of another node, unless another source has a value.
    case contested
  }

  var kind: Kind
  var isReported: Bool
  /// For null, of an object with a condition: whether the condition is asked first.
  var isAsked = false
  /// For `substitute`: the index in `Plan.substitutes`; for `contested`: the other node.
  var substitute: Int32
}

/// An object mapping: a range of fields and a tree of places.
struct PlanObject: BitwiseCopyable {
  var firstField: Int32
  var fieldCount: Int32
  /// The fields with several sources: a range of `Plan.contests`.
  ///
  /// For each source after the first there is one more field, with its own slot, after the others.
  var firstContest: Int32 = 0
  var contestCount: Int32 = 0
  var otherSourceCount: Int32 = 0
  /// After those, the fields that are not written: what formulas read, and the cases of others.
  var hiddenCount: Int32 = 0
  /// The fields that are made when the object ends: a range of `Plan.makings`.
  var firstMaking: Int32 = 0
  var makingCount: Int32 = 0
  /// The conditions without which the object is left out: one that is decided before the other fields matter, and one that
  /// looks at them; indices in `Plan.formulas`, -1 if there is none.
  var earlyCondition: Int32 = -1
  var lateCondition: Int32 = -1
  /// The place of the object itself; the places below follow it in depth-first order.
  var rootPlace: Int32
  var placeCount: Int32
  /// The layout of a frame's memory: the slots, then a state byte for each field, then one for each place.
  var statesOffset: Int32
  var seenOffset: Int32
  var frameSize: Int32
  var unknownKeys = UnknownKeyPolicy.ignore
  var duplicateKeys = DuplicateKeyPolicy.last
  /// The field that gets the members that are not the source of another field; -1 if there is none.
  var collector: Int32 = -1
  /// What it keeps of these members beside its fields: an index in `Plan.rests`; -1 if it keeps nothing.
  var rest: Int32 = -1
  /// The fields that the record tells something of itself: a range of `Plan.facts`.
  var firstFact: Int32 = 0
  var factCount: Int32 = 0
  /// The kinds of values that its fields take; its condition is asked about all values.
  var takes = PlanKinds()
  /// Nil if the object is not a patch.
  var patch: AbsentUpdate?
  /// Whether the object tells the machine that a part of it was there.
  var notesParts = false
  /// Whether its fields stand for one value: if everything that it lacks is absent, the value is absent, too.
  var isTransparent = false
  /// Whether it takes objects only, and only the members that its fields name.
  // PERF: combines everything that the machine has to ask about each object.
  var isPlain = false

  var hasFormulas: Bool { makingCount > 0 || earlyCondition >= 0 || lateCondition >= 0 }

  /// The fields that are not written.
  var hiddenFields: Range<Int32> {
    let first = firstField + fieldCount + otherSourceCount
    return first..<first + hiddenCount
  }

  var wantsUnknownKeys: Bool { unknownKeys != .ignore || keepsUnknown }
  var keepsUnknown: Bool { collector >= 0 || rest >= 0 }
}

/// Which kinds of values the fields of an object take.
struct PlanKinds: BitwiseCopyable {
  var objects = true
  var arrays = false
  /// Whether a field takes the value as a whole, whatever it is.
  var all = false

  func contains(_ kind: JSONKind) -> Bool {
    all || (kind == .object && objects) || (kind == .array && arrays)
  }
}

/// A field: what it becomes, and where its slot and its state byte are in its object's frame.
struct PlanField: BitwiseCopyable {
  var node: Int32
  var offset: Int32
  var state: Int32 = 0
  /// How it is made when its object ends: an index in `Plan.makings`; -1 if it comes from its source.
  var making: Int32 = -1
}

/// A formula, and the fields that it reads: a range of `Plan.formulaFields` as long as the formula's sources.
struct PlanFormula: BitwiseCopyable {
  /// The plan keeps it alive.
  let formula: Unmanaged<Formula>
  let firstField: Int32
}

/// A field that is made when its object ends.
struct PlanMaking: BitwiseCopyable {
  let field: Int32
  /// What calculates it; -1 if a condition chooses it among cases.
  let formula: Int32
  /// A range of `Plan.cases`.
  let firstCase: Int32
  let caseCount: Int32
}

/// A field that another field gets its value from if the condition holds.
struct PlanCase: BitwiseCopyable {
  /// An index in `Plan.formulas`; -1 for a case that always holds.
  let condition: Int32
  let field: Int32
}

/// A field whose value is what the record tells of itself.
struct PlanFact: BitwiseCopyable {
  var field: Int32
  var fact: RecordFact
}

/// A field with several sources: it gets the value of the first source that has one.
struct PlanContest: BitwiseCopyable {
  var field: Int32
  /// The fields for its other sources.
  var firstOther: Int32
  var otherCount: Int32

  /// The field for the first source, and the fields for the others.
  subscript(number: Int32) -> Int32 { number == 0 ? field : firstOther + number - 1 }
}

/// A place below an object mapping's source: the end of a field's path, or a step on it, or both.
struct PlanPlace: BitwiseCopyable {
  /// What the byte of a place says while its object is open.
  enum Seen {
    static let no: UInt8 = 0
    static let yes: UInt8 = 1
    /// The place occurred, and a member in it is not allowed.
    static let withUnknownKey: UInt8 = 2
  }

  /// What a member is besides the source of fields.
  enum Role: UInt8, BitwiseCopyable {
    case named
    // No field takes it, so that it is kept beside the fields, or collected, whatever looks at it.
    // If something looks at it, its value is recorded, and given to both.
    case kept
    // It is not kept, because the mapping says so.
    case dropped
  }

  /// The places of members; nil if no path goes into an object here.
  ///
  /// The plan keeps it alive.
  var keys: Unmanaged<KeyTable>?
  /// The places of elements: a range of `Plan.elements`, in the order of their indices.
  var firstElement: Int32
  var elementCount: Int32
  /// The fields that end here: a range of `Plan.placeFields`.
  var fieldStart: Int32
  var fieldCount: Int32
  /// The fields that end here or below: a range of `Plan.placeFields` that starts at the same point.
  var subtreeFieldCount: Int32
  /// The number of places from this one to the last one below it; they follow each other.
  var subtreePlaceCount: Int32
  /// The object it belongs to.
  var object: Int32
  /// The place above it; -1 for the root of an object.
  var parent: Int32
  var role = Role.named
  /// Whether members without a place are unknown here: of the object itself, or of one that only paths go through.
  var asksKeys = false
  // PERF: what most places need for their only field, in the place itself.
  /// The field that ends here, if there is exactly one and no path continues; else -1.
  var onlyField: Int32 = -1
  var onlyNode: Int32 = -1
  /// The same field if it is a plain scalar; else -1.
  var onlyScalar: Int32 = -1
  /// Offsets from the start of the object's frame: the slot and the state byte of that field, and the byte that tells
  /// whether the place occurred.
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
