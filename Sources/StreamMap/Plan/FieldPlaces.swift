/// What errors of a row have to know of the places of fields.
struct FieldPlaces {
  /// By field: whether no other field of its object takes the same part of the feed, something around it, or something in it.
  ///
  /// The machine gives such a part to one field after the other, so their errors do not come in the order of the feed.
  private(set) var areAlone: [Bool]
  /// By field: whether the places of its object have its fields in their order.
  private(set) var areInOrder: [Bool]
  /// By field: the places on its way, the innermost last.
  private(set) var ways: [[Int32]]

  init(_ plan: PlanTables) {
    areAlone = Array(repeating: true, count: plan.fields.count)
    areInOrder = areAlone
    ways = Array(repeating: [], count: plan.fields.count)
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
        for field in inside { areAlone[field] = false }
      }
      if place.parent < 0, zip(makers, makers.dropFirst()).contains(where: { $0 > $1 }) {
        for field in inside { areInOrder[field] = false }
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
