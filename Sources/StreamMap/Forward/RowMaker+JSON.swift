// `JSONValue`s from rows, without events.
extension RowMaker {
  /// The value of a cell; nil if that is not known here.
  final func json(_ cell: UnsafeMutablePointer<RowCell>, of row: RecordRow) -> JSONValue? {
    switch cell.pointee.kind {
    case .absent, .blocked, .head: return nil
    case .null: return .null
    case .members:
      var members: [JSONValue.Member] = []
      var next = cell.pointee.end
      while next > 0 {
        let key = row.cells + Int(next)
        guard let name = string(row.characters(of: key), key.pointee.hasEscapes),
          let value = json(key + 1, of: row)
        else { return nil }
        members.append(JSONValue.Member(name, value))
        next = key.pointee.next
      }
      return areDifferent(members) ? .object(members) : nil
    case .object, .array:
      guard let place = row.place(ofContainer: cell), let index = row.index(of: place) else {
        return nil
      }
      var entry = 0
      return json(from: &entry, Tokens(text: row.text, index: index))
    case .string:
      return string(row.characters(of: cell), cell.pointee.hasEscapes).map { .string($0) }
    case .true: return .bool(true)
    case .false: return .bool(false)
    default: return .number(StringText.string(row.text(of: cell)))
    }
  }

  /// A text, and where its tokens start.
  private struct Tokens {
    let text: UnsafePointer<UInt8>
    let index: UnsafePointer<UInt32>
  }

  /// The value that begins with an entry of the index, which becomes the one after it.
  // The index was checked, and a closed container has at most 64 levels.
  private final func json(from entry: inout Int, _ tokens: Tokens) -> JSONValue? {
    let (text, index) = (tokens.text, tokens.index)
    let start = Int(index[entry])
    switch text[start] {
    case UInt8(ascii: "{"):
      var members: [JSONValue.Member] = []
      repeat {
        entry = passed(entry + 1, tokens)
        if text[Int(index[entry])] == UInt8(ascii: "}") { break }
        guard let key = string(at: entry, tokens) else { return nil }
        // Both quotes, and the colon.
        entry = passed(passed(entry + 2, tokens) + 1, tokens)
        guard let value = json(from: &entry, tokens) else { return nil }
        members.append(JSONValue.Member(key, value))
        entry = passed(entry, tokens)
      } while text[Int(index[entry])] == UInt8(ascii: ",")
      entry += 1
      return areDifferent(members) ? .object(members) : nil
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      repeat {
        entry = passed(entry + 1, tokens)
        if text[Int(index[entry])] == UInt8(ascii: "]") { break }
        guard let value = json(from: &entry, tokens) else { return nil }
        elements.append(value)
        entry = passed(entry, tokens)
      } while text[Int(index[entry])] == UInt8(ascii: ",")
      entry += 1
      return .array(elements)
    case UInt8(ascii: "\""):
      guard let value = string(at: entry, tokens) else { return nil }
      entry += 2
      return .string(value)
    case UInt8(ascii: "t"):
      entry += 1
      return .bool(true)
    case UInt8(ascii: "f"):
      entry += 1
      return .bool(false)
    case UInt8(ascii: "n"):
      entry += 1
      return .null
    default:
      entry += 1
      var end = Int(index[entry])
      while text[end - 1] <= UInt8(ascii: " ") { end -= 1 }
      return .number(
        StringText.string(UnsafeBufferPointer(start: text + start, count: end - start)))
    }
  }

  /// The first entry from one on that is not a line feed.
  @inline(__always)
  private final func passed(_ entry: Int, _ tokens: Tokens) -> Int {
    var entry = entry
    while tokens.text[Int(tokens.index[entry])] == UInt8(ascii: "\n") { entry += 1 }
    return entry
  }

  private final func string(at entry: Int, _ tokens: Tokens) -> String? {
    let start = Int(tokens.index[entry]) + 1
    let content = UnsafeBufferPointer(
      start: tokens.text + start, count: Int(tokens.index[entry + 1]) - start)
    return string(content, content.contains(UInt8(ascii: "\\")))
  }

  @inline(__always)
  private final func string(_ content: UnsafeBufferPointer<UInt8>, _ hasEscapes: Bool) -> String? {
    if !hasEscapes { return StringText.string(content) }
    return decoder.decoded(content).map { StringText.string($0) }
  }

  /// Whether all keys surely differ: the machine knows which of equal ones stays.
  private final func areDifferent(_ members: [JSONValue.Member]) -> Bool {
    if members.count <= 8 {
      for number in members.indices.dropFirst() {
        for other in 0..<number where members[other].key == members[number].key { return false }
      }
      return true
    }
    keys.begin(members.count)
    for member in members {
      var key = member.key
      if !key.withUTF8({ keys.insert($0) }) { return false }
    }
    return true
  }
}
