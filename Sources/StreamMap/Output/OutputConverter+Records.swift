// Records one by one, for whoever takes them as values.
extension OutputConverter {
  /// Reads the next piece of a feed, by memory that is kept until another one is read.
  ///
  /// - Throws: ``MappingError`` (`io`).
  package func read(from input: any FeedInput, by window: FeedWindow) throws(MappingError) {
    guard let room else {
      let bytes = try window.fill(from: input)
      self.input(bytes, isFinal: bytes.isEmpty)
      return
    }
    let count = try input.read(into: room)
    let bytes = UnsafeRawBufferPointer(rebasing: room[..<count]).bindMemory(to: UInt8.self)
    self.input(bytes, isFinal: count == 0)
  }

  /// Takes the next piece of a buffer; with none left, the feed is over.
  package func read(from window: AsyncWindow) {
    let bytes = window.next()
    input(bytes, isFinal: bytes.isEmpty)
  }

  /// The record that is over, with its text, which is all that the output has.
  package func take(_ record: Record<Void>) -> Record<RawJSON> {
    record.with(
      record.result.map {
        var bytes: [UInt8] = []
        takeOutput { bytes = Array($0) }
        return RawJSON(unchecked: bytes)
      })
  }
}
