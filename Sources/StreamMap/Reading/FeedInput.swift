#if canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Where the bytes of a feed come from, read in pieces.
package protocol FeedInput: AnyObject {
  /// Reads up to `room.count` bytes; 0 at the end.
  func read(into room: UnsafeMutableRawBufferPointer) throws(MappingError) -> Int

  /// Whether the next read need not wait for more input.
  var isReady: Bool { get }

  /// The bytes of a stretch, given by their offsets; nil if they cannot be read again.
  func bytes(in range: Range<Int>) -> [UInt8]?
}

extension FeedInput {
  /// All bytes to the end; nil if they are more than a bound.
  package func contents(upTo bound: Int) throws(MappingError) -> [UInt8]? {
    let window = FeedWindow(size: 1 << 16)
    var bytes: [UInt8] = []
    while true {
      let piece = try window.fill(from: self)
      if piece.isEmpty { return bytes }
      if piece.count > bound - bytes.count { return nil }
      bytes += piece
    }
  }
}

/// Memory that a feed is read into.
package final class FeedWindow {
  /// Large enough to make a read's fixed cost small; small enough to stay in the processor's second-level cache.
  package static let size = 256 << 10

  // Invariant: allocated in `init`, freed in `deinit`.
  private let memory: UnsafeMutableRawBufferPointer

  package init(size: Int = FeedWindow.size) {
    memory = .allocate(byteCount: size, alignment: 64)
  }

  deinit {
    memory.deallocate()
  }

  /// Reads the next piece; none at the end.
  ///
  /// Valid until the next one is read.
  package func fill(from input: any FeedInput) throws(MappingError) -> UnsafeBufferPointer<UInt8> {
    let count = try input.read(into: memory)
    return bytes(in: 0..<count)
  }

  /// The size of the memory.
  var size: Int { memory.count }

  /// The memory from an offset on; valid as long as the window.
  func room(from offset: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: memory[offset...])
  }

  /// Whether bytes lie in it.
  func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = UInt(bitPattern: bytes.baseAddress) &- UInt(bitPattern: memory.baseAddress)
    return start <= UInt(memory.count) && UInt(bytes.count) <= UInt(memory.count) - start
  }

  /// A stretch that something was read into; valid as long as the window, or until something else is read there.
  func bytes(in range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeRawBufferPointer(rebasing: memory[range]).bindMemory(to: UInt8.self)
  }
}

/// A feed in memory.
package final class MemoryInput: FeedInput {
  private let bytes: [UInt8]
  private var position = 0

  package var isReady: Bool { true }

  /// Reads bytes from an offset on.
  package init(_ bytes: [UInt8], from offset: Int = 0) {
    self.bytes = bytes
    position = min(max(offset, 0), bytes.count)
  }

  /// Reads a buffer from an offset on; a buffer that is not an array is copied.
  convenience init(_ buffer: some FeedBuffer, from offset: Int) {
    self.init(buffer as? [UInt8] ?? buffer.withFeedBytes { Array($0) }, from: offset)
  }

  package func read(into room: UnsafeMutableRawBufferPointer) throws(MappingError) -> Int {
    let count = min(room.count, bytes.count - position)
    bytes.withUnsafeBytes {
      room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + count]))
    }
    position += count
    return count
  }

  package func bytes(in range: Range<Int>) -> [UInt8]? {
    range.lowerBound >= 0 && range.upperBound <= bytes.count ? Array(bytes[range]) : nil
  }
}

/// A feed in a file, a pipe or a socket.
package final class FileInput: FeedInput {
  private let descriptor: Int32
  private let isOwned: Bool
  private let name: String
  private lazy var mayBlock: Bool = {
    var status = stat()
    return fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
  }()

  /// Opens a file for reading from an offset on; the file is closed with this object.
  package init(path: String, from offset: Int = 0) throws(MappingError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    isOwned = true
    name = path
    guard descriptor >= 0 else { throw Self.failure("cannot open \(path)", errno) }
    if offset > 0, lseek(descriptor, off_t(offset), SEEK_SET) < 0 {
      throw Self.failure("cannot read \(path)", errno)
    }
  }

  /// Reads from an open descriptor, which stays open.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
    isOwned = false
    name = "file descriptor \(descriptor)"
  }

  deinit {
    if isOwned, descriptor >= 0 { close(descriptor) }
  }

  /// Also true if that cannot be found out: the read will then say what is wrong.
  package var isReady: Bool {
    guard mayBlock else { return true }
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) != 0
  }

  package func read(into room: UnsafeMutableRawBufferPointer) throws(MappingError) -> Int {
    while true {
      let count = readBytes(of: descriptor, into: room)
      if count >= 0 { return count }
      let code = errno
      // Someone has set the descriptor to O_NONBLOCK.
      if code == EAGAIN {
        wait()
      } else if code != EINTR {
        throw Self.failure("cannot read \(name)", code)
      }
    }
  }

  /// Only for what can be read at any offset; the offsets are those of a file that was read from its start.
  package func bytes(in range: Range<Int>) -> [UInt8]? {
    var status = stat()
    guard isOwned, !mayBlock, range.lowerBound >= 0, fstat(descriptor, &status) == 0,
      range.upperBound <= Int(status.st_size)
    else { return nil }
    return [UInt8](unsafeUninitializedCapacity: range.count) { room, count in
      while count < range.count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(room)[count..<range.count])
        let read = pread(descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + count))
        if read == 0 || (read < 0 && errno != EINTR) { return }
        count += max(read, 0)
      }
    }
  }

  private func wait() {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&polled, 1, -1)
  }

  private static func failure(_ what: String, _ code: Int32) -> MappingError {
    MappingError(.io, found: "\(what): \(String(cString: strerror(code)))")
  }
}

/// The system's `read`; a method has its name.
private func readBytes(of descriptor: Int32, into room: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, room.baseAddress, room.count)
}
