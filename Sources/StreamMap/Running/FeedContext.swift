/// Makes the values from outside the records of a document, as reading reaches them.
///
/// Their paths are further paths of the walk, numbered after those of the records. Keys and indices around a record need no path: they
/// are taken from the way to it. A record gets the values that came before it in its document. If the path of a value means several,
/// the value belongs to a container around the records, which is known by its start (`sm_level.start`): the value is forgotten when
/// the walker is in another one.
///
/// The values are made where the feed is read. With several jobs that is the reading side, or the worker of a stretch of a list.
///
/// Not thread-safe.
final class FeedContext: ContextTaker {
  private let makers: [RecordMaker]
  private let takers: [ValueTaker<[UInt8]>]
  private let empty: ContextValues
  /// The values that records have from here on.
  private(set) var values: ContextValues
  /// Where the document that they are from starts.
  private var document: UInt64?
  /// The values that belong to a container inside the document, and its level.
  private let inner: [(index: Int, level: Int)]
  /// For each value: where the container starts that it belongs to; 0 for the document, and where it has not come yet.
  private var owners: [Int]
  /// The values that are keys and indices, and the ways to them.
  private let steps: [(index: Int, fact: RecordFact, way: [PathPattern.Step])]
  /// The last of them.
  private var here: [JSONPath.Component?]
  /// Notes which values occurred; and those that it has noted.
  private let finds: FieldFinds?
  private var told: Set<Int> = []

  init(
    _ plan: ContextPlan, omitsNulls: Bool, file: String?, limits: Limits, finds: FieldFinds? = nil
  ) {
    self.finds = finds
    let assemblies = plan.values.map { value in
      RecordAssembly<[UInt8]>.text(value.plan, omitsNulls: omitsNulls, file: file) { Array($0) }
    }
    makers = zip(assemblies, plan.values).map { $0.maker($1.plan, limits) }
    takers = zip(assemblies, makers).map { $0.taker(of: $1) }
    empty = ContextValues(
      plan.values.map { ($0.definition.name, $0.definition.path, $0.definition.standIn) })
    values = empty
    inner = plan.values.enumerated().compactMap { index, value in
      value.level > 0 ? (index, value.level) : nil
    }
    owners = plan.values.map { _ in 0 }
    steps = plan.values.enumerated().compactMap { index, value in
      value.definition.step.map { (index, $0, value.definition.path.steps) }
    }
    here = steps.map { _ in nil }
  }

  /// Takes what the reader hands over, if it is not of a record; returns what is wrong with it, if anything.
  func take(from reader: FeedReader, isWhole: Bool) -> FeedReader.Fault? {
    guard let index = reader.contextIndex else { return nil }
    if let finds, told.insert(index).inserted { finds.note(contextValue: index) }
    let outcome = makers[index].take(
      reader.chunk, isWhole: isWhole, number: 0, at: reader)
    guard let outcome else { return nil }
    let record = takers[index].record(outcome)
    switch record.result {
    case .success(let text):
      values = values.with(text, at: index)
      if let level = inner.first(where: { $0.index == index })?.level {
        owners[index] = reader.start(ofLevel: level)
      }
      return nil
    case .failure(let error):
      return FeedReader.Fault(
        error: error, text: reader.recordAddress, isFinal: false, isCutOff: false)
    }
  }

  /// Forgets the values of the documents and containers that the reader has left.
  func follow(_ reader: FeedReader) {
    let start = reader.textStart
    if document != start {
      document = start
      values = empty
      for (index, _) in inner { owners[index] = 0 }
      for number in here.indices { here[number] = nil }
    }
    for (index, level) in inner where owners[index] != 0 {
      // Where a container starts, no other one does.
      if reader.start(ofLevel: level) == owners[index] { continue }
      owners[index] = 0
      values = values.with(valueOf: empty, at: index)
    }
    if !steps.isEmpty, reader.contextIndex == nil { noteSteps(to: reader.recordPath.components) }
  }

  // No value lies in a record, so only the keys and indices of the records themselves change.
  func isFixed(inList depth: Int) -> Bool { steps.allSatisfy { $0.way.count < depth } }

  /// Notes the keys and indices on the way to a record.
  private func noteSteps(to record: [JSONPath.Component]) {
    for (number, (index, fact, way)) in steps.enumerated() {
      let leads = way.count <= record.count && zip(way, record).allSatisfy { $0.leads(to: $1) }
      let step = leads ? record[way.count - 1] : nil
      if step != nil, let finds, told.insert(index).inserted { finds.note(contextValue: index) }
      if step == here[number] { continue }
      here[number] = step
      values =
        switch (fact, step) {
        case (.key, .key(let key)?):
          values.with(Array(JSONValue.string(key).description.utf8), at: index)
        case (.index, .index(let place)?): values.with(Array("\(place)".utf8), at: index)
        default: values.with(valueOf: empty, at: index)
        }
    }
  }

  var saved: FeedPosition.Context {
    FeedPosition.Context(
      document: document.map { Int(clamping: $0) }, texts: values.all, owners: owners)
  }

  func restore(_ context: FeedPosition.Context?) throws(MappingError) {
    guard let context, let values = empty.with(all: context.texts), context.document ?? 0 >= 0,
      context.owners.count == owners.count
    else { throw FeedPosition.mismatch }
    self.values = values
    // What a stored value was made of is not known: it is made again.
    for number in here.indices { here[number] = nil }
    for (index, _, _) in steps { self.values = self.values.with(valueOf: empty, at: index) }
    owners = context.owners
    document = context.document.map { UInt64($0) }
  }

  /// Says that the feed is malformed here.
  func abandon() {
    for maker in makers { maker.abandon() }
  }
}
