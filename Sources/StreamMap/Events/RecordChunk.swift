/// A part of a record as reading hands it over, to be parsed behind what came before it.
struct RecordChunk {
  /// Valid JSON: the record's text, or what is left of it without the keys, scalars and containers that are apart.
  ///
  /// In what is left an object is an array; nothing is left of a scalar (`emission.h`).
  let json: UnsafeBufferPointer<UInt8>
  /// The addresses of its tokens, one for each event.
  let addresses: UnsafeBufferPointer<SourceAddress>
  /// What the addresses of texts that are apart count from in memory; 0 where the chunk has all texts.
  let textOrigin: UInt

  /// No less than ``size``, and known at once.
  var largestSize: Int {
    guard let first = addresses.first, let last = addresses.last else { return 0 }
    return Int(clamping: max(last.end, first.start) - first.start)
  }

  /// The bytes of the tokens, the same however the feed is cut.
  ///
  /// - Complexity: O(*n*) in the tokens.
  var size: Int {
    var size = 0
    for address in addresses { size &+= address.length }
    return size
  }
}
