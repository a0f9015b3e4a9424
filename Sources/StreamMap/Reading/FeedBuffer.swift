import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes of a feed or a message that are read where they lie.
///
/// Arrays of bytes and their slices, strings' UTF-8, `Data`, dispatch data and unsafe buffers are feed buffers. A `Span<UInt8>`
/// is taken by overloads of the same functions. The product `StreamMapNIO` adds `ByteBuffer`.
///
/// Your own collection of bytes becomes one by an empty extension:
///
/// ```swift
/// extension Chunk: FeedBuffer {}
/// ```
///
/// It is read in place where it has `withContiguousStorageIfAvailable`; if not, it is copied once for each call.
public protocol FeedBuffer {
  /// Calls a function with all bytes in one piece; they stay where they are during the call.
  ///
  /// - Parameter body: Reads the bytes.
  /// - Returns: What the function returns.
  /// - Throws: What the function throws.
  func withFeedBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result
}

extension FeedBuffer where Self: Collection, Self.Element == UInt8 {
  /// Calls a function with all bytes in one piece: in place where they are contiguous, or a copy.
  @inlinable
  public func withFeedBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // What the collections offer takes no typed errors.
    let inPlace = withContiguousStorageIfAvailable { bytes -> Swift.Result<Result, Failure> in
      do throws(Failure) {
        return .success(try body(UnsafeRawBufferPointer(bytes)))
      } catch {
        return .failure(error)
      }
    }
    if let inPlace { return try inPlace.get() }
    return try Array(self).withUnsafeBufferPointer { bytes throws(Failure) in
      try body(UnsafeRawBufferPointer(bytes))
    }
  }
}

extension Array: FeedBuffer where Element == UInt8 {}
extension ArraySlice: FeedBuffer where Element == UInt8 {}
extension ContiguousArray: FeedBuffer where Element == UInt8 {}
extension CollectionOfOne: FeedBuffer where Element == UInt8 {}
extension Repeated: FeedBuffer where Element == UInt8 {}
extension UnsafeBufferPointer: FeedBuffer where Element == UInt8 {}
extension UnsafeMutableBufferPointer: FeedBuffer where Element == UInt8 {}
extension UnsafeRawBufferPointer: FeedBuffer {}
extension UnsafeMutableRawBufferPointer: FeedBuffer {}
extension Slice: FeedBuffer where Element == UInt8 {}
extension String.UTF8View: FeedBuffer {}
extension Substring.UTF8View: FeedBuffer {}
extension Data: FeedBuffer {}

extension DispatchData: FeedBuffer {
  /// Calls a function with all bytes in one piece: in place where they are one region, or a copy.
  public func withFeedBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Without bytes there is no region, and what Dispatch offers traps.
    guard count > 0 else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    let outcome = withUnsafeBytes {
      (bytes: UnsafePointer<UInt8>) -> Swift.Result<Result, Failure> in
      do throws(Failure) {
        return .success(try body(UnsafeRawBufferPointer(start: bytes, count: count)))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}

extension FeedBuffer {
  /// The same with bytes instead of raw memory.
  @inlinable
  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withFeedBytes { bytes throws(Failure) in
      try body(bytes.assumingMemoryBound(to: UInt8.self))
    }
  }
}
