import StreamMap

/// A number of bytes as users write it: `1000`, `64KiB`, `16MiB`, `1GB`.
package struct ByteSize: Sendable {
  package let bytes: Int

  private static let units: [(name: String, bytes: Int)] = [
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
    ("kB", 1000), ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000),
    ("B", 1),
  ]

  package static let expectation = "a size of at least 1, such as 1000, 64KiB or 16MiB"

  /// A pattern that the texts of sizes match (ECMA-262).
  static let pattern =
    "^[0-9]*[1-9][0-9]*( ?(\(units.map(\.name).joined(separator: "|"))))?$"

  package init?(argument: String) {
    var digits = Substring(argument)
    var factor = 1
    if let unit = Self.units.first(where: { argument.hasSuffix($0.name) }) {
      digits = digits.dropLast(unit.name.count)
      if digits.last == " " { digits.removeLast() }
      factor = unit.bytes
    }
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(digits), count > 0
    else {
      return nil
    }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: factor)
    if overflow { return nil }
    self.bytes = bytes
  }

  /// A number of bytes in the largest unit that it is a multiple of, as an argument: `16MiB`.
  package static func text(_ bytes: Int) -> String {
    let unit = units.prefix(4).last { bytes > 0 && bytes.isMultiple(of: $0.bytes) }
    return unit.map { "\(bytes / $0.bytes)\($0.name)" } ?? "\(bytes)"
  }
}
