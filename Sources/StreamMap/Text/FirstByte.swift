extension UnsafeBufferPointer where Element == UInt8 {
  /// The first byte; nil if there is none.
  // PERF: it stands before that of `Collection`, which costs hundreds of instructions where nothing is optimised.
  @inline(__always)
  var first: UInt8? { count > 0 ? baseAddress?.pointee : nil }
}
