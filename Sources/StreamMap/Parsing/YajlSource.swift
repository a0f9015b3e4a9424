#if canImport(CYajl)
import CYajl

/// yajl's SAX parser as a source of events: JSON text in, events out.
///
/// Only valid JSON reaches it (`Reading` checks every byte before), cut between tokens. So yajl's known traps cannot occur: it
/// never sees a token that continues in the next chunk, a malformed escape, ill-formed UTF-8 or unbounded depth. If yajl still
/// refuses something, or makes other events of it than reading has tokens, this is reported, never ignored.
///
/// - Numbers come as text (`yajl_number` takes precedence over yajl's own, lossy conversions).
/// - Values of separate records come one after the other through the same handle.
/// - yajl decodes escapes itself; all other code uses `CText/unescape.c`.
///
/// PERF: if every field of a feed is mapped, text through yajl takes twice the instructions of the index, in this layer.
final class YajlSource: EventSource {
  typealias Chunk = RecordChunk.Text

  // Invariant: yajl keeps this pointer for the handle's life; the memory is freed after the handle.
  private let callbacks: UnsafeMutablePointer<yajl_callbacks>
  private var handle: yajl_handle?
  private let sink: EventSink
  /// The token of the coming event, and the end of the chunk's tokens; nil if the text has none.
  private var next: UnsafePointer<FeedToken>?
  private var end: UnsafePointer<FeedToken>?

  init(sink: EventSink) {
    self.sink = sink
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(to: Self.makeCallbacks())
  }

  deinit {
    if let handle { yajl_free(handle) }
    callbacks.deallocate()
  }

  func send(_ chunk: RecordChunk.Text) throws(Refusal) {
    next = chunk.tokens.baseAddress
    end = chunk.tokens.baseAddress.map { $0 + chunk.tokens.count }
    try send(chunk.json)
    guard next == end else {
      reset()
      throw Refusal(message: "fewer events than tokens")
    }
    next = nil
  }

  private func send(_ json: UnsafeBufferPointer<UInt8>) throws(Refusal) {
    guard let last = json.last else { return }
    try parse(json)
    switch last {
    case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\""): break
    default:
      // yajl cannot know that a number is over before it sees what comes after it.
      let space: StaticString = " "
      try parse(UnsafeBufferPointer(start: space.utf8Start, count: 1))
    }
  }

  func reset() {
    next = nil
    // yajl has no reset: the next value gets a new handle.
    if let handle { yajl_free(handle) }
    handle = nil
  }

  private func parse(_ json: UnsafeBufferPointer<UInt8>) throws(Refusal) {
    guard let handle = handle ?? open() else { throw Refusal(message: "out of memory") }
    guard yajl_parse(handle, json.baseAddress, json.count) == yajl_status_ok else {
      throw refusal(of: handle)
    }
  }

  private func open() -> yajl_handle? {
    handle = yajl_alloc(callbacks, nil, Unmanaged.passUnretained(self).toOpaque())
    if let handle {
      _ = streammap_yajl_allow_multiple_values(handle)
      _ = streammap_yajl_skip_utf8_check(handle)
    }
    return handle
  }

  private func refusal(of handle: yajl_handle) -> Refusal {
    defer { reset() }
    // Not verbose: the verbose form reads the caller's buffer around an offset that yajl computes itself.
    guard let text = yajl_get_error(handle, 0, nil, 0) else { return Refusal(message: "unknown") }
    defer { yajl_free_error(handle, text) }
    return Refusal(
      message: String(cString: UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self)))
  }

  private static func makeCallbacks() -> yajl_callbacks {
    yajl_callbacks(
      yajl_null: { YajlSource.send($0) { $0.null() } },
      yajl_boolean: { context, value in YajlSource.send(context) { $0.bool(value != 0) } },
      yajl_integer: nil,
      yajl_double: nil,
      yajl_number: { context, text, length in
        let bytes = UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self)
        return YajlSource.send(context) {
          $0.number(UnsafeBufferPointer(start: bytes, count: length))
        }
      },
      yajl_string: { context, text, length in
        YajlSource.send(context) { $0.string(UnsafeBufferPointer(start: text, count: length)) }
      },
      yajl_start_map: { YajlSource.send($0) { $0.beginObject() } },
      yajl_map_key: { context, text, length in
        YajlSource.send(context) { $0.key(UnsafeBufferPointer(start: text, count: length)) }
      },
      yajl_end_map: { YajlSource.send($0) { $0.endObject() } },
      yajl_start_array: { YajlSource.send($0) { $0.beginArray() } },
      yajl_end_array: { YajlSource.send($0) { $0.endArray() } }
    )
  }

  /// Sends an event to the sink of the source that the context points to, with the address of its token.
  ///
  /// Returns 0, which stops yajl, where there are more events than tokens. The caller of `yajl_parse` keeps the source alive, so
  /// nothing is retained here.
  @inline(__always)
  fileprivate static func send(_ context: UnsafeMutableRawPointer?, _ event: (EventSink) -> Void)
    -> Int32
  {
    guard let context else { return 0 }
    return Unmanaged<YajlSource>.fromOpaque(context)._withUnsafeGuaranteedRef { source in
      if let next = source.next {
        guard let end = source.end, next < end else { return 0 }
        source.next = next + 1
        source.sink.address = next.pointee
      }
      event(source.sink)
      return 1
    }
  }
}
#endif
