/// Decodes strings with escapes, one at a time: yajl is given each, as text.
final class StringDecoder {
  /// Longer strings are not decoded here: they would leave large buffers behind.
  private static let largest = 1 << 20
  private let receiver = Receiver()
  private lazy var source = YajlSource(sink: receiver)

  private final class Receiver: EventSink {
    let text = OutputBuffer()

    override func string(_ text: UnsafeBufferPointer<UInt8>) { self.text.append(text) }
  }

  /// The string that this text, with its quotes, stands for; nil where yajl refuses it, or it is very long.
  ///
  /// Valid until the next call.
  func decoded(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    guard text.count <= Self.largest else { return nil }
    receiver.text.clear()
    do throws(Refusal) {
      try source.send(text)
    } catch {
      source.reset()
      return nil
    }
    return receiver.text.bytes
  }
}
