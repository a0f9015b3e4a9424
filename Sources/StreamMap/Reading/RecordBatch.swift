/// A stretch of what reading hands over, kept to be mapped by another thread: the text of records, the addresses of their
/// tokens, where they stand, and faults, all in the order of the feed.
///
/// It begins and ends between chunks, so the first and the last record may lie in other batches in part.
///
/// Belongs to one thread at a time: reading fills it and gives it away.
final class RecordBatch {
  /// A chunk of a record, or a fault.
  struct Entry {
    enum Kind {
      /// A part of a record that goes on.
      case part
      /// The last part of a record.
      case record
      case fault(FeedReader.Fault)
    }

    let kind: Kind
    /// The record's; 0 for a fault outside any.
    let number: Int
    let address: SourceAddress
    // Where its share of the batch ends. It starts where that of the entry before ends.
    let textEnd: Int
    let addressesEnd: Int
    let stepsEnd: Int
  }

  /// A step of a record's path: a member whose key, as written, is a stretch of the keys, or an element.
  struct Step {
    let key: Range<Int>?
    let index: Int
  }

  /// What of a batch is enough; one chunk may go beyond it.
  enum Bounds {
    /// The text and the addresses stay in the second cache of the two processors that touch them.
    static let text = 64 << 10
    /// For a mapping may write much for a record of few bytes.
    static let entries = 1024
    /// The bytes of the feed, kept or not.
    static let span = 1 << 20
  }

  private(set) var entries: [Entry] = []
  private(set) var text: [UInt8] = []
  private(set) var addresses: [SourceAddress] = []
  private(set) var steps: [Step] = []
  private(set) var keys: [UInt8] = []
  /// Where in the feed it was begun and where it ended.
  var span = 0..<0
  /// The record paths that had occurred when it ended, as bits.
  var pathsSeen: UInt64 = 0

  var isEmpty: Bool { entries.isEmpty }
  /// Whether the last record goes on in the next batch.
  var isRecordOpen: Bool {
    if case .part? = entries.last?.kind { true } else { false }
  }
  /// The memory of what it holds.
  var size: Int { text.count + addresses.count * MemoryLayout<SourceAddress>.stride }
  var isFull: Bool {
    text.count >= Bounds.text || entries.count >= Bounds.entries || span.count >= Bounds.span
  }

  func clear() {
    // What one outsized value took is given back.
    let isOutsized = size > 8 * Bounds.text
    entries.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: !isOutsized)
    addresses.removeAll(keepingCapacity: !isOutsized)
    steps.removeAll(keepingCapacity: !isOutsized)
    keys.removeAll(keepingCapacity: !isOutsized)
  }

  /// Adds the chunk that the reader hands over.
  func add(_ kind: Entry.Kind, number: Int, from reader: FeedReader) {
    text.append(contentsOf: reader.chunk)
    addresses.append(contentsOf: reader.addressTable)
    reader.forEachRecordLevel { key, index in
      if let key {
        steps.append(Step(key: keys.count..<keys.count + key.count, index: 0))
        keys.append(contentsOf: key)
      } else {
        steps.append(Step(key: nil, index: index))
      }
    }
    entries.append(
      Entry(
        kind: kind, number: number, address: reader.recordAddress, textEnd: text.count,
        addressesEnd: addresses.count, stepsEnd: steps.count))
  }

  func add(_ fault: FeedReader.Fault, number: Int) {
    entries.append(
      Entry(
        kind: .fault(fault), number: number, address: fault.text, textEnd: text.count,
        addressesEnd: addresses.count, stepsEnd: steps.count))
  }

  func path(_ steps: Range<Int>) -> JSONPath {
    JSONPath(
      self.steps[steps].map { step in
        guard let key = step.key else { return .index(step.index) }
        return keys[key].withUnsafeBufferPointer { .key(EscapedKey.decoded($0)) }
      })
  }
}

/// Where a record of a batch stands.
struct BatchPlace: RecordPlace {
  let batch: RecordBatch
  let recordAddress: SourceAddress
  let steps: Range<Int>

  var recordPath: JSONPath { batch.path(steps) }
}
