/// Makes the machine's results: typed values in slots, or the bytes of an output record.
///
/// The machine decides what happens; the builder only makes and destroys values. The machine owns all addresses that it
/// passes: a destination is uninitialised memory of the size that the plan laid out, until the builder has stored a
/// value there.
///
/// Each builder says of everything here what it does; no method does nothing by default.
protocol Builder: AnyObject {
  /// Whether the machine tells the builder where records and objects begin, and when a record is over.
  var followsRecords: Bool { get }

  /// Says what the feeds may demand, before the first record.
  func keep(to limits: Limits)

  /// Makes a value from a token that is not null.
  func scalar(
    _ token: Token, as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) -> Verdict
  func storeNil(as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer)
  func store(
    substitute index: Int32, as node: UnsafePointer<PlanNode>,
    in destination: UnsafeMutableRawPointer
  )
  /// The sink for the events of a JSON value or of raw text, one value at a time.
  func beginJSON(as node: UnsafePointer<PlanNode>) -> EventSink
  /// Makes the value; all its events have been sent.
  func finishJSON(as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer)
  /// Discards the value.
  func abandonJSON()
  /// The sink for the events of a member that is kept beside the fields of the innermost object, one at a time; it is discarded
  /// as a JSON value is.
  func beginRest(_ key: UnsafeBufferPointer<UInt8>) -> EventSink
  /// The number of bytes of that member so far.
  var restSize: Int { get }
  /// The member is over.
  func finishRest()
  func destroy(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer)
  /// Destroys the value that was made last.
  func discard(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer)
  /// The rules of its mapping that the value breaks; nil if it breaks none.
  func failures(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer)
    -> [RuleFailure]?
  /// Moves a JSON value that a node made out of its slot.
  func takeJSON(as node: UnsafePointer<PlanNode>, from slot: UnsafeMutableRawPointer) -> JSONValue

  /// Sends the events of a JSON value that a node made, which is taken out of its slot.
  func replay(
    as node: UnsafePointer<PlanNode>, from slot: UnsafeMutableRawPointer, to sink: EventSink
  )

  /// The memory that a node's value takes where several values are stored side by side.
  func elementSize(of node: UnsafePointer<PlanNode>) -> Int
  /// The memory that a half-built collection takes.
  func collectionSize(of node: UnsafePointer<PlanNode>) -> Int
  /// How many elements of an array may be made side by side before they are appended.
  func stagedElements(of node: UnsafePointer<PlanNode>) -> Int
  func beginCollection(as node: UnsafePointer<PlanNode>, in scratch: UnsafeMutableRawPointer)
  /// A member's key, before its value; throws if the dictionary cannot have a member under it.
  func beginMember(
    _ key: UnsafeBufferPointer<UInt8>, as node: UnsafePointer<PlanNode>,
    in scratch: UnsafeMutableRawPointer
  ) throws
  /// Appends elements to an array, taking ownership; they are stored side by side.
  func append(
    _ elements: UnsafeMutableRawPointer, count: Int, as node: UnsafePointer<PlanNode>,
    to scratch: UnsafeMutableRawPointer
  )
  /// Moves a member into a dictionary; it replaces a member with the same key.
  ///
  /// - Returns: Whether it replaced a member of another key, which the dictionary cannot tell from this one. Also true, without
  ///   ``beginMember(_:as:in:)`` before, if the dictionary cannot have a member under the key.
  func insert(
    _ element: UnsafeMutableRawPointer, key: UnsafeBufferPointer<UInt8>,
    as node: UnsafePointer<PlanNode>,
    into scratch: UnsafeMutableRawPointer
  ) -> Bool
  /// Whether the keys of a dictionary are Swift's Strings; two of these may be equal though their code points differ.
  func hasStringKeys(as node: UnsafePointer<PlanNode>) -> Bool
  /// The current member has no value yet: only a later one with its key can be in its place.
  func holdPlace(of key: UnsafeBufferPointer<UInt8>, in scratch: UnsafeMutableRawPointer)
  /// The current element has no value.
  func dropElement(as node: UnsafePointer<PlanNode>, in scratch: UnsafeMutableRawPointer)
  /// Makes the collection; an array also takes its last elements.
  func finishCollection(
    _ scratch: UnsafeMutableRawPointer, appending elements: UnsafeMutableRawPointer, count: Int,
    as node: UnsafePointer<PlanNode>, into destination: UnsafeMutableRawPointer
  )
  /// Discards the collection, and the elements that were not yet appended.
  func abandonCollection(
    _ scratch: UnsafeMutableRawPointer, with elements: UnsafeMutableRawPointer, count: Int,
    as node: UnsafePointer<PlanNode>
  )

  /// The start of an object, before any of its fields.
  func beginObject(_ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer)
  /// Makes an object from its fields, taking ownership of them.
  func construct(
    _ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer,
    as node: UnsafePointer<PlanNode>,
    in destination: UnsafeMutableRawPointer
  )

  /// Whether a condition holds for the fields of an object that is over.
  func holds(_ condition: Int32, slots: UnsafeMutableRawPointer) throws(Formula.Fault) -> Bool

  /// What a formula makes of the fields of an object that is over.
  ///
  /// The result is valid until the next one.
  func value(of formula: Int32, slots: UnsafeMutableRawPointer) throws(Formula.Fault)
    -> FormulaValue

  /// Makes a patch from those fields of an object that are filled.
  func makePatch(
    _ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer,
    states: UnsafeMutablePointer<UInt8>, as node: UnsafePointer<PlanNode>, at place: Patch.Origin,
    in destination: UnsafeMutableRawPointer
  )

  /// Called when an object has no value; its fields' values are already destroyed.
  func abandonObject()

  /// Stores the transform's result for one of the texts whose results are known.
  func storeLiteral(
    _ index: Int32, as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  )

  /// Transforms the inner value, taking ownership of it.
  func transform(
    _ source: UnsafeMutableRawPointer, as node: UnsafePointer<PlanNode>,
    into destination: UnsafeMutableRawPointer
  ) throws

  /// Does the same with the issues of the inner value, for a node that looks at them.
  func transform(
    _ source: UnsafeMutableRawPointer, as node: UnsafePointer<PlanNode>,
    into destination: UnsafeMutableRawPointer, issues: inout ValueIssues
  ) throws

  /// A record begins; the previous record's value has been taken out.
  func beginRecord(_ record: RecordInformation)

  /// What the record tells of itself; nil if that is absent.
  func value(of fact: RecordFact) -> JSONValue?

  /// The record is over or discarded.
  func reset()

  /// The maker of elements from tokens without events; nil if there is none.
  func elementRuns(
    _ arena: SlotArena, _ layouts: UnsafePointer<ValueLayout>, limits: Limits
  ) -> ElementRuns?

  /// The maker of the same results from rows; nil if they cannot be made from rows.
  func rowMaker(limits: Limits) -> RowMaker?
}
