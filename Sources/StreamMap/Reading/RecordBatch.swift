/// A stretch of a feed, to be mapped by another thread: what reading hands over of it, or lines that nobody has read yet.
///
/// What is handed over are the text of records, the addresses of their tokens, where they stand, and faults, all in the order of
/// the feed. A batch begins and ends between chunks, so the first and the last record may lie in other batches in part.
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
      /// With its index among the faults.
      case fault(Int)
    }

    let kind: Kind
    /// The record's; 0 for a fault outside any.
    let number: Int
    let address: SourceAddress
    /// Its share of the batch; none for a fault.
    let text: Range<Int>
    let addresses: Range<Int>
    let steps: Range<Int>
    /// That of its context; -1 without.
    let context: Int
  }

  /// A step of a record's path: a member whose key, as written, is a stretch of the keys, or an element.
  struct Step {
    let key: Range<Int>?
    let index: Int
  }

  /// What the entries refer to.
  ///
  /// PERF: a value, so that filling it is one access to the batch for the runtime to check.
  struct Contents {
    fileprivate(set) var entries: [Entry] = []
    fileprivate(set) var text: [UInt8] = []
    fileprivate(set) var addresses: [SourceAddress] = []
    fileprivate(set) var faults: [FeedReader.Fault] = []
    /// The values from outside the records that the entries name; the last ones are those of entries to come.
    fileprivate(set) var contexts: [ContextValues] = []
    fileprivate var steps: [Step] = []
    fileprivate var keys: [UInt8] = []
  }

  /// What of a batch is enough; one chunk may go beyond it.
  enum Bounds {
    /// The text and the addresses stay in the second cache of the two processors that touch them.
    static let text = 64 << 10
    /// For a mapping may write much for a record of few bytes.
    static let entries = 1024
    /// The bytes of the feed, kept or not.
    static let span = 1 << 20
    /// The bytes of the largest line that is not read before it is whole.
    static let line = 1 << 20
  }

  var contents = Contents()
  /// The lines, instead of contents.
  var lines = Lines()
  /// Whether nothing more is to be added.
  var isFull = false
  /// Where in the feed it begins and ends.
  var start = 0
  var end = 0
  /// Where reading can go on behind it; nil where it ends inside something.
  var position: FeedPosition?
  /// The record paths that had occurred when it ended, as bits.
  var pathsSeen: UInt64 = 0
  /// Of lines, once they are read: whether the feed ended in them at a fault, and whether it ended behind one at once.
  var endedAtFault = false
  var isBehindFault = false

  var isEmpty: Bool { contents.entries.isEmpty && lines.isEmpty }
  /// Whether the last record goes on in the next batch.
  var isRecordOpen: Bool {
    if case .part? = contents.entries.last?.kind { true } else { false }
  }
  /// The memory of what it holds.
  var size: Int { contents.size + lines.size }

  func clear() {
    position = nil
    isFull = false
    endedAtFault = false
    isBehindFault = false
    lines.clear()
    if contents.size > 8 * Bounds.text {
      // What one outsized value took is given back.
      contents = Contents()
      return
    }
    contents.entries.removeAll(keepingCapacity: true)
    contents.text.removeAll(keepingCapacity: true)
    contents.addresses.removeAll(keepingCapacity: true)
    contents.faults.removeAll()
    contents.contexts.removeAll()
    contents.steps.removeAll(keepingCapacity: true)
    contents.keys.removeAll(keepingCapacity: true)
  }

  func path(_ steps: Range<Int>) -> JSONPath { contents.path(steps) }
}

extension RecordBatch.Contents {
  fileprivate var size: Int {
    text.count + addresses.count * MemoryLayout<SourceAddress>.stride
  }

  var isFull: Bool {
    text.count >= RecordBatch.Bounds.text || entries.count >= RecordBatch.Bounds.entries
  }

  /// Adds the chunk that the reader hands over.
  mutating func add(
    _ kind: RecordBatch.Entry.Kind, number: Int, from reader: FeedReader
  ) {
    let (textStart, firstAddress, firstStep) = (text.count, addresses.count, steps.count)
    let chunk = reader.chunk
    text.append(contentsOf: chunk.json)
    addresses.append(contentsOf: chunk.addresses)
    if reader.hasRecordLevels { addSteps(from: reader) }
    entries.append(
      RecordBatch.Entry(
        kind: kind, number: number, address: reader.recordAddress,
        text: textStart..<text.count, addresses: firstAddress..<addresses.count,
        steps: firstStep..<steps.count, context: contexts.count - 1))
  }

  /// The values from outside that records have from here on.
  mutating func enter(_ context: ContextValues) {
    if contexts.last !== context { contexts.append(context) }
  }

  private mutating func addSteps(from reader: FeedReader) {
    reader.forEachRecordLevel { key, index in
      if let key {
        steps.append(RecordBatch.Step(key: keys.count..<keys.count + key.count, index: 0))
        keys.append(contentsOf: key)
      } else {
        steps.append(RecordBatch.Step(key: nil, index: index))
      }
    }
  }

  mutating func add(_ fault: FeedReader.Fault, number: Int) {
    entries.append(
      RecordBatch.Entry(
        kind: .fault(faults.count), number: number, address: fault.text,
        text: text.count..<text.count, addresses: addresses.count..<addresses.count,
        steps: steps.count..<steps.count, context: -1))
    faults.append(fault)
  }

  fileprivate func path(_ range: Range<Int>) -> JSONPath {
    JSONPath(
      steps[range].map { step in
        guard let key = step.key else { return .index(step.index) }
        return keys[key].withUnsafeBufferPointer { .key(EscapedText.decoded($0)) }
      })
  }
}

/// Where a record of a batch stands.
struct BatchPlace: RecordPlace {
  let batch: RecordBatch
  let entry: RecordBatch.Entry

  var recordAddress: SourceAddress { entry.address }
  var recordPath: JSONPath { batch.path(entry.steps) }
}
