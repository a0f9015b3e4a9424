/// Decides by some members of an output record whether it is kept.
package struct RecordFilter: Sendable {
  /// The names of the members that decide.
  let members: [String]
  /// Given their values in that order, nil for those that are not there.
  let keeps: @Sendable ([JSONValue?]) -> Bool

  /// A filter by these members.
  package init(_ members: [String], keeps: @escaping @Sendable ([JSONValue?]) -> Bool) {
    self.members = members
    self.keeps = keeps
  }
}

/// Holds the text of output records against a filter.
///
/// Not thread-safe.
final class RecordSieve {
  private let filter: RecordFilter
  private let reader: MemberReader
  private let source: YajlSource

  init(_ filter: RecordFilter) {
    self.filter = filter
    reader = MemberReader(filter.members)
    source = YajlSource(sink: reader)
  }

  /// Whether a record stays.
  func keeps(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    reader.begin()
    // The text was written here: it is an object.
    try? source.send(text)
    return filter.keeps(reader.values)
  }
}

/// Reads some members of an object, and passes over the others.
private final class MemberReader: EventSink {
  private let names: [[UInt8]]
  private(set) var values: [JSONValue?] = []
  private var depth = 0
  /// The member that is being read.
  private var member: Int?
  private var builder = JSONValueBuilder()

  init(_ names: [String]) {
    self.names = names.map { Array($0.utf8) }
  }

  func begin() {
    values = Array(repeating: nil, count: names.count)
    depth = 0
    member = nil
  }

  override func key(_ text: UnsafeBufferPointer<UInt8>) {
    if depth == 1 {
      member = names.firstIndex { $0.elementsEqual(text) }
    } else if member != nil {
      builder.key(text)
    }
  }

  override func null() { take { $0.null() } }
  override func bool(_ value: Bool) { take { $0.bool(value) } }
  override func number(_ text: UnsafeBufferPointer<UInt8>) { take { $0.number(text) } }
  override func string(_ text: UnsafeBufferPointer<UInt8>) { take { $0.string(text) } }
  override func beginObject() { open { $0.beginObject() } }
  override func beginArray() { open { $0.beginArray() } }
  override func endObject() { close { $0.endObject() } }
  override func endArray() { close { $0.endArray() } }

  private func take(_ event: (JSONValueBuilder) -> Void) {
    guard let member else { return }
    event(builder)
    if depth == 1 { finish(member) }
  }

  private func open(_ event: (JSONValueBuilder) -> Void) {
    if member != nil { event(builder) }
    depth += 1
  }

  private func close(_ event: (JSONValueBuilder) -> Void) {
    depth -= 1
    guard let member else { return }
    event(builder)
    if depth == 1 { finish(member) }
  }

  private func finish(_ member: Int) {
    values[member] = builder.value
    builder = JSONValueBuilder()
    self.member = nil
  }
}
