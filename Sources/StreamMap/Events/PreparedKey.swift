/// A key that is sent often, with its JSON text.
struct PreparedKey: BitwiseCopyable {
  /// How many bytes after `member` have to be readable, so that it can be copied in whole vectors.
  static let padding = 16

  let text: UnsafeBufferPointer<UInt8>
  /// `,"key":` with the escapes it needs.
  let member: UnsafeBufferPointer<UInt8>
}
