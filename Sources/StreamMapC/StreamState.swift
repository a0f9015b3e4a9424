import CStreamMap
import StreamMap
import StreamMapPlatform

/// What an `ArrowArrayStream` points to: it may be moved, and needs nothing but its pointer.
final class StreamState {
  private let feed: FeedHandle
  // Invariant: made by `strdup`; valid until the next error, or the end of the stream.
  private var message: UnsafeMutablePointer<CChar>?

  init(_ feed: FeedHandle) { self.feed = feed }

  deinit { free(message) }

  /// A stream that owns the state.
  var stream: ArrowArrayStream {
    ArrowArrayStream(
      get_schema: { stream, schema in
        StreamState.call(stream) { state in
          guard let schema else { throw BindingError(code: "usage", "there is no room") }
          try state.feed.schema(into: schema)
        }
      },
      get_next: { stream, array in
        StreamState.call(stream) { state in
          guard let array else { throw BindingError(code: "usage", "there is no room") }
          // At the end the array stays without a release callback, which says so.
          _ = try state.feed.next(into: array)
        }
      },
      get_last_error: { stream in
        guard let memory = stream?.pointee.private_data else { return nil }
        return UnsafePointer(
          Unmanaged<StreamState>.fromOpaque(memory).takeUnretainedValue().message)
      },
      release: { stream in
        guard let stream, stream.pointee.release != nil else { return }
        let memory = stream.pointee.private_data
        stream.pointee.release = nil
        stream.pointee.private_data = nil
        guard let memory else { return }
        let state = Unmanaged<StreamState>.fromOpaque(memory)
        if state._withUnsafeGuaranteedRef({ $0.feed.isOfThisProcess }) { state.release() }
      },
      private_data: Unmanaged.passRetained(self).toOpaque())
  }

  private static func call(
    _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ body: (StreamState) throws -> Void
  ) -> Int32 {
    guard let memory = stream?.pointee.private_data else { return EINVAL }
    let state = Unmanaged<StreamState>.fromOpaque(memory).takeUnretainedValue()
    do {
      try body(state)
      return 0
    } catch {
      let error = BindingError(error)
      free(state.message)
      state.message = strdup(error.message)
      return error.code == "io" ? EIO : EINVAL
    }
  }
}
