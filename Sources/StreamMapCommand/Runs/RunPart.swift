import StreamMap

/// The part of its input that a run maps.
struct RunPart {
  /// From 1.
  let number: Int
  /// Whether it is all of the input.
  let isWhole: Bool
  /// As in `3/8, bytes 1000..<2000`.
  let name: String
  let reading: PartReading

  init(_ part: FeedPart, _ reading: PartReading) {
    number = part.number
    isWhole = part.count == 1
    name = "\(part.number)/\(part.count), bytes \(part.bytes)"
    self.reading = reading
  }
}
