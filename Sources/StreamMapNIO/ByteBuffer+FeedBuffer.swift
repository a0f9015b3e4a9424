import NIOCore
import StreamMap

extension ByteBuffer: FeedBuffer {
  /// Calls a function with the readable bytes, where they lie; the reader index stays.
  public func withFeedBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // What the buffer offers takes no typed errors.
    let outcome = withUnsafeReadableBytes { bytes -> Swift.Result<Result, Failure> in
      do throws(Failure) {
        return .success(try body(bytes))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}

extension ByteBufferView: FeedBuffer {
  /// Calls a function with the bytes of the view, where they lie.
  public func withFeedBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outcome = withUnsafeBytes { bytes -> Swift.Result<Result, Failure> in
      do throws(Failure) {
        return .success(try body(bytes))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}
