/// The numbers of lines and records if it is not known how many came before: in a part of a feed without an index.
///
/// They count on from values that no feed reaches. Outside, they are shown as no number.
@usableFromInline
enum Uncounted {
  /// The first such line; a token has room for as many again.
  static let line = 1 << 40

  /// How many records came before the first such record.
  @inlinable static var record: Int { 1 << 59 }

  /// The number of a record, as it is shown outside.
  @inlinable
  static func shown(_ number: Int) -> Int { number > record ? 0 : number }
}
