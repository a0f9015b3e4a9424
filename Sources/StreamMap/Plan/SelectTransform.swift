/// Makes an array of what a path to several values selects in a written value, in the order of the document.
///
/// The work is linear in the text, besides what filters look at.
final class SelectTransform: OutputTransform, @unchecked Sendable {
  let name: String?
  var hasWayBack: Bool { false }
  let pattern: PathPattern
  private let paths: [[PathSegment]]
  /// Whether it selects each element of an array: then the array is the result.
  private let isEachElement: Bool

  /// - Throws: What the path asks for that is not there.
  init(_ pattern: PathPattern) throws(ListMistake) {
    if let reason = pattern.steps.lazy.compactMap(\.refusalInRecord).first {
      throw ListMistake(reason: reason)
    }
    self.pattern = pattern
    paths = [pattern.steps.map(\.segment)]
    isEachElement = pattern.steps == [.wildcard]
    name = "all of \(String(pattern.description.dropFirst()))"
  }

  func change(_ written: UnsafeBufferPointer<UInt8>, in room: TransformRoom) throws {
    let output = room.output
    let start = output.count
    let limit = room.limits.capturedValue
    // PERF: most of such paths. The text is as it would be written again.
    if isEachElement, written.first == UInt8(ascii: "[") { return output.append(written) }
    let value = room.selection.value
    defer { value.clear() }
    guard value.begin(written) else { throw Self.tooLarge(limit) }
    Self.addTokens(of: WrittenText(written), to: value)
    output.append(UInt8(ascii: "["))
    let first = output.count
    try room.walk(paths, of: self) { match in
      if output.count > first { output.append(UInt8(ascii: ",")) }
      output.append(value.written(match.token))
      // Values inside each other are written several times: `..` selects both.
      if output.count &- start > limit { throw Self.tooLarge(limit) }
    }
    output.append(UInt8(ascii: "]"))
  }

  private static func addTokens(of text: WrittenText, to value: HeldValue) {
    var index = 0
    while let byte = text.byte(at: index) {
      let end: Int
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        index += 1
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: "]"):
        end = index + 1
      case UInt8(ascii: "\""): end = text.endOfValue(from: index)
      default: end = text.endOfValue(from: index)
      }
      let isKey = byte == UInt8(ascii: "\"") && text.byte(at: end) == UInt8(ascii: ":")
      value.addToken(index..<end, isKey: isKey)
      index = end
    }
    value.finish()
  }

  private static func tooLarge(_ limit: Int) -> ConversionFailure {
    ConversionFailure(
      expected: Limits.message(.capturedValue, limit), code: .limitExceeded)
  }

  func output(_ source: OutputValue) -> OutputValue {
    OutputValue(.array(.json), isNullable: source.isNullable)
  }
}
