/// Encodes the values of a feed into one buffer, with what stands between them.
///
/// Not thread-safe.
final class FeedEncoder<Value> {
  /// The size of a piece that is handed on.
  static var pieceSize: Int { 64 << 10 }

  private let encoder: ValueEncoder
  private let layout: FeedLayout
  /// How many values are encoded.
  private(set) var count = 0
  /// How many values were given, also those that could not be encoded.
  private var given = 0

  init(_ encoder: ValueEncoder, _ layout: FeedLayout) {
    self.encoder = encoder
    self.layout = layout
  }

  /// What is encoded and not taken yet.
  var output: OutputBuffer { encoder.output }

  /// Encodes a value; one that fails leaves nothing behind.
  ///
  /// - Throws: ``MappingError``, with the value's number and the path, if a part of the value has no JSON.
  func append(_ value: Value) throws(MappingError) {
    given += 1
    let start = output.count
    switch layout {
    case .ndjson: break
    case .array: output.append(count == 0 ? "[\n" : ",\n")
    case .sequence: output.append(0x1E)
    }
    do throws(MappingError) {
      try withUnsafePointer(to: value) { value throws(MappingError) in
        try encoder.append(UnsafeRawPointer(value))
      }
    } catch {
      output.truncate(to: start)
      throw error.inRecord(given)
    }
    if layout != .array { output.append(UInt8(ascii: "\n")) }
    count += 1
  }

  /// Ends the feed.
  func finish() {
    if layout == .array { output.append(count == 0 ? "[]\n" : "\n]\n") }
  }
}

extension Mapper {
  /// What encodes feeds of such a layout.
  ///
  /// - Throws: ``MappingError`` (`invalidDefinition`) if the mapping cannot encode, a field is unknown, or lines would be
  ///   indented.
  func makeFeedEncoder(
    as layout: FeedLayout, _ options: EncodingOptions
  ) throws(MappingError) -> FeedEncoder<Value> {
    if layout == .ndjson, options.indentation != nil {
      throw MappingError(.invalidDefinition, expected: "one line a value", found: "an indentation")
    }
    return FeedEncoder(ValueEncoder(try encoders(options), options), layout)
  }
}
