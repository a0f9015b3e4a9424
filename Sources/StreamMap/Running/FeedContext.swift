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
  /// The values that must not come after a record that has the stand-in, and the levels of what they belong to.
  private let punctual: [(index: Int, level: Int)]
  private let definitions: [ContextDefinition]
  /// For each value: where the document or the container starts that it belongs to; nil if it has not come yet.
  private var owners: [Int?]
  /// For each value: where the last document or container starts in which a record lacked it.
  private var lacking: [Int?]
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
    definitions = plan.values.map(\.definition)
    punctual = plan.values.enumerated().compactMap { index, value in
      let definition = value.definition
      return definition.standIn == nil || definition.mayComeLate ? nil : (index, value.level)
    }
    owners = plan.values.map { _ in nil }
    lacking = owners
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
      reader.chunk, isWhole: isWhole, number: 0, at: reader, triesRow: false)
    guard let outcome else { return nil }
    let record = takers[index].record(outcome)
    switch record.result {
    case .success(let text):
      values = values.with(text, at: index)
      let level = inner.first { $0.index == index }?.level
      let owner = owner(atLevel: level ?? 0, reader)
      owners[index] = owner
      guard lacking[index] == owner else { return nil }
      lacking[index] = nil
      return lateFault(of: definitions[index], reader)
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
      for index in owners.indices { owners[index] = nil }
      for number in here.indices { here[number] = nil }
    }
    for (index, level) in inner {
      // Where a container starts, no other one does.
      guard let owner = owners[index], reader.start(ofLevel: level) != owner else { continue }
      owners[index] = nil
      values = values.with(valueOf: empty, at: index)
    }
    if reader.contextIndex != nil { return }
    for (index, level) in punctual where owners[index] == nil {
      lacking[index] = owner(atLevel: level, reader)
    }
    if !steps.isEmpty { noteSteps(to: reader.recordPath.components) }
  }

  /// Where the document, or the container of a level, starts that the reader is in.
  private func owner(atLevel level: Int, _ reader: FeedReader) -> Int {
    level == 0 ? Int(clamping: reader.textStart) : reader.start(ofLevel: level)
  }

  /// What is wrong with a value that comes after records which have the stand-in for it.
  private func lateFault(of value: ContextDefinition, _ reader: FeedReader) -> FeedReader.Fault {
    let address = reader.recordAddress
    let error = MappingError(
      .invalidValue, path: reader.recordPath, position: address.position,
      expected: "the context value '\(value.name)' before the records, or 'late: null' for it",
      found: "it after records, which have another value")
    return FeedReader.Fault(error: error, text: address, isFinal: false, isCutOff: false)
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
      document: document.map { Int(clamping: $0) }, texts: values.all, owners: owners,
      lacking: lacking)
  }

  func restore(_ context: FeedPosition.Context?) throws(MappingError) {
    guard let context, let values = empty.with(all: context.texts), context.document ?? 0 >= 0,
      context.owners.count == owners.count, context.lacking.count == owners.count
    else { throw FeedPosition.mismatch }
    self.values = values
    // What a stored value was made of is not known: it is made again.
    for number in here.indices { here[number] = nil }
    for (index, _, _) in steps { self.values = self.values.with(valueOf: empty, at: index) }
    owners = context.owners
    lacking = context.lacking
    document = context.document.map { UInt64($0) }
  }

  /// Says that the feed is malformed here.
  func abandon() {
    for maker in makers { maker.abandon() }
  }
}
