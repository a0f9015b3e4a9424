/// Records the events of one value, to be played again.
///
/// It is for a value with several fields, and for one that is wanted as a whole (`JSONValue`, raw text).
///
/// The tape is flat: one operation byte, and for a text also its length and bytes. It is reused from value to value.
final class Tape: EventSink {
  private enum Operation: UInt8 {
    case null, no, yes, number, string, key, beginObject, endObject, beginArray, endArray
  }

  private var operations: [UInt8] = []
  private var addresses: [FeedToken] = []

  override var size: Int { operations.count }

  func clear() {
    operations.removeAll(keepingCapacity: operations.capacity <= 1 << 20)
    addresses.removeAll(keepingCapacity: addresses.capacity <= 1 << 16)
  }

  override func null() { add(.null) }
  override func bool(_ value: Bool) { add(value ? .yes : .no) }
  override func number(_ text: UnsafeBufferPointer<UInt8>) { add(.number, text) }
  override func string(_ text: UnsafeBufferPointer<UInt8>) { add(.string, text) }
  override func key(_ text: UnsafeBufferPointer<UInt8>) { add(.key, text) }
  override func beginObject() { add(.beginObject) }
  override func endObject() { add(.endObject) }
  override func beginArray() { add(.beginArray) }
  override func endArray() { add(.endArray) }

  private func add(_ operation: Operation) {
    operations.append(operation.rawValue)
    addresses.append(address)
  }

  private func add(_ operation: Operation, _ text: UnsafeBufferPointer<UInt8>) {
    add(operation)
    withUnsafeBytes(of: UInt64(text.count)) { operations.append(contentsOf: $0) }
    operations.append(contentsOf: text)
  }

  /// Plays what was recorded.
  ///
  /// Each event comes with its address; afterwards, the sink has the address that it had before.
  func replay(into sink: EventSink) {
    let here = sink.address
    addresses.withUnsafeBufferPointer { addresses in
      operations.withUnsafeBufferPointer { Self.play($0, addresses, into: sink) }
    }
    sink.address = here
  }

  // Invariant: `bytes` holds whole entries as `add` wrote them, `addresses` their addresses.
  private static func play(
    _ bytes: UnsafeBufferPointer<UInt8>, _ addresses: UnsafeBufferPointer<FeedToken>,
    into sink: EventSink
  ) {
    var offset = 0
    var next = 0
    func text() -> UnsafeBufferPointer<UInt8> {
      let count = Int(
        UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
      defer { offset += count }
      return UnsafeBufferPointer(rebasing: bytes[offset..<offset + count])
    }
    while offset < bytes.count {
      let operation = Operation(rawValue: bytes[offset])
      offset += 1
      sink.address = addresses[next]
      next += 1
      switch operation {
      case .null?: sink.null()
      case .no?: sink.bool(false)
      case .yes?: sink.bool(true)
      case .number?: sink.number(text())
      case .string?: sink.string(text())
      case .key?: sink.key(text())
      case .beginObject?: sink.beginObject()
      case .endObject?: sink.endObject()
      case .beginArray?: sink.beginArray()
      case .endArray?: sink.endArray()
      case nil: return
      }
    }
  }
}
