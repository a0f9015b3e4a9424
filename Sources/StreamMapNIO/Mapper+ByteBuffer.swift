import NIOCore
import StreamMap

extension Mapper {
  /// Encodes a value as JSON and appends it to a buffer.
  ///
  /// ```swift
  /// var body = ByteBuffer()
  /// try mapper.encode(ann, into: &body)
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - buffer: The buffer; if the value cannot be encoded, nothing is written.
  /// - Throws: `MappingError`, with the path, if a part of the value has no JSON.
  /// - Complexity: O(*n*) in the number of bytes written.
  public func encode(_ value: Value, into buffer: inout ByteBuffer) throws(MappingError) {
    try encode(value) { _ = buffer.writeBytes(UnsafeRawBufferPointer($0)) }
  }
}
