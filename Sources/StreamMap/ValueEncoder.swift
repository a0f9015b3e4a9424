/// Encodes values one after the other into one buffer, with the same options.
///
/// Not thread-safe.
final class ValueEncoder {
  let output: OutputBuffer
  private let encoders: RecordEncoders
  private let plain: JSONWriter?
  private let indented: IndentedJSONWriter?
  /// Nil if the members have to be sorted first.
  private let walk: ReverseWalk?

  private var sink: EventSink? { plain ?? indented }

  init(_ encoders: RecordEncoders, _ options: EncodingOptions) {
    let output = OutputBuffer()
    self.output = output
    self.encoders = encoders
    plain = options.indentation == nil ? JSONWriter(output: output) : nil
    indented = options.indentation.map { IndentedJSONWriter(output: output, spaces: $0) }
    let sink: EventSink? = plain ?? indented
    walk = options.sortsKeys ? nil : sink.map { encoders.walk(into: $0) }
  }

  /// Appends a value; if that fails, the buffer may end with a part of it.
  ///
  /// - Throws: ``MappingError``, with the path, if a part of the value has no JSON.
  func append(_ value: UnsafeRawPointer) throws(MappingError) {
    plain?.beginValue()
    indented?.reset()
    if let walk { return try walk.walk(value) }
    let builder = JSONValueBuilder(depthLimit: JSONValue.maximumDepth, sortsKeys: true)
    try encoders.walk(into: builder).walk(value)
    guard !builder.isTooDeep else {
      throw MappingError(.limitExceeded, path: JSONPath(), expected: JSONValue.depthMessage)
    }
    if let sink { builder.value?.emit(to: sink) }
  }
}
