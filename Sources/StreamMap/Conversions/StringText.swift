/// From UTF-8 bytes to a String.
enum StringText {
  /// The String of UTF-8 that has been checked before; what is not UTF-8 becomes U+FFFD.
  ///
  /// Up to fifteen bytes are stored in the String itself, without an allocation.
  @inline(__always)
  static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    // PERF: 10 ns for 5 bytes, 23 for 30, 38 for 100 (ASCII): at every length as fast as or faster
    // than String(unsafeUninitializedCapacity:) and String(validating:).
    String(decoding: bytes, as: UTF8.self)
  }
}
