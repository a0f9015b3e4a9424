// What `streammap.h` declares of mappings and errors. `@_cdecl`, because Swift 6.2 has no `@c` yet.

import CStreamMap
import StreamMap
import StreamMapFiles
import StreamMapPlatform

enum MappingExports {
  static func mapping(_ pointer: UnsafeRawPointer?) throws -> MappingHandle {
    guard let pointer else { throw BindingError(code: "usage", "there is no mapping") }
    return Unmanaged<MappingHandle>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// A text of the caller's; nil without one.
  ///
  /// - Throws: ``BindingError`` if it is not UTF-8: a repaired path would be that of another file.
  static func text(_ pointer: UnsafePointer<CChar>?) throws -> String? {
    guard let pointer else { return nil }
    if let text = String(validatingCString: pointer) { return text }
    throw BindingError(
      code: "usage", "a text is not UTF-8: \(ShownText.of(String(cString: pointer)))")
  }

  static func schema(
    of mapping: MappingHandle, into schema: UnsafeMutablePointer<ArrowSchema>
  ) throws {
    schema.initialize(to: ArrowSchema())
    try mapping.columns.makeColumns().schema(into: schema)
  }
}

@_cdecl("streammap_version")
public func streammapVersion() -> UnsafePointer<CChar>? { version.pointer }

/// A text that lives as long as the process.
private struct StaticText: @unchecked Sendable {
  // Invariant: never written after it is made.
  let pointer: UnsafePointer<CChar>?

  init(_ text: String) { pointer = UnsafePointer(strdup(text)) }
}

private let version = StaticText(Version.current)

@_cdecl("streammap_error_free")
public func streammapErrorFree(_ error: UnsafeMutablePointer<streammap_error>?) {
  guard let error else { return }
  BindingError.free(error.pointee)
  error.deinitialize(count: 1)
  error.deallocate()
}

@_cdecl("streammap_mapping_open")
public func streammapMappingOpen(
  _ text: UnsafePointer<CChar>?, _ length: Int, _ options: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutableRawPointer? {
  reporting(to: error, or: nil) {
    guard let text, length >= 0 else { throw BindingError(code: "usage", "there is no text") }
    let bytes = UnsafeRawBufferPointer(start: text, count: length)
    guard let content = String(validating: bytes, as: UTF8.self) else {
      throw BindingError("the mapping is not UTF-8")
    }
    let made = try MappingHandle(
      { try MappingHandle.file(content, $0) }, options: try MappingExports.text(options))
    return Unmanaged.passRetained(made).toOpaque()
  }
}

@_cdecl("streammap_mapping_open_file")
public func streammapMappingOpenFile(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutableRawPointer? {
  reporting(to: error, or: nil) {
    guard let path = try MappingExports.text(path) else {
      throw BindingError(code: "usage", "there is no path")
    }
    let made = try MappingHandle(
      { try MappingFile(contentsOf: path, exactly: $0) }, options: try MappingExports.text(options))
    return Unmanaged.passRetained(made).toOpaque()
  }
}

@_cdecl("streammap_mapping_close")
public func streammapMappingClose(_ mapping: UnsafeMutableRawPointer?) {
  if let mapping { Unmanaged<MappingHandle>.fromOpaque(mapping).release() }
}

@_cdecl("streammap_mapping_files")
public func streammapMappingFiles(
  _ mapping: UnsafeRawPointer?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) {
    let mapping = try MappingExports.mapping(mapping)
    let value = JSONValue.object([
      .init("digest", .string(mapping.digest)),
      .init("errors", .string(mapping.errors.mode.rawValue)),
      .init("files", .array(mapping.files.map { .string($0) })),
    ])
    return strdup(value.description)
  }
}

@_cdecl("streammap_mapping_schema")
public func streammapMappingSchema(
  _ mapping: UnsafeRawPointer?, _ schema: UnsafeMutablePointer<ArrowSchema>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> Int32 {
  reporting(to: error, or: -1) {
    guard let schema else { throw BindingError(code: "usage", "there is no room for a schema") }
    try MappingExports.schema(of: try MappingExports.mapping(mapping), into: schema)
    return 0
  }
}
