/// Units that stand after numbers in texts, and what each multiplies its number by: `250m` is 0.25 where `m` is 0.001.
///
/// The longest unit that ends the text is the one that counts; spaces may stand before it. A number without a unit is as the empty unit
/// says, or stays as it is.
package struct UnitTable: Sendable, Equatable {
  private struct Unit: Sendable, Equatable {
    let text: [UInt8]
    let change: DecimalChange
  }

  /// The longest first.
  private let units: [Unit]
  private let names: String

  /// - Parameter factors: Numbers by their units.
  package init(_ factors: [(unit: String, factor: ExactNumber)]) {
    names = factors.map(\.unit).filter { !$0.isEmpty }.joined(separator: ", ")
    units = factors.map { unit, factor in
      Unit(text: Array(unit.utf8), change: DecimalChange(scale: factor, places: nil))
    }.sorted { $0.text.count > $1.text.count }
  }

  /// What is wrong with it; nil if it is right.
  package var mistake: String? {
    units.lazy.compactMap(\.change.mistake).first
  }

  /// In explanations.
  package var name: String { "units \(names)" }

  /// What a text has to be.
  var failure: ConversionFailure {
    ConversionFailure(expected: "a text that is a number, with a unit (\(names)) or without one")
  }

  /// The number that a text says; valid as long as the text and the room.
  func number(in text: UnsafeBufferPointer<UInt8>, _ room: TextRoom) throws(ConversionFailure)
    -> UnsafeBufferPointer<UInt8>
  {
    for unit in units {
      var end = text.count - unit.text.count
      guard end > 0, text.part(end, text.count).elementsEqual(unit.text) else { continue }
      while !unit.text.isEmpty, end > 0, text[end - 1] == UInt8(ascii: " ") { end -= 1 }
      let number = text.part(0, end)
      if NumberText.isNumber(number) { return try unit.change.applied(to: number, in: room) }
    }
    guard NumberText.isNumber(text) else { throw failure }
    return text
  }
}
