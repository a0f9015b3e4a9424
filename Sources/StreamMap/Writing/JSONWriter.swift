/// Writes events as JSON text: UTF-8, no white space, only the escapes that RFC 8259 requires, in their short forms.
///
/// Numbers keep their digits.
final class JSONWriter: EventSink {
  private let output: OutputBuffer
  private var valueStart = 0
  /// Whether a comma comes before the next value or key of the open container.
  private var needsComma = false

  /// A writer that appends to a buffer, which may be its own or another's.
  init(output: OutputBuffer = OutputBuffer()) {
    self.output = output
  }

  /// Starts a new value after the content of the buffer.
  func beginValue() {
    needsComma = false
    valueStart = output.count
  }

  override var size: Int { output.count - valueStart }

  /// What was written so far; valid until more is written.
  var bytes: UnsafeBufferPointer<UInt8> { output.bytes }

  /// Forgets what was written.
  func clear() {
    output.clear()
    beginValue()
  }

  override func null() {
    separate()
    output.append("null")
  }

  override func bool(_ value: Bool) {
    separate()
    output.append(value ? "true" : "false")
  }

  override func number(_ text: UnsafeBufferPointer<UInt8>) {
    separate()
    output.append(text)
  }

  override func string(_ text: UnsafeBufferPointer<UInt8>) {
    separate()
    JSONText.append(quoted: text, to: output)
  }

  override func key(_ text: UnsafeBufferPointer<UInt8>) {
    separate()
    JSONText.append(quoted: text, to: output)
    output.append(UInt8(ascii: ":"))
    needsComma = false
  }

  override func key(_ prepared: PreparedKey) {
    // At the start of an object, the comma is left out.
    let start = needsComma ? 0 : 1
    let count = prepared.member.count - start
    guard let base = prepared.member.baseAddress else { return }
    let source = UnsafeRawPointer(base + start)
    let padding = PreparedKey.padding
    output.append(upTo: count + padding) { room in
      let target = UnsafeMutableRawPointer(room)
      var index = 0
      repeat {
        target.storeBytes(
          of: source.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self),
          toByteOffset: index, as: SIMD16<UInt8>.self)
        index += padding
      } while index < count
      return count
    }
    needsComma = false
  }

  override func beginObject() { open("{") }
  override func endObject() { close("}") }
  override func beginArray() { open("[") }
  override func endArray() { close("]") }

  private func open(_ bracket: Unicode.Scalar) {
    separate()
    output.append(UInt8(ascii: bracket))
    needsComma = false
  }

  private func close(_ bracket: Unicode.Scalar) {
    output.append(UInt8(ascii: bracket))
    needsComma = true
  }

  private func separate() {
    if needsComma { output.append(UInt8(ascii: ",")) }
    needsComma = true
  }
}
