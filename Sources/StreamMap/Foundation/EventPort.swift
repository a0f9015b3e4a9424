#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Events across modules of the package: `EventSink` is a class of this module's own, because calls of it are on every way.

/// Takes the events of a value, in another module.
package protocol EventReceiver: AnyObject {
  func null()
  func bool(_ value: Bool)
  func number(_ text: UnsafeBufferPointer<UInt8>)
  func string(_ text: UnsafeBufferPointer<UInt8>)
  func key(_ text: UnsafeBufferPointer<UInt8>)
  func beginObject()
  func endObject()
  func beginArray()
  func endArray()
}

/// Passes events on to a receiver.
final class ReceiverSink: EventSink {
  private let receiver: any EventReceiver

  init(_ receiver: any EventReceiver) {
    self.receiver = receiver
  }

  override func null() { receiver.null() }
  override func bool(_ value: Bool) { receiver.bool(value) }
  override func number(_ text: UnsafeBufferPointer<UInt8>) { receiver.number(text) }
  override func string(_ text: UnsafeBufferPointer<UInt8>) { receiver.string(text) }
  override func key(_ text: UnsafeBufferPointer<UInt8>) { receiver.key(text) }
  override func beginObject() { receiver.beginObject() }
  override func endObject() { receiver.endObject() }
  override func beginArray() { receiver.beginArray() }
  override func endArray() { receiver.endArray() }
}

/// Where another module sends the events of a value.
package struct EventPort {
  private let sink: EventSink

  init(_ sink: EventSink) {
    self.sink = sink
  }

  package func null() { sink.null() }
  package func bool(_ value: Bool) { sink.bool(value) }
  package func string(_ text: String) { sink.string(text) }
  package func key(_ text: String) { sink.key(text) }
  package func beginObject() { sink.beginObject() }
  package func endObject() { sink.endObject() }
  package func beginArray() { sink.beginArray() }
  package func endArray() { sink.endArray() }

  package func number(_ value: some BinaryInteger) { sink.number(String(value)) }

  /// A number; false for one that JSON cannot write, which is not sent.
  package func number(_ value: Double) -> Bool { send { NumberToText.write(value, into: $0) } }

  /// A number; false for one that JSON cannot write, which is not sent.
  package func number(_ value: Float) -> Bool { send { NumberToText.write(value, into: $0) } }

  /// A number; false for one that JSON cannot write, which is not sent.
  package func number(_ value: Decimal) -> Bool { send { NumberToText.write(value, into: $0) } }

  /// Sends the text that `write` makes; `write` returns nil for a number that has no text.
  private func send(_ write: (UnsafeMutablePointer<UInt8>) -> Int?) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NumberToText.capacity) {
      guard let start = $0.baseAddress, let count = write(start) else { return false }
      sink.number(UnsafeBufferPointer(start: start, count: count))
      return true
    }
  }
}
