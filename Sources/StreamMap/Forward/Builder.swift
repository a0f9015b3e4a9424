/// What the machine builds with: typed values in slots, or the bytes of an output record.
///
/// The machine decides what happens; the builder only makes and unmakes. All addresses it is given are the machine's:
/// a destination is uninitialised memory of the size the plan laid out, until the builder has stored there.
class Builder {
  /// Whether it is to be told where records and objects begin, and that a record is over.
  let followsRecords: Bool

  init(followsRecords: Bool) {
    self.followsRecords = followsRecords
  }

  /// Makes a value from a token that is not null.
  func scalar(
    _ token: Token, as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) -> Verdict { .wrongType }
  func storeNil(as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer) {}
  func store(
    supply index: Int32, as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) {}
  /// Where the events of a JSON value or raw text go, one value at a time.
  func beginJSON(as node: UnsafePointer<PlanNode>) -> EventSink { EventSink() }
  /// Makes the value: its events are all there.
  func finishJSON(as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer) {}
  /// Throws it away.
  func abandonJSON() {}
  func destroy(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer) {}
  /// Ends the life of the value that was made last.
  func discard(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer) {
    destroy(as: node, in: slot)
  }
  /// How the value breaks its mapping's rules: each one that it breaks; nil where it keeps to all.
  func failures(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer)
    -> [RuleFailure]?
  { nil }
  /// Takes a JSON value out of a slot that a node made.
  func takeJSON(as node: UnsafePointer<PlanNode>, from slot: UnsafeMutableRawPointer) -> JSONValue {
    .null
  }

  /// The memory that a node's value takes where several lie side by side.
  func elementSize(of node: UnsafePointer<PlanNode>) -> Int { 0 }
  /// The memory that a half-built collection takes.
  func collectionSize(of node: UnsafePointer<PlanNode>) -> Int { 0 }
  /// How many elements of an array may be made side by side before they are appended.
  func stagedElements(of node: UnsafePointer<PlanNode>) -> Int { 1 }
  func beginCollection(as node: UnsafePointer<PlanNode>, in scratch: UnsafeMutableRawPointer) {}
  /// A member's key, before its value.
  func beginMember(_ key: UnsafeBufferPointer<UInt8>, in scratch: UnsafeMutableRawPointer) {}
  /// Takes elements of an array, which lie side by side.
  func append(
    _ elements: UnsafeMutableRawPointer, count: Int, as node: UnsafePointer<PlanNode>,
    to scratch: UnsafeMutableRawPointer
  ) {}
  func insert(
    _ element: UnsafeMutableRawPointer, key: UnsafeBufferPointer<UInt8>,
    as node: UnsafePointer<PlanNode>,
    into scratch: UnsafeMutableRawPointer
  ) {}
  /// The current element has no value.
  func dropElement(as node: UnsafePointer<PlanNode>, in scratch: UnsafeMutableRawPointer) {}
  /// Makes the collection; an array takes its last elements with that.
  func finishCollection(
    _ scratch: UnsafeMutableRawPointer, appending elements: UnsafeMutableRawPointer, count: Int,
    as node: UnsafePointer<PlanNode>, into destination: UnsafeMutableRawPointer
  ) {}
  /// Throws the collection away, and the elements that it has not taken.
  func abandonCollection(
    _ scratch: UnsafeMutableRawPointer, with elements: UnsafeMutableRawPointer, count: Int,
    as node: UnsafePointer<PlanNode>
  ) {}

  /// The start of an object, before any of its fields.
  func beginObject(_ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer) {}
  /// Makes an object from its fields, which it takes.
  func construct(
    _ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer,
    as node: UnsafePointer<PlanNode>,
    in destination: UnsafeMutableRawPointer
  ) {}

  /// Makes a patch from those of an object's fields that are filled.
  func makePatch(
    _ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer,
    states: UnsafeMutablePointer<UInt8>, as node: UnsafePointer<PlanNode>, at place: Patch.Place,
    in destination: UnsafeMutableRawPointer
  ) {}

  /// An object has no value; those of its fields are destroyed already.
  func abandonObject() {}

  /// Makes what a transform makes of one of the texts that it knows.
  func storeKnown(
    _ index: Int32, as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) {}

  /// Takes the inner value.
  func transform(
    _ source: UnsafeMutableRawPointer, as node: UnsafePointer<PlanNode>,
    into destination: UnsafeMutableRawPointer
  ) throws {}

  /// The same with the issues of the inner value, of a node that looks at them.
  func transform(
    _ source: UnsafeMutableRawPointer, as node: UnsafePointer<PlanNode>,
    into destination: UnsafeMutableRawPointer, issues: inout ValueIssues
  ) throws {}

  /// A record begins: the last one's value was taken out.
  func beginRecord(_ record: RecordInformation) {}

  /// The record is over or thrown away.
  func reset() {}
}

/// A scalar as it arrived.
struct Token {
  let kind: TokenKind
  let text: UnsafeBufferPointer<UInt8>
  let isTrue: Bool

  static var null: Token { Token(kind: .null) }

  init(
    kind: TokenKind, text: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0),
    isTrue: Bool = false
  ) {
    self.kind = kind
    self.text = text
    self.isTrue = isTrue
  }

  func emit(to sink: EventSink) {
    switch kind {
    case .number: sink.number(text)
    case .string: sink.string(text)
    case .bool: sink.bool(isTrue)
    case .null, .object, .array: sink.null()
    }
  }
}

/// What a builder says of a token.
enum Verdict {
  case made
  case wrongType
  /// The right kind of token, but not a value of the type.
  case invalid
  case outOfRange
}

/// What a record is told of itself.
struct RecordInformation {
  /// From 1 up.
  let number: Int
  /// Where it starts.
  let start: SourceAddress
  /// The values from outside it that its fields may ask for.
  var context: ContextValues?
}
