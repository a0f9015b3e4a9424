/// What encoding needs to know about a plan's fields and places, worked out once.
///
/// It is made when a plan first encodes. A property that is stored in its struct (`MemoryLayout.offset(of:)`) is read where it lies,
/// without a copy. Other properties (computed, observed, in a class) are read through their key paths, at some 1800 instructions
/// each in Swift 6.3.
final class ReverseTables: Sendable {
  /// Where the value of a field is in its object.
  struct Field: BitwiseCopyable {
    var node: Int32
    /// Its offset in the object; -1 if `properties` has to read it.
    var offset: Int32
  }

  struct Place: BitwiseCopyable {
    /// The key that leads here; nil for an element and for an object itself.
    var key: PreparedKey?
    /// The field that ends here, if there is exactly one, no path continues, and nil is left out; else -1.
    var onlyField: Int32
    /// Whether a field that ends here or below can never be nil.
    var isAlwaysHeld: Bool
    /// Whether a field that is written ends here or below; the fields for further sources of a field are not written.
    var isWritten: Bool
    /// The number of places from this one to the last one below it; they follow each other.
    var subtreePlaceCount: Int32
  }

  let plan: PlanTables
  /// Whether a field that is nil is written as null, instead of being left out.
  let writesNils: Bool
  /// How many levels of nesting a value may have: as many as are decoded.
  let mostLevels: Int
  let fields: FlatTable<Field>
  let places: FlatTable<Place>
  let properties: [PropertyAccess]
  // The keys' bytes. Invariant: written only in `init`.
  private nonisolated(unsafe) let bytes: UnsafeMutablePointer<UInt8>

  init(_ plan: PlanTables, mostLevels: Int, writesNils: Bool = false) {
    self.plan = plan
    self.mostLevels = mostLevels
    self.writesNils = writesNils
    properties = Self.properties(plan)
    fields = FlatTable(
      zip(properties.indices, properties).map { index, property in
        Field(
          node: plan.fields[Int32(index)].pointee.node,
          offset: property.offset.flatMap { Int32(exactly: $0) } ?? -1)
      })

    let text = OutputBuffer()
    var ends: [(text: Int, member: Int)] = []
    for step in plan.steps {
      if case .key(let key)? = step { text.append(Array(key.utf8)) }
      let textEnd = text.count
      if case .key(let key)? = step {
        text.append(UInt8(ascii: ","))
        JSONText.append(quoted: key, to: text)
        text.append(UInt8(ascii: ":"))
      }
      ends.append((textEnd, text.count))
    }
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count + PreparedKey.padding)
    bytes.initialize(repeating: 0, count: text.count + PreparedKey.padding)
    for (index, byte) in text.bytes.enumerated() { bytes[index] = byte }
    self.bytes = bytes

    var others: Set<Int32> = []
    for index in 0..<Int32(plan.contests.count) {
      let contest = plan.contests[index].pointee
      others.formUnion(contest.firstOther..<contest.firstOther + contest.otherCount)
    }
    let written = { (field: Int32) in !others.contains(field) }
    var start = 0
    var places: [Place] = []
    for (index, end) in ends.enumerated() {
      let place = plan.places[Int32(index)].pointee
      var key: PreparedKey?
      if end.member > start {
        key = PreparedKey(
          text: UnsafeBufferPointer(start: bytes + start, count: end.text - start),
          member: UnsafeBufferPointer(start: bytes + end.text, count: end.member - end.text))
      }
      start = end.member
      places.append(
        Place(
          key: key, onlyField: writesNils ? -1 : place.onlyField,
          isAlwaysHeld: Self.isAlwaysHeld(place, plan, written),
          isWritten: Self.fields(of: place, plan).contains(where: written),
          subtreePlaceCount: place.subtreePlaceCount))
    }
    self.places = FlatTable(places)
  }

  deinit {
    bytes.deallocate()
  }

  private static func properties(_ plan: PlanTables) -> [PropertyAccess] {
    var properties = [PropertyAccess](repeating: .none, count: plan.fields.count)
    for index in 0..<Int32(plan.nodes.count) {
      let node = plan.nodes[index].pointee
      guard node.opcode == .object, let operations = node.operations else { continue }
      let first = Int(plan.objects[node.child].pointee.firstField)
      let own = operations._withUnsafeGuaranteedRef { $0.properties }
      properties.replaceSubrange(first..<first + own.count, with: own)
    }
    return properties
  }

  /// The fields that end at a place or below it.
  private static func fields(of place: PlanPlace, _ plan: PlanTables) -> [Int32] {
    (place.fieldStart..<place.fieldStart + place.subtreeFieldCount).map {
      plan.placeFields[$0].pointee
    }
  }

  private static func isAlwaysHeld(
    _ place: PlanPlace, _ plan: PlanTables, _ isWritten: (Int32) -> Bool
  ) -> Bool {
    fields(of: place, plan).contains { field in
      isWritten(field) && !plan.nodes[plan.fields[field].pointee.node].pointee.storesOptional
    }
  }
}
