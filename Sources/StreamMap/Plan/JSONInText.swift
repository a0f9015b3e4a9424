/// Reads JSON in strings, as strictly as feeds are read: RFC 8259, strict UTF-8, and the limits of the feed.
///
/// Not thread-safe.
final class JSONInText {
  private let limits: Limits
  private var reader: FeedReader?

  init(limits: Limits) {
    self.limits = limits
  }

  /// Appends the JSON text of a string's content, without white space, to a buffer that the content does not lie in.
  ///
  /// - Throws: ``ConversionFailure`` if it is not one JSON value, or exceeds a limit.
  func append(_ content: UnsafeBufferPointer<UInt8>, to output: OutputBuffer)
    throws(ConversionFailure)
  {
    let reader = try ready()
    reader.input(content, isFinal: true)
    while true {
      switch reader.next() {
      case .chunk, .record:
        if case .text(let chunk) = reader.chunk { output.append(chunk.json) }
      case .fault: throw failure(reader.fault(record: nil).error)
      case .end, .input, .row, .innerRows: return
      }
    }
  }

  private func ready() throws(ConversionFailure) -> FeedReader {
    if let reader {
      reader.reset(format: .json)
      return reader
    }
    let made: FeedReader
    do {
      made = try FeedReader.make(
        FeedSelection(.everything, at: []), format: .json, limits: limits, form: .text)
    } catch {
      throw ConversionFailure(expected: "memory to read JSON in a string", code: .io)
    }
    reader = made
    return made
  }

  private func failure(_ error: MappingError) -> ConversionFailure {
    let expected = error.expected ?? "JSON"
    if error.code == .limitExceeded {
      return ConversionFailure(expected: "JSON in the string with \(expected)", code: error.code)
    }
    let place = error.position.map { " at its byte \($0.bytes.lowerBound)" } ?? ""
    return ConversionFailure(expected: "JSON in the string, with \(expected)\(place)")
  }

  /// The value of a string's content.
  ///
  /// - Throws: ``ConversionFailure`` if it is not one JSON value, exceeds a limit, or is too deep for a tree.
  static func value(of content: String, limits: Limits) throws(ConversionFailure) -> JSONValue {
    var limits = limits
    limits.depth = min(limits.depth, JSONValue.maximumDepth)
    var content = content
    let result: Result<JSONValue, ConversionFailure> = content.withUTF8 { bytes in
      let output = OutputBuffer()
      do throws(ConversionFailure) {
        try JSONInText(limits: limits).append(bytes, to: output)
      } catch {
        return .failure(error)
      }
      return .success(withExtendedLifetime(output) { WrittenValue(output.bytes).json })
    }
    return try result.get()
  }
}
