// What `streammap.h` declares of indexes and parts.

import CStreamMap
import StreamMap
import StreamMapPlatform

private func encoded(_ value: some Encodable) throws -> UnsafeMutablePointer<CChar>? {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return strdup(String(decoding: try encoder.encode(value), as: UTF8.self))
}

/// Reads what another call has written.
private func decoded<Value: Decodable>(_ type: Value.Type, _ text: String, _ what: String) throws
  -> Value
{
  do {
    return try JSONDecoder().decode(type, from: Data(text.utf8))
  } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
    throw BindingError(code: "invalidDefinition", "it is \(context.debugDescription)")
  } catch {
    throw BindingError(code: "invalidDefinition", "it is no \(what)")
  }
}

private func source(_ path: UnsafePointer<CChar>?) throws -> FeedSource {
  guard let path = try MappingExports.text(path) else {
    throw BindingError(code: "usage", "there is no path")
  }
  return .file(path)
}

/// Does something with a blob.
///
/// - Throws: ``BindingError``: where the callback of the caller fails, it says so.
private func withBlob<Result>(
  _ blob: UnsafePointer<streammap_blob>?, _ body: (BlobSource) throws -> Result
) throws -> Result {
  let source = try BlobSource(blob)
  do {
    return try body(source)
  } catch let error as MappingError where source.hasFailed {
    var made = BindingError(error, of: nil, file: nil)
    made.code = "callback"
    throw made
  }
}

private func index(
  _ mapping: UnsafeRawPointer?, _ source: FeedSource, every distance: Int64
) throws -> UnsafeMutablePointer<CChar>? {
  let mapper = try MappingExports.mapping(mapping).mapper
  guard distance > 0 else {
    throw BindingError(code: "usage", "the distance of places has to be 1 byte or more")
  }
  return try encoded(try FeedIndex(of: source, for: mapper, every: Int(distance)))
}

private func parts(
  _ mapping: UnsafeRawPointer?, _ source: FeedSource, _ count: Int64,
  _ index: UnsafePointer<CChar>?
) throws -> UnsafeMutablePointer<CChar>? {
  let mapper = try MappingExports.mapping(mapping).mapper
  let index = try MappingExports.text(index).map { try decoded(FeedIndex.self, $0, "index") }
  return try encoded(try mapper.parts(of: source, count: Int(count), index: index))
}

private func openPart(
  _ mapping: UnsafeRawPointer?, _ source: FeedSource, _ part: UnsafePointer<CChar>?,
  _ hasFailed: (() -> Bool)? = nil
) throws -> UnsafeMutableRawPointer {
  let handle = try MappingExports.mapping(mapping)
  guard let text = try MappingExports.text(part) else {
    throw BindingError(code: "usage", "there is no part")
  }
  let part = try decoded(FeedPart.self, text, "part of a feed")
  let reading = try handle.mapper.reading(part, of: source)
  let made = FeedHandle(
    handle, try reading.open(source), named: source.name, hasFailed: hasFailed,
    part: FeedHandle.Part(reading: reading, format: part.format, isWhole: part.count == 1))
  return Unmanaged.passRetained(made).toOpaque()
}

@_cdecl("streammap_index")
public func streammapIndex(
  _ mapping: UnsafeRawPointer?, _ path: UnsafePointer<CChar>?, _ every: Int64,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { try index(mapping, try source(path), every: every) }
}

@_cdecl("streammap_index_blob")
public func streammapIndexBlob(
  _ mapping: UnsafeRawPointer?, _ blob: UnsafePointer<streammap_blob>?, _ every: Int64,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) {
    try withBlob(blob) { try index(mapping, $0.source, every: every) }
  }
}

@_cdecl("streammap_parts")
public func streammapParts(
  _ mapping: UnsafeRawPointer?, _ path: UnsafePointer<CChar>?, _ count: Int64,
  _ index: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { try parts(mapping, try source(path), count, index) }
}

@_cdecl("streammap_parts_blob")
public func streammapPartsBlob(
  _ mapping: UnsafeRawPointer?, _ blob: UnsafePointer<streammap_blob>?, _ count: Int64,
  _ index: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) {
    try withBlob(blob) { try parts(mapping, $0.source, count, index) }
  }
}

@_cdecl("streammap_feed_open_part")
public func streammapFeedOpenPart(
  _ mapping: UnsafeRawPointer?, _ path: UnsafePointer<CChar>?, _ part: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutableRawPointer? {
  reporting(to: error, or: nil) { try openPart(mapping, try source(path), part) }
}

@_cdecl("streammap_feed_open_part_blob")
public func streammapFeedOpenPartBlob(
  _ mapping: UnsafeRawPointer?, _ blob: UnsafePointer<streammap_blob>?,
  _ part: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutableRawPointer? {
  reporting(to: error, or: nil) {
    try withBlob(blob) { blob in
      try openPart(mapping, blob.source, part) { blob.hasFailed }
    }
  }
}
