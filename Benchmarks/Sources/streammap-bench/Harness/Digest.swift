/// What a contender read, in a few numbers that do not depend on the order of records' members: two contenders that
/// read the same have the same digest.
///
/// Hashing texts takes time that is not the contender's own, so a timed run only counts: `hashes` is off.
struct Digest: Codable, Equatable {
  /// The number of records.
  var count = 0
  /// Whole numbers, each times its field's salt, with wrap-around.
  var integers: UInt64 = 0
  /// The same sum with the whole numbers rounded to Double, for contenders that know no others.
  var roundedIntegers: UInt64?
  /// The sum of the doubles, in their order.
  var doubles = 0.0
  /// The sum of the doubles' bits.
  var bits: UInt64 = 0
  /// The number of bytes in all texts.
  var textBytes = 0
  /// FNV-1a of each text, starting from its field's salt, added up with wrap-around.
  var texts: UInt64 = 0

  /// How exactly a contender's digest must match.
  enum Comparison {
    case exact
    /// Whole numbers beyond 2^53 are rounded.
    case roundedIntegers
    /// The last digit of doubles may differ.
    case nearDoubles
  }

  func matches(_ reference: Digest, _ comparison: Comparison) -> Bool {
    let tolerance = comparison == .nearDoubles ? reference.doubles.magnitude * 1e-12 : 0
    let integersMatch =
      comparison == .roundedIntegers
      ? roundedIntegers == reference.roundedIntegers : integers == reference.integers
    return count == reference.count && integersMatch && textBytes == reference.textBytes
      && texts == reference.texts && (comparison == .nearDoubles || bits == reference.bits)
      && (doubles - reference.doubles).magnitude <= tolerance
  }
}

/// Adds up a digest.
struct DigestBuilder {
  private(set) var digest = Digest()
  private let hashes: Bool

  init(hashes: Bool) {
    self.hashes = hashes
    digest.roundedIntegers = hashes ? 0 : nil
  }

  /// Counts a record that has no values to read.
  mutating func addRecord() { digest.count += 1 }

  /// Counts a record, and reads its values.
  // PERF: static dispatch, as in the peers' loops: a closure for each record took a tenth of the time of small ones.
  @inline(__always)
  mutating func add(_ record: some Digestible) {
    addRecord()
    record.read(by: &self)
  }

  mutating func add(_ integer: Int, salt: UInt64) {
    digest.integers &+= UInt64(bitPattern: Int64(integer)) &* salt
    guard hashes, let rounded = Int64(exactly: Double(integer)) else { return }
    digest.roundedIntegers = (digest.roundedIntegers ?? 0) &+ UInt64(bitPattern: rounded) &* salt
  }

  mutating func add(_ double: Double) {
    digest.doubles += double
    digest.bits &+= double.bitPattern
  }

  mutating func add(_ text: String, salt: UInt64) {
    digest.textBytes += text.utf8.count
    guard hashes else { return }
    var hash = 0xCBF2_9CE4_8422_2325 ^ salt
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    digest.texts &+= hash
  }
}

/// A record whose values a digest reads.
protocol Digestible {
  func read(by digest: inout DigestBuilder)
}
