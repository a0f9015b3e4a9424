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

@_cdecl("streammap_index")
public func streammapIndex(
  _ mapping: UnsafeRawPointer?, _ path: UnsafePointer<CChar>?, _ every: Int64,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) {
    let mapper = try MappingExports.mapping(mapping).mapper
    guard every > 0 else {
      throw BindingError(code: "usage", "the distance of places has to be 1 byte or more")
    }
    return try encoded(try FeedIndex(of: try source(path), for: mapper, every: Int(every)))
  }
}

@_cdecl("streammap_parts")
public func streammapParts(
  _ mapping: UnsafeRawPointer?, _ path: UnsafePointer<CChar>?, _ count: Int64,
  _ index: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) {
    let mapper = try MappingExports.mapping(mapping).mapper
    let index = try MappingExports.text(index).map { try decoded(FeedIndex.self, $0, "index") }
    return try encoded(
      try mapper.parts(of: try source(path), count: Int(count), index: index))
  }
}

@_cdecl("streammap_feed_open_part")
public func streammapFeedOpenPart(
  _ mapping: UnsafeRawPointer?, _ path: UnsafePointer<CChar>?, _ part: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutableRawPointer? {
  reporting(to: error, or: nil) {
    let handle = try MappingExports.mapping(mapping)
    let source = try source(path)
    guard let text = try MappingExports.text(part) else {
      throw BindingError(code: "usage", "there is no part")
    }
    let part = try decoded(FeedPart.self, text, "part of a feed")
    let reading = try handle.mapper.reading(part, of: source)
    let made = FeedHandle(
      handle, try reading.open(source), named: try MappingExports.text(path),
      part: FeedHandle.Part(
        reading: reading, format: part.format, isWhole: part.count == 1))
    return Unmanaged.passRetained(made).toOpaque()
  }
}
