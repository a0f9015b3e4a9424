import StreamMap

/// What is said of a feed besides its errors: paths that found nothing, each with the near one that was probably meant.
///
/// Only if there is a note, ``FeedShape`` reads the keys of the feed's first bytes, and ``NearestPath`` looks for the one meant.
package struct FeedNotes: Sendable {
  /// Where the records are; empty if each document is one.
  package let records: [PathPattern]
  private let hidesValues: Bool
  private let option: @Sendable (String) -> String
  /// The first feed, whose keys are suggested, and the one that is being read.
  private var first: FeedBeginning?
  /// The beginning of the feed that is being read.
  package private(set) var current = FeedBeginning(isAtStart: false)

  /// Nothing yet.
  ///
  /// - Parameters:
  ///   - records: Where the records are; empty if each document is one.
  ///   - hidesValues: Whether some value must not be shown: then no keys of the feed are suggested, which may be values.
  ///   - option: How a user says where the records are, as in `--records '$.items[*]'`.
  package init(
    records: [PathPattern], hidesValues: Bool, option: @escaping @Sendable (String) -> String
  ) {
    self.records = records
    self.hidesValues = hidesValues
    self.option = option
  }

  /// A feed begins, or continues where an earlier reader stopped.
  package mutating func begin(_ beginning: FeedBeginning) {
    if first == nil, !current.isEmpty { first = current }
    current = beginning
  }

  /// Continues what an earlier reader began with a feed.
  package mutating func resume(after first: FeedBeginning) { self.first = first }

  /// The next piece of the feed.
  package mutating func read(_ piece: UnsafeBufferPointer<UInt8>) { current.add(piece) }

  // MARK: Paths of records

  /// What to say of a path of records that does not occur.
  package func text(ofUnseen path: PathPattern) -> String {
    var near = hidesValues ? nil : NearestPath(from: current.shape.root).path(to: path)
    if let found = near, records.contains(found) { near = nil }
    return "no records: the path \(path) does not occur" + suggestion(near.map { ShownText.of($0) })
  }

  private func suggestion(_ text: String?) -> String { text.map { "; did you mean \($0)?" } ?? "" }

  /// Where a record was expected and an array is: its elements are probably the records; the end of the error's message.
  package func hint(for error: MappingError) -> String {
    guard error.code == .wrongType, error.target?.components.isEmpty ?? true,
      error.found == "an array"
    else { return "" }
    let paths = records.isEmpty ? [PathPattern([])] : records
    guard let path = paths.first(where: { $0.description == error.path.description }) else {
      return ""
    }
    return "; its elements are records with \(option("\(path)[*]"))"
  }

  // MARK: Fields

  /// What the fields did not find.
  ///
  /// - Parameters:
  ///   - unfound: What that is.
  ///   - count: How many records there were.
  ///   - isOver: Whether these are all; if not, only fields without which nothing can be mapped are looked at.
  ///   - most: How many fields are named.
  /// - Returns: The lines.
  package func unfound(_ unfound: Unfound, ofRecords count: Int, isOver: Bool, most: Int)
    -> [String]
  {
    let fields = isOver ? unfound.fields : unfound.fields.filter(\.isRequired)
    let contexts = count > 0 ? unfound.context : []
    // The feed's beginning is only read if something is to be said.
    if fields.isEmpty, contexts.isEmpty { return [] }
    let shape = (first ?? current).shape
    let around = unfoundContext(contexts, in: shape, isOver, most)
    if fields.isEmpty { return around }
    if records.isEmpty, unfound.isAll, !hidesValues,
      let array = array(in: shape, with: fields, isOnlyRecord: count == 1)
    {
      return [
        "no field was found: \(count == 1 ? "the document" : "each document") was mapped as one record;"
          + " for the elements of its largest array give \(option(ShownText.of(array)))"
      ]
    }
    let start = hidesValues ? nil : shape.records(at: records)
    let search = start.map { NearestPath(from: $0) }
    var lines = fields.prefix(most).compactMap { field -> String? in
      let near = field.paths.lazy.compactMap { search?.path(to: $0) }.first
      // That a field is missing in the last record is what its error says.
      if near == nil, !isOver { return nil }
      // It is there: in a record that was not mapped, or in a member that a duplicate replaces.
      if let near, field.paths.contains(near) { return nil }
      return Self.names(of: field)
        + (near.map { suggestion(ShownText.relative($0)) } ?? Self.type(insteadOf: field))
    }
    let more = fields.count - most
    if more > 0, isOver {
      lines.append("and \(more) more \(more == 1 ? "field" : "fields") never occurred")
    }
    return around + lines
  }

  /// The paths of values from outside the records that never occurred.
  private func unfoundContext(
    _ paths: [PathPattern], in shape: FeedShape, _ isOver: Bool, _ most: Int
  )
    -> [String]
  {
    paths.prefix(most).compactMap { path in
      let near = hidesValues ? nil : NearestPath(from: shape.root).path(to: path)
      if near == path || near == nil && !isOver { return nil }
      return "\(ShownText.of(path)) (context) never occurred"
        + suggestion(near.map { ShownText.of($0) })
    }
  }

  /// The array in a document whose elements were probably meant to be the records.
  private func array(in shape: FeedShape, with fields: [UnfoundField], isOnlyRecord: Bool)
    -> PathPattern?
  {
    shape.largestArray(with: fields.flatMap(\.paths))
      ?? (isOnlyRecord ? shape.largestArray(with: []) : nil)
  }

  /// What to write if the path is the name of a type: beginners write `id: int64`, which is the path `int64`.
  private static func type(insteadOf field: UnfoundField) -> String {
    guard field.paths.count == 1, field.paths[0].steps.count == 1,
      case .key(let key) = field.paths[0].steps[0], TypeName(named: key) != nil
    else { return "" }
    return "; if a type is meant, write { from: …, type: \(key) }"
  }

  private static func names(of field: UnfoundField) -> String {
    let paths = field.paths.map { ShownText.relative($0) }
    if paths.count == 1 { return "\(paths[0]) never occurred" }
    return "none of \(paths.joined(separator: ", ")) ever occurred"
  }
}
