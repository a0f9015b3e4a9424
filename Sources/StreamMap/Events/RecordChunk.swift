/// A part of a record as reading hands it over, to be parsed behind what came before it.
struct RecordChunk {
  /// Valid JSON: the record's text, or what is left of it without the texts that are apart.
  ///
  /// Then `""` or `0` stands for strings and numbers, nothing for keys, and an object is an array (`emission.h`).
  let json: UnsafeBufferPointer<UInt8>
  /// The addresses of its tokens, one for each event.
  let addresses: UnsafeBufferPointer<SourceAddress>
  /// What the addresses of texts that are apart count from in memory; 0 where none is.
  let textOrigin: UInt

  /// No less than ``size``, and known at once.
  var largestSize: Int {
    guard let first = addresses.first, let last = addresses.last else { return json.count }
    // A colon goes with each key.
    return json.count + addresses.count
      + Int(clamping: max(last.end, first.start) - first.start)
  }

  /// The bytes with all texts in them, the same however the feed is cut.
  ///
  /// - Complexity: O(*n*) in the tokens.
  var size: Int {
    // There is no white space but what ends a number at the end of a batch.
    let end = json.last == UInt8(ascii: " ") ? 1 : 0
    return addresses.reduce(json.count - end) { $0 + $1.lengthApart(from: textOrigin) }
  }
}
