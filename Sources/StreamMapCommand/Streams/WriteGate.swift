import StreamMapPlatform
import Synchronization

/// The gate through which a file is written; it can be shut for good while another thread may be writing.
///
/// So a run that hangs can be ended from outside, with its files as if only complete pieces had been written.
final class WriteGate: Sendable {
  private static let areShut = Atomic(false)
  /// How long a system call that writes a file may take before it counts as hanging.
  private static let mostMilliseconds = 100

  private let number: Atomic<Int32>
  /// Whether it is a regular file.
  private let isFile: Atomic<Bool>
  private let isWriting = Atomic(false)
  /// The number of written bytes of the last piece, while the piece is incomplete.
  private let unfinished = Atomic(0)

  init(_ descriptor: Int32) {
    number = Atomic(descriptor)
    isFile = Atomic(Self.isFile(descriptor))
  }

  var descriptor: Int32 { number.load(ordering: .sequentiallyConsistent) }

  /// Whether what is written there stays in a regular file.
  static func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Leads to another file of the run, between two pieces.
  func lead(to descriptor: Int32) {
    if descriptor == self.descriptor { return }
    number.store(descriptor, ordering: .sequentiallyConsistent)
    isFile.store(Self.isFile(descriptor), ordering: .sequentiallyConsistent)
  }

  /// Makes one system call; it does not return if the gates are shut.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    // Either this thread sees that the gates are shut, or the thread that shuts them sees that this one writes.
    isWriting.store(true, ordering: .sequentiallyConsistent)
    while Self.areShut.load(ordering: .sequentiallyConsistent) {
      isWriting.store(false, ordering: .sequentiallyConsistent)
      sleep(1)
    }
    let count = StreamMapPlatform.write(descriptor, bytes.baseAddress, bytes.count)
    let code = errno
    if count > 0 { unfinished.add(count, ordering: .relaxed) }
    isWriting.store(false, ordering: .sequentiallyConsistent)
    errno = code
    return count
  }

  /// The piece is written.
  func endPiece() { unfinished.store(0, ordering: .relaxed) }

  /// Cuts off the written part of an incomplete piece, if this is a file that no one else may be appending to.
  ///
  /// - Returns: How many bytes were cut off.
  func takeBackPiece() -> Int {
    let count = unfinished.load(ordering: .relaxed)
    guard isFile.load(ordering: .relaxed), count > 0, fcntl(descriptor, F_GETFL) & O_APPEND == 0
    else { return 0 }
    let end = lseek(descriptor, 0, SEEK_CUR) - off_t(count)
    guard end >= 0, ftruncate(descriptor, end) == 0 else { return 0 }
    lseek(descriptor, end, SEEK_SET)
    endPiece()
    return count
  }

  /// Keeps the first bytes of the file, and continues after them; false if that fails.
  func cut(to count: Int) -> Bool {
    ftruncate(descriptor, off_t(count)) == 0
      && lseek(descriptor, off_t(count), SEEK_SET) == off_t(count)
  }

  /// Makes sure that no thread writes anything more.
  static func shut() { areShut.store(true, ordering: .sequentiallyConsistent) }

  /// After the gates are shut: cuts off the part of an incomplete piece; a file whose disk hangs stays as it is.
  func takeBackOnceIdle() {
    guard isFile.load(ordering: .sequentiallyConsistent) else { return }
    for _ in 0..<Self.mostMilliseconds {
      if !isWriting.load(ordering: .sequentiallyConsistent) {
        _ = takeBackPiece()
        return
      }
      usleep(1000)
    }
  }
}
