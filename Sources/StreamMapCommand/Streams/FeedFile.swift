import Foundation
import StreamMap

/// A feed that is read through a reused window, with some of what went before it.
final class FeedFile {
  /// What a rejected record may take to be shown.
  static let textSize = 64 << 10
  private static let windowSize = 256 << 10
  private static let pieceSize = windowSize + textSize

  let name: String
  private(set) var bytesRead = 0
  private let descriptor: Int32
  /// Whether reading may have to wait for somebody.
  private let mayBlock: Bool
  /// What stays of the bytes before those that were read last.
  private let historySize: Int

  // Invariant: allocated in `init`, freed in `deinit`. `memory[..<end]` is what was read last, up
  // to `bytesRead`.
  private let memory: UnsafeMutableRawBufferPointer
  private var end = 0

  /// Opens a file, or standard input for `-`.
  ///
  /// A record whose text is asked for may end this far ahead of the last piece.
  init(_ path: String, ahead: Int) throws(SystemError) {
    name = path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open \(path)") }
    var status = stat()
    mayBlock = fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
    historySize = ahead + Self.textSize
    // Twice the history, so that no byte is moved up more than once.
    memory = .allocate(byteCount: historySize + max(historySize, Self.windowSize), alignment: 64)
  }

  deinit {
    memory.deallocate()
    if descriptor != STDIN_FILENO { close(descriptor) }
  }

  /// As in messages.
  var title: String { name == "-" ? "standard input" : name }

  /// Its format: its name tells it, where the mapping does not.
  func format(_ known: FeedFormat) -> FeedFormat {
    guard known == .auto else { return known }
    switch URL(fileURLWithPath: name).pathExtension.lowercased() {
    case "ndjson", "jsonl": return .ndjson
    case "json-seq": return .sequence
    default: return .auto
    }
  }

  /// Whether something is there to be read now, be it the end.
  ///
  /// True also where that cannot be told: what is the matter, the read will say.
  var isReady: Bool { !mayBlock || isReadable(within: 0) }

  /// Reads the next piece; none at the end, or when the run is interrupted.
  ///
  /// It is valid until the next one is read.
  func read() throws(SystemError) -> UnsafeBufferPointer<UInt8> {
    if memory.count - end < Self.textSize { keepHistory() }
    while true {
      if mayBlock { _ = isReadable(within: -1) }
      if Interruption.happened { return UnsafeBufferPointer(start: nil, count: 0) }
      let room = UnsafeMutableRawBufferPointer(rebasing: memory[end...].prefix(Self.pieceSize))
      let count = Foundation.read(descriptor, room.baseAddress, room.count)
      if count >= 0 {
        end += count
        bytesRead += count
        return UnsafeRawBufferPointer(rebasing: room[..<count]).bindMemory(to: UInt8.self)
      }
      if errno != EINTR && errno != EAGAIN { throw SystemError("read \(title)") }
    }
  }

  private func keepHistory() {
    let kept = min(end, historySize)
    memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[end - kept..<end]))
    end = kept
  }

  /// True also where waiting is not possible or was ended by a signal.
  private func isReadable(within milliseconds: Int32) -> Bool {
    var polled = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: Interruption.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    return poll(&polled, nfds_t(polled.count), milliseconds) != 0
  }

  /// The text of a stretch of the feed; nil where it is gone, or too long to be shown.
  func text(of range: Range<Int>) -> String? {
    let start = bytesRead - end
    guard range.count <= Self.textSize, range.lowerBound >= start, range.upperBound <= bytesRead
    else {
      return nil
    }
    return String(
      decoding: memory[range.lowerBound - start..<range.upperBound - start], as: UTF8.self)
  }
}
