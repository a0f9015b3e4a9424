/// A value from outside the records of a document: where it is, and what it becomes.
package struct ContextDefinition: Sendable {
  let name: String
  let path: PathPattern
  let mapping: OutputMapping
  /// The value that records have before the value comes; nil where they are rejected before that.
  let standIn: JSONValue?

  /// A value that fields can refer to by its name.
  package init(
    _ name: String, at path: PathPattern, _ mapping: OutputMapping, standIn: JSONValue?
  ) {
    self.name = name
    self.path = path
    self.mapping = mapping
    self.standIn = standIn
  }
}

/// Definitions of context, compiled.
struct ContextPlan: Sendable {
  struct Value: Sendable {
    let definition: ContextDefinition
    let plan: Plan
  }

  let values: [Value]

  /// Compiles the definitions; `isLookedAt` says whether conditions may look at the values as at parts of records.
  ///
  /// - Throws: ``DefinitionError`` with the mistakes of all values.
  init(_ definitions: [ContextDefinition], isLookedAt: Bool) throws(DefinitionError) {
    var values: [Value] = []
    var mistakes: [DefinitionError.Mistake] = []
    for (number, definition) in definitions.enumerated() {
      do throws(DefinitionError) {
        values.append(
          Value(
            definition: definition,
            plan: try PlanCompiler.compile(
              definition.mapping.definition, isLookedAt: isLookedAt)))
      } catch {
        mistakes += error.mistakes.map { mistake in
          DefinitionError.Mistake(
            path: [.contextValue(number + 1)] + mistake.path, reason: mistake.reason)
        }
      }
    }
    guard mistakes.isEmpty else { throw DefinitionError(mistakes: mistakes) }
    self.values = values
  }

  /// Where the values are, and what is wanted of them.
  var selections: [(path: PathPattern, selection: Selection)] {
    values.map { ($0.definition.path, $0.plan.tables.selection) }
  }
}

/// The context of the records of a mapper's feeds.
struct RecordContext: Sendable {
  let plan: ContextPlan
  let omitsNulls: Bool

  /// Makes the values for a feed, which may have a name.
  func make(named file: String?, _ limits: Limits) -> FeedContext {
    FeedContext(plan, omitsNulls: omitsNulls, file: file, limits: limits)
  }
}

/// Makes the values from outside the records of a document, as reading reaches them.
///
/// Not thread-safe.
final class FeedContext: ContextTaker {
  private let makers: [RecordMaker]
  private let outlets: [RecordOutlet<[UInt8]>]
  private let empty: ContextValues
  /// The values that records have from here on.
  private(set) var values: ContextValues
  /// Where the document that they are from starts.
  private var document: UInt64?

  init(_ plan: ContextPlan, omitsNulls: Bool, file: String?, limits: Limits) {
    let products = plan.values.map { value in
      Product<[UInt8]>.text(value.plan, omitsNulls: omitsNulls, file: file) { Array($0) }
    }
    makers = zip(products, plan.values).map { $0.maker($1.plan, limits) }
    outlets = zip(products, makers).map { $0.outlet(of: $1) }
    empty = ContextValues(
      plan.values.map { ($0.definition.name, $0.definition.path, $0.definition.standIn) })
    values = empty
  }

  /// Takes what the reader hands over, if it is not of a record; returns what is wrong with it, if anything.
  func take(from reader: FeedReader, isWhole: Bool) -> FeedReader.Fault? {
    guard let index = reader.contextIndex else { return nil }
    let outcome = makers[index].take(
      reader.chunk, isWhole: isWhole, number: 0, at: reader)
    guard let outcome else { return nil }
    let record = outlets[index].record(outcome)
    switch record.result {
    case .success(let text):
      values = values.with(text, at: index)
      return nil
    case .failure(let error):
      return FeedReader.Fault(
        error: error, text: reader.recordAddress, isFinal: false, isCutOff: false)
    }
  }

  /// Starts a document, which has values of its own.
  func enter(documentAt start: UInt64) {
    if document == start { return }
    document = start
    values = empty
  }

  var saved: FeedPosition.Context {
    FeedPosition.Context(document: document.map { Int(clamping: $0) }, texts: values.all)
  }

  func restore(_ context: FeedPosition.Context?) throws(MappingError) {
    guard let context, let values = empty.with(all: context.texts), context.document ?? 0 >= 0
    else { throw FeedPosition.mismatch }
    self.values = values
    document = context.document.map { UInt64($0) }
  }

  /// Says that the feed is malformed here.
  func abandon() {
    for maker in makers { maker.abandon() }
  }
}
