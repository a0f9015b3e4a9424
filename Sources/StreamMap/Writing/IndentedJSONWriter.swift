/// Writes events as JSON text for people: each member and element on its own line, indented.
///
/// Empty objects and arrays stay on their line.
final class IndentedJSONWriter: EventSink {
  private let output: OutputBuffer
  private let spaces: Int
  private var depth = 0
  /// Whether the open container is empty so far.
  private var isEmpty = true
  private var isAfterKey = false

  /// The greatest number of spaces per level.
  private static let mostSpaces = 16

  /// - Parameters:
  ///   - output: The buffer to which the text is appended.
  ///   - spaces: Spaces per level, from 0 to 16; a number outside is clamped.
  init(output: OutputBuffer, spaces: Int) {
    self.output = output
    self.spaces = min(max(spaces, 0), Self.mostSpaces)
  }

  /// Starts a new value; one that is not finished is forgotten.
  func reset() {
    depth = 0
    isEmpty = true
    isAfterKey = false
  }

  override func null() {
    beginValue()
    output.append("null")
  }

  override func bool(_ value: Bool) {
    beginValue()
    output.append(value ? "true" : "false")
  }

  override func number(_ text: UnsafeBufferPointer<UInt8>) {
    beginValue()
    output.append(text)
  }

  override func string(_ text: UnsafeBufferPointer<UInt8>) {
    beginValue()
    JSONText.append(quoted: text, to: output)
  }

  override func key(_ text: UnsafeBufferPointer<UInt8>) {
    beginValue()
    JSONText.append(quoted: text, to: output)
    output.append(": ")
    isAfterKey = true
  }

  override func beginObject() { open("{") }
  override func endObject() { close("}") }
  override func beginArray() { open("[") }
  override func endArray() { close("]") }

  private func open(_ bracket: Unicode.Scalar) {
    beginValue()
    output.append(UInt8(ascii: bracket))
    depth += 1
    isEmpty = true
  }

  private func close(_ bracket: Unicode.Scalar) {
    depth -= 1
    if !isEmpty { newLine() }
    output.append(UInt8(ascii: bracket))
    isEmpty = false
  }

  /// Writes what comes before a value or a key.
  private func beginValue() {
    if isAfterKey {
      isAfterKey = false
    } else if depth > 0 {
      if !isEmpty { output.append(UInt8(ascii: ",")) }
      newLine()
    }
    isEmpty = false
  }

  private func newLine() {
    output.append(UInt8(ascii: "\n"))
    let width = depth * spaces
    output.append(upTo: width) { room in
      room.initialize(repeating: UInt8(ascii: " "), count: width)
      return width
    }
  }
}
