import StreamMap

/// A feed that may be compressed: its first bytes tell, and what is not compressed comes as it is.
///
/// Every offset is one of the decompressed text.
package final class DecompressedInput: FeedInput {
  private static let size = 64 << 10

  private let input: any FeedInput
  private let limits: DecompressionLimits
  /// The feed's name in errors; nil if it has none.
  private let name: String?
  // Invariant: allocated in `init`, freed in `deinit`.
  private let memory: UnsafeMutableRawBufferPointer
  /// What of `memory` is not used yet.
  private var rest: Range<Int>
  /// What of the decompressor's last piece is not handed on yet; valid until its next one.
  private var piece = UnsafeRawBufferPointer(start: nil, count: 0)
  private var decompressor: Decompressor?
  private var hasBegun = false
  /// Whether the input said that it ends: it is not asked again.
  private var isOver = false

  /// - Parameters:
  ///   - input: What is read, from its first byte on.
  ///   - name: What errors call it.
  ///   - limits: What it may become.
  package init(
    _ input: any FeedInput, named name: String?,
    limits: DecompressionLimits = DecompressionLimits()
  ) {
    self.input = input
    self.name = name
    self.limits = limits
    memory = .allocate(byteCount: Self.size, alignment: 64)
    rest = 0..<0
  }

  deinit {
    memory.deallocate()
  }

  package var isReady: Bool { !rest.isEmpty || !piece.isEmpty || input.isReady }

  package func read(into room: UnsafeMutableRawBufferPointer) throws(MappingError) -> Int {
    if !hasBegun { try begin() }
    guard let decompressor else { return try readPlain(into: room) }
    while piece.isEmpty {
      var bytes = UnsafeRawBufferPointer(rebasing: memory[rest])
      do throws(DecompressionError) {
        let next = try decompressor.nextPiece(of: &bytes)
        rest = rest.upperBound - bytes.count..<rest.upperBound
        if let next {
          piece = next
          break
        }
      } catch {
        throw failure(error)
      }
      if rest.isEmpty, try !readOn() {
        do throws(DecompressionError) { try decompressor.finish() } catch { throw failure(error) }
        return 0
      }
    }
    let count = min(room.count, piece.count)
    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece[..<count]))
    piece = UnsafeRawBufferPointer(rebasing: piece[count...])
    return count
  }

  private func readPlain(into room: UnsafeMutableRawBufferPointer) throws(MappingError) -> Int {
    if rest.isEmpty {
      if isOver { return 0 }
      let count = try input.read(into: room)
      isOver = count == 0
      return count
    }
    let count = min(room.count, rest.count)
    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[rest.prefix(count)]))
    rest = rest.dropFirst(count)
    return count
  }

  /// Reads as much as says whether the feed is compressed.
  private func begin() throws(MappingError) {
    hasBegun = true
    var count = 0
    repeat {
      let more = try input.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
      isOver = more == 0
      count += more
    } while !isOver && CompressionFormat.mayBecome(startOf: memory[..<count])
    rest = 0..<count
    guard let format = CompressionFormat(startOf: memory[..<count]) else { return }
    do throws(DecompressionError) {
      decompressor = try Decompressor(format, limits: limits)
    } catch {
      throw failure(error)
    }
  }

  /// Reads the next compressed bytes; false at the end.
  private func readOn() throws(MappingError) -> Bool {
    if isOver { return false }
    rest = 0..<(try input.read(into: memory))
    isOver = rest.isEmpty
    return !isOver
  }

  private func failure(_ error: DecompressionError) -> MappingError {
    MappingError(.io, found: "cannot read \(name ?? "the feed"): \(error)")
  }

  /// Only input that is not compressed has such bytes.
  package func bytes(in range: Range<Int>) -> [UInt8]? {
    hasBegun && decompressor == nil ? input.bytes(in: range) : nil
  }
}
