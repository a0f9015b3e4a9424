import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What a subclass does not override does nothing, and compiles: so it is written down here for each class.
///
/// A function or property that is new in one of these base classes fails here until each subclass overrides it or is listed
/// with it.
@Suite("Overrides") struct OverrideTests {
  /// A class, and what it leaves to its base class: members, or sections of the base class as a whole.
  struct Inheritance: CustomTestStringConvertible {
    let name: String
    let inherited: Set<String>

    init(_ name: String, inherits: Set<String>) {
      self.name = name
      inherited = inherits
    }

    var testDescription: String { name }
  }

  static let sinks = [
    Inheritance("Machine", inherits: ["size", prepared]),
    Inheritance("ReceiverSink", inherits: ["size", prepared, ahead]),
    Inheritance("JSONValueBuilder", inherits: [prepared, ahead]),
    Inheritance("Tape", inherits: [prepared, ahead]),
    Inheritance("JSONWriter", inherits: [ahead]),
    Inheritance("IndentedJSONWriter", inherits: ["size", prepared, ahead]),
    Inheritance("DiscriminatorWriter", inherits: ["size", prepared, ahead]),
    Inheritance("MemberWriter", inherits: ["size", prepared, ahead]),
    Inheritance("DiscriminatorReader", inherits: ["size", prepared, ahead]),
    Inheritance("DroppingSink", inherits: [prepared, ahead]),
  ]
  private static let prepared = "key(_:PreparedKey)"
  /// Only the machine has a shorter way than events.
  private static let ahead = "takeAhead(_:to:from:)"
  private static let allButString: Set<String> = [
    "size", prepared, ahead, "null()", "bool(_:Bool)", number, "key(_:UnsafeBufferPointer<UInt8>)",
    "beginObject()", "endObject()", "beginArray()", "endArray()",
  ]
  private static let number = "number(_:UnsafeBufferPointer<UInt8>)"
  private static let string = "string(_:UnsafeBufferPointer<UInt8>)"

  static let operations = [
    // The base of the others: each knows its own Optional.
    Inheritance(
      "TypedOperations", inherits: ["optional()", "Collections", "Objects", "Transforms"]),
    Inheritance("ScalarOperations", inherits: ["Collections", "Objects", "Transforms"]),
    Inheritance(
      "ArrayOperations",
      inherits: [
        "hasStringKeys", "take(key:into:)", "insert(_:key:into:)", "forEachMember(_:_:)", "Objects",
        "Transforms",
      ]),
    Inheritance(
      "DictionaryOperations",
      inherits: [
        "take(key:into:)", "append(_:count:to:)", "withElements(_:_:)", "Objects", "Transforms",
      ]),
    Inheritance(
      "KeyedDictionaryOperations",
      inherits: [
        "hasStringKeys", "append(_:count:to:)", "withElements(_:_:)", "Objects", "Transforms",
      ]),
    Inheritance(
      "ObjectOperations",
      inherits: ["makePatch(_:offsets:states:at:into:)", "Collections", "Transforms"]),
    Inheritance(
      "PatchOperations",
      inherits: [
        "construct(_:offsets:into:)", "properties", "isMadeOfFields", "patched(makesWhole:by:)",
        "Collections", "Transforms",
      ]),
    Inheritance(
      "TransformOperations",
      inherits: ["process", "seesIssues", "transform(_:into:issues:)", "Collections", "Objects"]),
    Inheritance(
      "HookOperations",
      inherits: [
        "literals", "storeLiteral(_:in:)", "transform(_:into:)", "reverseTransform(_:_:)",
        "Collections", "Objects",
      ]),
    // It is the source of a hook alone, which is never nil.
    Inheritance(
      "HookSource",
      inherits: [
        "storeNil(_:UnsafeMutableRawPointer)", "optional()", "sameValue", "isMadeOfFields",
        "patched(makesWhole:by:)", "makePatch(_:offsets:states:at:into:)", "Collections",
        "Transforms",
      ]),
    // It is only read.
    Inheritance(
      "ChosenFields",
      inherits: [
        "destroy(_:UnsafeMutableRawPointer)", "storeNil(_:UnsafeMutableRawPointer)", "sameValue",
        "construct(_:offsets:into:)", "isMadeOfFields", "patched(makesWhole:by:)",
        "makePatch(_:offsets:states:at:into:)", "Collections", "Transforms",
      ]),
    // Their values are text: only the change is asked for.
    Inheritance("OutputOperations", inherits: transforms),
  ]
  private static let transforms: Set<String> = [
    "Any value", "Collections", "Objects", "Transforms",
  ]

  // The walk is the same for both; what it comes to is not.
  static let rowMakers = [
    Inheritance("ValueRowMaker", inherits: []), Inheritance("TextRowMaker", inherits: []),
  ]

  @Test(arguments: sinks + operations + rowMakers)
  func `a class overrides all that it is not known to inherit`(_ expected: Inheritance) throws {
    let classes = try ClassSource.engine.get()
    let own = try #require(classes[expected.name])
    let overridden = Set(own.members.filter(\.isOverride).map(\.name))
    let inherited = Self.inheritable(by: own, in: classes).filter { !overridden.contains($0.name) }
    let missing = inherited.filter {
      !expected.inherited.contains($0.name) && !expected.inherited.contains($0.section)
    }
    #expect(missing.map(\.name) == [])
    let unneeded = expected.inherited.subtracting(inherited.flatMap { [$0.name, $0.section] })
    #expect(unneeded == [])
  }

  @Test(arguments: [
    ("EventSink", sinks), ("ValueOperations", operations), ("RowMaker", rowMakers),
  ])
  func `each subclass is listed`(_ base: String, _ listed: [Inheritance]) throws {
    let classes = try ClassSource.engine.get()
    var known: Set = [base]
    while true {
      let more = classes.values.filter { $0.superclass.map(known.contains) ?? false }.map(\.name)
      if known.isSuperset(of: more) { break }
      known.formUnion(more)
    }
    #expect(known.subtracting([base]) == Set(listed.map(\.name)))
  }

  /// What the classes above a class declare and do not close.
  private static func inheritable(by own: ClassSource, in classes: [String: ClassSource])
    -> [ClassSource.Member]
  {
    guard let base = own.superclass.flatMap({ classes[$0] }) else { return [] }
    let closed = Set(base.members.filter(\.isFinal).map(\.name))
    return inheritable(by: base, in: classes).filter { !closed.contains($0.name) }
      + base.members.filter { !$0.isOverride && !$0.isFinal }
  }
}
