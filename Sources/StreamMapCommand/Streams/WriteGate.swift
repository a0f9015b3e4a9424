import Foundation
import Synchronization

/// The way to a file that is written, which can be shut for good while another thread may be writing.
///
/// So a run that hangs can be ended from outside with its files as if only whole pieces had been written.
final class WriteGate: Sendable {
  private static let areShut = Atomic(false)
  /// What a call that writes a file may take before it counts as hanging.
  private static let mostMilliseconds = 100

  let descriptor: Int32
  /// Whether it is a regular file.
  private let isFile: Bool
  private let isWriting = Atomic(false)
  /// The bytes of the last piece that are written, while it is not whole.
  private let unfinished = Atomic(0)

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var status = stat()
    isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// One call of the system; it does not come back where the gates are shut.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    // Either this thread sees that the gates are shut, or who shuts them sees that it writes.
    isWriting.store(true, ordering: .sequentiallyConsistent)
    while Self.areShut.load(ordering: .sequentiallyConsistent) {
      isWriting.store(false, ordering: .sequentiallyConsistent)
      sleep(1)
    }
    let count = Foundation.write(descriptor, bytes.baseAddress, bytes.count)
    let code = errno
    if count > 0 { unfinished.add(count, ordering: .relaxed) }
    isWriting.store(false, ordering: .sequentiallyConsistent)
    errno = code
    return count
  }

  /// The piece is written.
  func endPiece() { unfinished.store(0, ordering: .relaxed) }

  /// Cuts off what there is of a piece that is not whole, if it is a file and nobody else's writing goes to its end.
  ///
  /// - Returns: How many bytes were cut off.
  func takeBackPiece() -> Int {
    let count = unfinished.load(ordering: .relaxed)
    guard isFile, count > 0, fcntl(descriptor, F_GETFL) & O_APPEND == 0 else { return 0 }
    let end = lseek(descriptor, 0, SEEK_CUR) - off_t(count)
    guard end >= 0, ftruncate(descriptor, end) == 0 else { return 0 }
    lseek(descriptor, end, SEEK_SET)
    endPiece()
    return count
  }

  /// Has nothing more be written by any thread.
  static func shut() { areShut.store(true, ordering: .sequentiallyConsistent) }

  /// Once they are shut: cuts off what there is of a piece; a file whose disk hangs is left as it is.
  func takeBackOnceIdle() {
    guard isFile else { return }
    for _ in 0..<Self.mostMilliseconds {
      if !isWriting.load(ordering: .sequentiallyConsistent) {
        _ = takeBackPiece()
        return
      }
      usleep(1000)
    }
  }
}
