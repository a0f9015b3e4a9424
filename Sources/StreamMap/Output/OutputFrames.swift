/// Output records, each with the path of its file, to be written into several files.
///
/// A frame is two numbers of eight bytes, the lengths of what follows: the path, which may be empty, and the record as it is written.
package enum OutputFrames {
  private static let headSize = 16

  static func append(
    to output: OutputBuffer, path: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>
  ) {
    output.append(upTo: headSize) { room in
      UnsafeMutableRawPointer(room).storeBytes(of: path.count, as: Int.self)
      UnsafeMutableRawPointer(room).storeBytes(of: text.count, toByteOffset: 8, as: Int.self)
      return headSize
    }
    output.append(path)
    output.append(text)
  }

  /// Calls `body` with the path and the text of each record.
  package static func forEach(
    in frames: UnsafeRawBufferPointer,
    _ body: (_ path: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    var start = 0
    while frames.count - start >= headSize {
      let path = frames.loadUnaligned(fromByteOffset: start, as: Int.self)
      let text = frames.loadUnaligned(fromByteOffset: start + 8, as: Int.self)
      start += headSize
      guard path >= 0, text >= 0, path + text <= frames.count - start else { return }
      try body(
        UnsafeRawBufferPointer(rebasing: frames[start..<start + path]),
        UnsafeRawBufferPointer(rebasing: frames[start + path..<start + path + text]))
      start += path + text
    }
  }
}
