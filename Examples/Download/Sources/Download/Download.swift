import AsyncHTTPClient
import Foundation
import NIOCore
import StreamMap
import StreamMapFiles
import StreamMapNIO

/// Downloads a feed, maps it on the way, and appends its records to a file: `Download MAPPING URL FILE`.
///
/// Beside the file there is `FILE.position`: how far it got. A run that was cut off is started again by the same command; it asks the
/// server for the rest (`Range`), and the file is first cut back to what belongs to the position.
@main
struct Download {
  /// What is known of a run after each batch.
  struct Progress: Codable {
    var feed: FeedPosition?
    /// How long the file is with the records up to there.
    var length: UInt64 = 0
    /// What the server calls this version of the feed: another one must not be taken for its rest.
    var version: String?
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 3, let path = arguments.last else {
      throw Failure(description: "usage: Download MAPPING URL FILE")
    }
    let mapper = try MappingFile(contentsOf: arguments[1]).mapper()
    try await run(mapper, arguments[2], path)
  }

  static func run(_ mapper: Mapper<RawJSON>, _ address: String, _ path: String) async throws {
    let note = URL(filePath: path + ".position")
    var progress = Progress()
    if let data = try? Data(contentsOf: note) {
      progress = try JSONDecoder().decode(Progress.self, from: data)
    }
    var request = HTTPClientRequest(url: address)
    if let position = progress.feed, let version = progress.version {
      request.headers.add(name: "Range", value: "bytes=\(position.offset)-")
      request.headers.add(name: "If-Range", value: version)
    }
    let response = try await HTTPClient.shared.execute(request, timeout: .hours(24))
    switch response.status {
    case .ok: progress = Progress(version: version(of: response))
    case .partialContent: break
    default: throw Failure(description: "the server answers \(response.status)")
    }

    if !FileManager.default.fileExists(atPath: path) {
      FileManager.default.createFile(atPath: path, contents: nil)
    }
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: progress.length)
    try file.seekToEnd()

    let size = response.headers.first(name: "content-length").flatMap { Int($0) }
    let start = progress.feed?.offset ?? 0
    let total = size.map { start + $0 }
    let summary = try await mapper.ingest(Feed(response.body, from: progress.feed)) { batch in
      for value in batch.values { try file.write(contentsOf: value.bytes + [UInt8(ascii: "\n")]) }
      for reject in batch.rejects { print("\nrejected: \(reject.error)") }
      guard let position = batch.position else { return }
      // First the records, then the word that they are there: after a crash between the two the file is cut back.
      try file.synchronize()
      progress.feed = position
      progress.length = try file.offset()
      try JSONEncoder().encode(progress).write(to: note, options: .atomic)
      show(position, of: total)
    }
    try file.close()
    print("\n\(summary.verdict): \(summary.mapped) records mapped, \(summary.rejected) rejected")
    guard summary.verdict == .complete else {
      throw Failure(description: summary.reason?.description ?? "the feed is \(summary.verdict)")
    }
    try? FileManager.default.removeItem(at: note)
  }

  /// A strong validator alone makes sure that the rest is of the same bytes.
  static func version(of response: HTTPClientResponse) -> String? {
    let tag = response.headers.first(name: "etag").flatMap { $0.hasPrefix("W/") ? nil : $0 }
    return tag ?? response.headers.first(name: "last-modified")
  }

  static func show(_ position: FeedPosition, of total: Int?) {
    let share = total.map { " of \($0 / 1_000_000) MB (\(100 * position.offset / max($0, 1)) %)" }
    let text = "\(position.offset / 1_000_000) MB\(share ?? ""), \(position.recordCount) records"
    print("\r\(text)", terminator: "")
    fflush(nil)
  }
}
