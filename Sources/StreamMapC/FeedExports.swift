// What `streammap.h` declares of feeds.

import CStreamMap
import StreamMap
import StreamMapPlatform

/// A feed, whether it gives columns or text.
private func anyFeed(_ pointer: UnsafeRawPointer?) throws -> FeedHandle {
  guard let pointer else { throw BindingError(code: "usage", "there is no feed") }
  return Unmanaged<FeedHandle>.fromOpaque(pointer).takeUnretainedValue()
}

/// A feed that is the caller's.
private func feed(_ pointer: UnsafeRawPointer?) throws -> FeedHandle {
  let feed = try anyFeed(pointer)
  if feed.belongsToStream {
    throw BindingError(code: "usage", "the feed belongs to a stream already")
  }
  return feed
}

private func open(
  _ mapping: UnsafeRawPointer?, _ name: UnsafePointer<CChar>?, _ error: ErrorPlace,
  _ makeInput: () throws -> any FeedInput
) -> UnsafeMutableRawPointer? {
  reporting(to: error, or: nil) {
    let made = FeedHandle(
      try MappingExports.mapping(mapping), try makeInput(), named: try MappingExports.text(name))
    return Unmanaged.passRetained(made).toOpaque()
  }
}

@_cdecl("streammap_feed_open_file")
public func streammapFeedOpenFile(
  _ mapping: UnsafeRawPointer?, _ path: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutableRawPointer? {
  open(mapping, path, error) {
    guard let path = try MappingExports.text(path) else {
      throw BindingError(code: "usage", "there is no path")
    }
    return try FileInput(path: path)
  }
}

@_cdecl("streammap_feed_open_descriptor")
public func streammapFeedOpenDescriptor(
  _ mapping: UnsafeRawPointer?, _ descriptor: Int32, _ name: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutableRawPointer? {
  open(mapping, name, error) { FileInput(descriptor: descriptor) }
}

@_cdecl("streammap_feed_open_memory")
public func streammapFeedOpenMemory(
  _ mapping: UnsafeRawPointer?, _ bytes: UnsafeRawPointer?, _ length: Int,
  _ name: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutableRawPointer? {
  open(mapping, name, error) {
    guard length == 0 || length > 0 && bytes != nil else {
      throw BindingError(code: "usage", "there are no bytes")
    }
    return MemoryInput(Array(UnsafeRawBufferPointer(start: bytes, count: length)))
  }
}

@_cdecl("streammap_feed_open_callback")
public func streammapFeedOpenCallback(
  _ mapping: UnsafeRawPointer?,
  _ read: (@convention(c) (UnsafeMutableRawPointer?) -> UnsafePointer<streammap_piece>?)?,
  _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutableRawPointer? {
  open(mapping, name, error) {
    guard let read else { throw BindingError(code: "usage", "there is no callback") }
    return CallbackInput(PieceSource(read, context).read)
  }
}

@_cdecl("streammap_feed_close")
public func streammapFeedClose(_ feed: UnsafeMutableRawPointer?) {
  guard let feed else { return }
  let memory = Unmanaged<FeedHandle>.fromOpaque(feed)
  // In a fork it stays: the fork does not have the threads that would end. A feed of a stream ends with the stream.
  let isOwned = memory._withUnsafeGuaranteedRef { $0.isOfThisProcess && !$0.belongsToStream }
  if isOwned { memory.release() }
}

@_cdecl("streammap_feed_on_reject")
public func streammapFeedOnReject(
  _ pointer: UnsafeMutableRawPointer?,
  _ reject: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<streammap_error>?) -> Int32
  )?,
  _ context: UnsafeMutableRawPointer?
) {
  guard let handle = try? feed(pointer) else { return }
  handle.onReject(
    reject.map { reject in
      { error in
        var memory = error.memory
        defer { BindingError.free(memory) }
        return withUnsafePointer(to: &memory) { reject(context, $0) } == 0
      }
    })
}

@_cdecl("streammap_feed_on_progress")
public func streammapFeedOnProgress(
  _ pointer: UnsafeMutableRawPointer?,
  _ progress: (@convention(c) (UnsafeMutableRawPointer?) -> Int32)?,
  _ context: UnsafeMutableRawPointer?
) {
  guard let handle = try? feed(pointer) else { return }
  handle.onProgress(progress.map { progress in { progress(context) == 0 } })
}

@_cdecl("streammap_feed_next")
public func streammapFeedNext(
  _ pointer: UnsafeMutableRawPointer?, _ array: UnsafeMutablePointer<ArrowArray>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> Int32 {
  reporting(to: error, or: -1) {
    guard let array else { throw BindingError(code: "usage", "there is no room for an array") }
    return try feed(pointer).next(into: array) ? 1 : 0
  }
}

@_cdecl("streammap_feed_read")
public func streammapFeedRead(
  _ pointer: UnsafeMutableRawPointer?, _ buffer: UnsafeMutableRawPointer?, _ size: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> Int64 {
  reporting(to: error, or: -1) {
    guard size > 0, let buffer else {
      throw BindingError(code: "usage", "there is no room for bytes")
    }
    return Int64(try feed(pointer).read(into: .init(start: buffer, count: size)))
  }
}

@_cdecl("streammap_feed_counts")
public func streammapFeedCounts(_ pointer: UnsafeRawPointer?) -> streammap_counts {
  (try? anyFeed(pointer))?.counts ?? streammap_counts()
}

@_cdecl("streammap_feed_notes")
public func streammapFeedNotes(
  _ pointer: UnsafeRawPointer?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) {
    strdup(JSONValue.array(try anyFeed(pointer).notes.map { .string($0) }).description)
  }
}

@_cdecl("streammap_feed_stream")
public func streammapFeedStream(
  _ pointer: UnsafeMutableRawPointer?, _ stream: UnsafeMutablePointer<ArrowArrayStream>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> Int32 {
  reporting(to: error, or: -1) {
    let feed = try feed(pointer)
    guard let stream, let pointer else {
      throw BindingError(code: "usage", "there is no room for a stream")
    }
    try feed.giveToStream()
    let state = StreamState(feed)
    // The stream takes the place of who had the feed.
    Unmanaged<FeedHandle>.fromOpaque(pointer).release()
    stream.initialize(to: state.stream)
    return 0
  }
}
