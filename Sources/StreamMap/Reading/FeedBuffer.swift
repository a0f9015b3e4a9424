/// Bytes that are read where they lie.
public protocol FeedBuffer {
  /// Calls the body with the bytes, which stay where they are during the call, in one piece.
  func withFeedBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result
}

extension Array: FeedBuffer where Element == UInt8 {
  public func withFeedBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBufferPointer { bytes throws(Failure) in
      try body(UnsafeRawBufferPointer(bytes))
    }
  }
}
