import CYajl

/// yajl's SAX parser as a source of events.
///
/// Only valid JSON reaches it (`Reading` checks every byte before), cut between tokens, so none of yajl's traps can be
/// met: it never sees a token that goes on in the next chunk, a malformed escape, ill-formed UTF-8 or unbounded
/// depth. Should yajl refuse something nevertheless, that is reported, never ignored.
///
/// - What a chunk leaves out (``RecordChunk``) is sent all the same, from the tokens beside it, before yajl's event for what comes
///   behind it. So yajl decodes escapes, and opens and closes each record and what is around them, and does not go again over what is
///   checked and stands as it is meant.
/// - Numbers come as text (`yajl_number` takes precedence over yajl's own, lossy conversions).
/// - Values of separate records come one after the other through the same handle.
///
/// Not thread-safe; one parser belongs to one engine.
final class YajlParser {
  /// yajl refused what reading had accepted, or memory ran out.
  struct Refusal: Error {
    let message: String
  }

  // Invariant: yajl keeps this pointer for the handle's life; the memory is freed after the handle.
  private let callbacks: UnsafeMutablePointer<yajl_callbacks>
  private var handle: yajl_handle?
  // Kept alive here; yajl's context points to it unretained.
  private let sink: EventSink

  init(sink: EventSink) {
    self.sink = sink
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(to: Self.makeCallbacks())
  }

  deinit {
    if let handle { yajl_free(handle) }
    callbacks.deallocate()
  }

  /// Sends the events of a chunk to the sink, with their addresses.
  ///
  /// - Parameters:
  ///   - chunk: What follows on what was given before.
  ///   - isWhole: Whether the value is over with it; else it goes on in the next chunk.
  /// - Throws: ``Refusal`` where yajl does not take it.
  func parse(_ chunk: RecordChunk, isWhole: Bool) throws(Refusal) {
    sink.addresses = chunk.addresses.baseAddress
    sink.addressesEnd = chunk.addresses.baseAddress.map { $0 + chunk.addresses.count }
    sink.textOrigin = chunk.textOrigin
    defer { sink.addressesEnd = nil }
    if let last = chunk.json.last {
      try parse(chunk.json)
      // Only a number is not known to be over by its own last byte.
      if isWhole, last != UInt8(ascii: "}"), last != UInt8(ascii: "]") { try endValue() }
    }
    Self.sendApart(to: sink)
  }

  /// Sends the events of a text to the sink.
  ///
  /// - Parameter json: Text that follows on what was given before; the value in it may go on in the next.
  /// - Throws: ``Refusal`` where yajl does not take it.
  func parse(_ json: UnsafeBufferPointer<UInt8>) throws(Refusal) {
    guard let handle = handle ?? open() else { throw Refusal(message: "out of memory") }
    guard yajl_parse(handle, json.baseAddress, json.count) == yajl_status_ok else {
      throw refusal(of: handle)
    }
  }

  /// Ends a value: a number at the top level is only known to be whole by this.
  func endValue() throws(Refusal) {
    let space: StaticString = " "
    try parse(UnsafeBufferPointer(start: space.utf8Start, count: 1))
  }

  /// Throws a value away that is not whole.
  ///
  /// The next chunk starts a new one.
  func reset() {
    // yajl has no reset: the next value gets a new handle.
    if let handle { yajl_free(handle) }
    handle = nil
  }

  private func open() -> yajl_handle? {
    handle = yajl_alloc(callbacks, nil, Unmanaged.passUnretained(sink).toOpaque())
    if let handle {
      _ = streammap_yajl_allow_multiple_values(handle)
      _ = streammap_yajl_skip_utf8_check(handle)
    }
    return handle
  }

  private func refusal(of handle: yajl_handle) -> Refusal {
    // Not verbose: the verbose form reads the caller's buffer around an offset of its own reckoning.
    guard let text = yajl_get_error(handle, 0, nil, 0) else { return Refusal(message: "unknown") }
    defer { yajl_free_error(handle, text) }
    let message = String(cString: UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self))
    reset()
    return Refusal(message: message)
  }

  private static func makeCallbacks() -> yajl_callbacks {
    yajl_callbacks(
      yajl_null: { context in
        YajlParser.send(context) { $0.null() }
      },
      yajl_boolean: { context, value in
        YajlParser.send(context) { $0.bool(value != 0) }
      },
      yajl_integer: nil,
      yajl_double: nil,
      yajl_number: { context, text, length in
        let bytes = UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self)
        return YajlParser.send(context) {
          $0.number(UnsafeBufferPointer(start: bytes, count: length))
        }
      },
      yajl_string: { context, text, length in
        YajlParser.send(context) {
          let bytes = UnsafeBufferPointer(start: text, count: length)
          if YajlParser.next(of: $0)?.isKey == true { $0.key(bytes) } else { $0.string(bytes) }
        }
      },
      yajl_start_map: { context in
        YajlParser.send(context) { $0.beginObject() }
      },
      yajl_map_key: { context, text, length in
        YajlParser.send(context) { $0.key(UnsafeBufferPointer(start: text, count: length)) }
      },
      yajl_end_map: { context in
        YajlParser.send(context) { $0.endObject() }
      },
      yajl_start_array: { context in
        YajlParser.send(context) {
          if YajlParser.next(of: $0)?.isObject == true { $0.beginObject() } else { $0.beginArray() }
        }
      },
      yajl_end_array: { context in
        YajlParser.send(context) {
          if YajlParser.next(of: $0)?.isObject == true { $0.endObject() } else { $0.endArray() }
        }
      }
    )
  }

  /// The token that the sink is about to be told of, if there is a table of them.
  @inline(__always)
  fileprivate static func next(of sink: EventSink) -> SourceAddress? {
    guard let next = sink.addresses, let end = sink.addressesEnd, next < end else { return nil }
    return next.pointee
  }

  /// Tells the sink of what comes next and is not in the chunk.
  @inline(__always)
  fileprivate static func sendApart(to sink: EventSink) {
    if next(of: sink)?.isApart == true { sendAllApart(to: sink) }
  }

  @inline(never)
  private static func sendAllApart(to sink: EventSink) {
    guard var next = sink.addresses, let end = sink.addressesEnd else { return }
    let origin = sink.textOrigin
    while next < end, next.pointee.isApart {
      let token = next.pointee
      next += 1
      let text = token.text(from: origin)
      switch text.first {
      case UInt8(ascii: "\""):
        let inside = UnsafeBufferPointer(rebasing: text[1..<max(text.count - 1, 1)])
        if token.isKey { sink.key(inside) } else { sink.string(inside) }
      case UInt8(ascii: "["): sink.beginArray()
      case UInt8(ascii: "]"): sink.endArray()
      case UInt8(ascii: "{"): sink.beginObject()
      case UInt8(ascii: "}"): sink.endObject()
      case UInt8(ascii: "t"): sink.bool(true)
      case UInt8(ascii: "f"): sink.bool(false)
      case UInt8(ascii: "n"): sink.null()
      default: sink.number(text)
      }
    }
  }

  /// Calls the sink that the context points to, first with what the chunk leaves out before the event.
  ///
  /// The parser keeps it alive, so nothing is retained here.
  @inline(__always)
  fileprivate static func send(_ context: UnsafeMutableRawPointer?, _ event: (EventSink) -> Void)
    -> Int32
  {
    guard let context else { return 0 }
    Unmanaged<EventSink>.fromOpaque(context)._withUnsafeGuaranteedRef { sink in
      sendApart(to: sink)
      event(sink)
    }
    return 1
  }
}
