import CStreamMap
import StreamMap

/// A blob of the caller's, which its callback reads.
///
/// Used by one thread at a time, as the feed is that reads it.
final class BlobSource: @unchecked Sendable {
  private typealias Read = @convention(c) (UnsafePointer<streammap_range>?) -> Int64

  private let read: Read
  private let context: UnsafeMutableRawPointer?
  private let name: String
  private let size: Int
  /// Whether the callback said that it failed.
  private(set) var hasFailed = false

  /// - Throws: ``BindingError`` if it cannot be read.
  init(_ blob: UnsafePointer<streammap_blob>?) throws {
    guard let blob = blob?.pointee, let read = blob.read, let size = Int(exactly: blob.size),
      size >= 0
    else { throw BindingError(code: "usage", "there is no blob") }
    self.read = read
    context = blob.context
    name = try MappingExports.text(blob.name) ?? "a blob"
    self.size = size
  }

  var source: FeedSource {
    .blob(Blob(named: name, size: size) { self.read(into: $0, from: $1) })
  }

  private func read(into room: UnsafeMutableRawBufferPointer, from offset: Int) -> Int {
    if room.isEmpty { return 0 }
    let range = streammap_range(
      context: context, offset: Int64(offset), buffer: room.baseAddress, size: room.count)
    let count = Int(clamping: withUnsafePointer(to: range) { read($0) })
    if !(0...room.count).contains(count) { hasFailed = true }
    return count
  }
}
