/// A path of files that is made from records: `out/{service}.ndjson`, with the names of fields between braces.
///
/// A value becomes part of a name in a way that cannot lead anywhere else: see ``appendSafe(_:to:)``.
package struct FileTemplate: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case text(String)
    /// By the name of its column.
    case field(String)
  }

  /// As it is written.
  package let path: String
  private let parts: [Part]

  /// Reads a template: `{{` and `}}` are braces; nil if there is no field in it.
  ///
  /// - Throws: ``DefinitionError`` for a brace that is not closed or not opened.
  package init?(_ path: String) throws(DefinitionError) {
    var parts: [Part] = []
    var text = String.UnicodeScalarView()
    // By scalars: what follows a brace may combine with it to one character of Swift.
    var rest = path.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "{" || scalar == "}", rest.first == scalar {
        rest.removeFirst()
        text.append(scalar)
      } else if scalar == "{" {
        guard let end = rest.firstIndex(of: "}"), end > rest.startIndex else {
          throw Self.mistake("'\(path)': a brace has to be closed, or be doubled")
        }
        parts += [.text(String(text)), .field(String(rest[..<end]))]
        text = String.UnicodeScalarView()
        rest = rest[rest.index(after: end)...]
      } else if scalar == "}" {
        throw Self.mistake("'\(path)': a brace has to be opened, or be doubled")
      } else {
        text.append(scalar)
      }
    }
    if parts.isEmpty { return nil }
    self.path = path
    self.parts = parts + [.text(String(text))]
  }

  /// The path of one file: where there is no field in it, `{{` and `}}` are braces, too.
  package static func path(withoutFields path: String) -> String {
    var text = String.UnicodeScalarView()
    var rest = path.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "{" || scalar == "}", rest.first == scalar { rest.removeFirst() }
      text.append(scalar)
    }
    return String(text)
  }

  /// The folder that all its files are in, with its last slash, as far as no field is in its path; empty for the current one.
  package var folder: String {
    guard case .text(let text)? = parts.first else { return "" }
    let name = text.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.count
    return String(decoding: text.utf8.dropLast(name), as: UTF8.self)
  }

  private static func mistake(_ reason: String) -> DefinitionError {
    DefinitionError(reason: reason)
  }

  /// What finds the fields of these records.
  ///
  /// - Throws: ``DefinitionError`` if there is no such field, or it is not a scalar.
  func names(of record: OutputValue) throws(DefinitionError) -> FileNames {
    let columns = OutputColumns(record).columns
    var keys: [[String]] = []
    var made: [FileNames.Part] = []
    for part in parts {
      switch part {
      case .text(let text): made.append(.text(Array(text.utf8)))
      case .field(let name):
        guard let column = columns.first(where: { $0.name == name }) else {
          let names = columns.map(\.name).joined(separator: ", ")
          throw Self.mistake("'\(path)': there is no field '\(name)'; there are \(names)")
        }
        guard column.type.scalar != nil else {
          throw Self.mistake("'\(path)': '\(name)' is not one text, number or truth value")
        }
        let number = keys.firstIndex { $0 == column.keys } ?? keys.count
        if number == keys.count { keys.append(column.keys) }
        made.append(.field(number))
      }
    }
    return FileNames(CellTable(keys, key: JSONText.key), made)
  }
}

/// Makes the paths of files from records.
struct FileNames: Sendable {
  enum Part: Sendable {
    case text([UInt8])
    case field(Int)
  }

  /// The most bytes of all values in a path: names of files may have some 255.
  private static let mostBytes = 180

  private let finder: CellTable
  private let parts: [Part]
  /// The most bytes of a value.
  private let most: Int

  fileprivate init(_ finder: CellTable, _ parts: [Part]) {
    self.finder = finder
    self.parts = parts
    most = max(Self.mostBytes / max(finder.columnCount, 1), 24)
  }

  /// Appends the path of the file that a record belongs to.
  func append(of record: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) {
    guard let cells = JSONCells(record) else { return }
    withUnsafeTemporaryAllocation(of: JSONCell.self, capacity: max(finder.columnCount, 1)) {
      guard let found = $0.baseAddress else { return }
      finder.find(in: cells, found)
      for part in parts {
        switch part {
        case .text(let text): output.append(text)
        case .field(let number): append(found[number], cells, to: output)
        }
      }
    }
  }

  private func append(_ cell: JSONCell, _ cells: JSONCells, to output: OutputBuffer) {
    let text = OutputBuffer()
    if cell.kind == UInt8(ascii: "\"") {
      let inside = cells.inside(cell)
      // The escapes are right: they were checked, or written by ourselves.
      text.append(upTo: inside.count) { StringDecoder.decode(inside, into: $0) ?? 0 }
    } else if cell.kind != 0 {
      text.append(cells.bytes(of: cell))
    }
    Self.append(safe: text.bytes, upTo: most, to: output)
  }

  /// Appends a text as a part of a file's name.
  ///
  /// Letters, digits, `-`, `_`, dots that are not first, and characters beyond ASCII stay; any other byte is `%` and two digits.
  /// An empty text is `_`. If a text is too long, its beginning stays, followed by `~` and a hash of the whole.
  static func append(safe text: UnsafeBufferPointer<UInt8>, upTo most: Int, to output: OutputBuffer)
  {
    if text.isEmpty { return output.append(UInt8(ascii: "_")) }
    let start = output.count
    var cut = start
    for (index, byte) in text.enumerated() {
      // Between two characters, and never within an escape.
      if byte & 0xC0 != 0x80, output.count - start <= most - 17 { cut = output.count }
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), 0x80...:
        output.append(byte)
      case UInt8(ascii: ".") where index > 0: output.append(byte)
      default:
        output.append(UInt8(ascii: "%"))
        appendHexadecimal(UInt64(byte), digits: 2, to: output)
      }
      if output.count - start > most {
        output.truncate(to: cut)
        output.append(UInt8(ascii: "~"))
        return appendHexadecimal(hash(text), digits: 16, to: output)
      }
    }
  }

  private static func appendHexadecimal(_ value: UInt64, digits: Int, to output: OutputBuffer) {
    for place in (0..<digits).reversed() {
      let digit = UInt8(truncatingIfNeeded: value >> UInt64(4 * place)) & 15
      output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
    }
  }

  /// FNV-1a.
  private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    text.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
