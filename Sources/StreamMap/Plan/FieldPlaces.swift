/// What errors of a row have to know of the places of fields.
struct FieldPlaces {
  /// A part on the way of a field that other fields of its object take, too, or take something of.
  ///
  /// Once such a part is over, it is given to those that take all of it, one after the other, and then to the others, which take something of
  /// it, at the same time. So their errors are known where it ends, in this order.
  struct Shared {
    /// The number of steps to it.
    let depth: Int
    /// When the field gets it; the same for all fields that take something of it.
    let rank: Int
  }

  /// By field: the parts on its way that several fields take, the outermost first.
  private(set) var shared: [[Shared]]
  /// By field: when it gets a value that is not a container, among the fields of its object.
  private(set) var ranks: [Int]
  /// By field: the path of its member in the object that is made; of a case, that of its field.
  private(set) var targets: [JSONPath]
  /// By field: when it is known that it has no value, among all that is known when its object ends: what formulas find comes first.
  private(set) var lackRanks: [Int]
  /// By field: the places on its way, the innermost last.
  private(set) var ways: [[Int32]]

  init(_ plan: PlanTables) {
    shared = Array(repeating: [], count: plan.fields.count)
    ranks = Array(repeating: 0, count: plan.fields.count)
    ways = Array(repeating: [], count: plan.fields.count)
    targets = plan.targets.map { JSONPath($0.map { .key($0) }) }
    for number in 0..<plan.cases.count {
      let field = Int(plan.cases.start[number].field)
      targets[field] = JSONPath(Array(targets[field].components.dropLast()))
    }
    lackRanks = Array(repeating: 0, count: plan.fields.count)
    for number in 0..<Int32(plan.objects.count) where plan.objects[number].pointee.hasFormulas {
      let object = plan.objects[number].pointee
      for field in object.firstField..<object.firstField + object.fieldCount
      where plan.fields[field].pointee.making < 0 { lackRanks[Int(field)] = 1 }
    }
    for number in 0..<Int32(plan.places.count) {
      let place = plan.places[number].pointee
      func fields(_ count: Int32) -> [Int] {
        (place.fieldStart..<place.fieldStart + count).map { Int(plan.placeFields[$0].pointee) }
      }
      let inside = fields(place.subtreeFieldCount)
      // What formulas read has no errors.
      let makers = inside.filter {
        !plan.nodes[plan.fields[Int32($0)].pointee.node].pointee.isOperand
      }
      if place.fieldCount > 0, makers.count > 1 {
        let depth = Self.way(to: number, plan).count
        let count = Int(place.fieldCount)
        for (number, field) in inside.enumerated() {
          shared[field].append(Shared(depth: depth, rank: min(number, count)))
        }
      }
      if place.parent < 0 {
        for (rank, field) in inside.enumerated() { ranks[field] = rank }
      }
      for field in fields(place.fieldCount) { ways[field] = Self.way(to: number, plan) }
    }
  }

  private static func way(to place: Int32, _ plan: PlanTables) -> [Int32] {
    var way: [Int32] = []
    var place = place
    while plan.places[place].pointee.parent >= 0 {
      way.append(place)
      place = plan.places[place].pointee.parent
    }
    return way.reversed()
  }
}
