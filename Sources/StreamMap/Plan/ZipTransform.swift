/// Joins the lists that are the members of an object to one list of objects: by position, or by what is at a path in the elements.
///
/// Objects of values are joined by their keys, to one object of objects. Each value comes once in the result, under the name of its
/// list. What a list does not have is left out.
final class ZipTransform: OutputTransform, @unchecked Sendable {
  let name: String?
  var hasWayBack: Bool { false }
  let path: ElementPath?

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  /// What one of the lists gives to one of the results.
  private struct Part {
    let name: Bytes
    let value: Bytes
  }

  /// The results while they are put together, in the order in which each began.
  private struct Rows {
    var parts: [[Part]] = []
    /// For objects: their keys, as they are written.
    var keys: [Bytes] = []
    private var places: [WrittenElements.Key: Int] = [:]

    mutating func add(_ part: Part, at index: Int) {
      if index == parts.count { parts.append([]) }
      parts[index].append(part)
    }

    /// The index of the result with a key, which may be a new one.
    mutating func index(of key: Bytes) -> Int {
      let index = places[WrittenElements.Key(WrittenValue(key))] ?? parts.count
      if index == parts.count {
        places[WrittenElements.Key(WrittenValue(key))] = index
        parts.append([])
        keys.append(key)
      }
      return index
    }
  }

  init(by path: ElementPath?) {
    self.path = path
    name = path.map { "zip by \($0.text)" } ?? "zip"
  }

  func output(_ source: OutputValue) -> OutputValue { .json }

  func change(_ written: UnsafeBufferPointer<UInt8>, in room: TransformRoom) throws {
    let output = room.output
    let start = output.count
    var lists: [(name: Bytes, value: Bytes)] = []
    WrittenValue(written).forEachMember { name, value in
      if !WrittenValue(value).isNull { lists.append((name, value)) }
    }
    guard let first = lists.first else { return output.append(WrittenValue.null.text) }
    let isObject = path == nil && WrittenValue(first.value).kind == .object
    for list in lists where WrittenValue(list.value).kind != (isObject ? .object : .array) {
      throw ConversionFailure(
        expected: path == nil
          ? "lists alone, or objects alone; \(Self.text(list.name)) is another value"
          : "lists; \(Self.text(list.name)) is another value")
    }
    let most = room.limits.capturedValue
    if path == nil, !isObject { return try join(&lists, to: output, upTo: start &+ most) }
    var rows = Rows()
    for list in lists {
      if let path {
        try add(list.value, named: list.name, by: path, to: &rows)
      } else {
        addMembers(list.value, named: list.name, to: &rows)
      }
    }
    output.append(UInt8(ascii: isObject ? "{" : "["))
    for (number, parts) in rows.parts.enumerated() {
      if number > 0 { output.append(UInt8(ascii: ",")) }
      if isObject {
        output.append(rows.keys[number])
        output.append(UInt8(ascii: ":"))
      }
      try write(parts, to: output, upTo: start &+ most)
    }
    output.append(UInt8(ascii: isObject ? "}" : "]"))
  }

  private static func text(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Lists

  /// Joins lists by position.
  // PERF: it goes over all of them at once.
  private func join(
    _ lists: inout [(name: Bytes, value: Bytes)], to output: OutputBuffer, upTo end: Int
  ) throws {
    output.append(UInt8(ascii: "["))
    for index in lists.indices { lists[index].value = lists[index].value.part(1, .max) }
    var isFirst = true
    while true {
      var hasParts = false
      for index in lists.indices {
        let rest = WrittenText(lists[index].value)
        let length = rest.endOfValue(from: 0)
        if length == 0 { continue }
        if !hasParts { output.append(isFirst ? "{" : ",{") } else { output.append(",") }
        (hasParts, isFirst) = (true, false)
        let part = Part(name: lists[index].name, value: rest.slice(0, length))
        try write(part, to: output, upTo: end)
        // A comma, or the closing bracket, is after it.
        lists[index].value = lists[index].value.part(length &+ 1, .max)
      }
      if !hasParts { break }
      output.append(UInt8(ascii: "}"))
    }
    output.append(UInt8(ascii: "]"))
  }

  /// Joins the elements of a list to those of other lists with the same value at a path.
  private func add(
    _ list: Bytes, named name: Bytes, by path: ElementPath, to rows: inout Rows
  ) throws {
    var elements: [Bytes] = []
    WrittenValue(list).forEachElement { elements.append($0) }
    for (index, element) in elements.enumerated() {
      let key = path.value(in: element)
      switch key.kind {
      case .string, .number, .boolean: break
      case .null, .array, .object:
        throw ConversionFailure(
          expected: "a string, number or boolean at \(path.text) of each element; that of "
            + "\(Self.text(name))[\(index)] is \(key.kind.phrase)")
      }
      let row = rows.index(of: key.text)
      if let last = rows.parts[row].last, last.name.baseAddress == name.baseAddress {
        throw ConversionFailure(
          expected:
            "another value at \(path.text) of each element; \(Self.text(key.text)) comes twice in "
            + Self.text(name))
      }
      rows.add(Part(name: name, value: element), at: row)
    }
  }

  // MARK: Objects

  /// The last one of equal keys counts.
  private func addMembers(_ object: Bytes, named name: Bytes, to rows: inout Rows) {
    WrittenValue(object).forEachMember { key, value in
      let row = rows.index(of: key)
      if let last = rows.parts[row].last, last.name.baseAddress == name.baseAddress {
        rows.parts[row].removeLast()
      }
      rows.add(Part(name: name, value: value), at: row)
    }
  }

  // MARK: Results

  /// Names may be long, and come once for each value.
  private func write(_ parts: [Part], to output: OutputBuffer, upTo end: Int) throws {
    output.append(UInt8(ascii: "{"))
    for (number, part) in parts.enumerated() {
      if number > 0 { output.append(UInt8(ascii: ",")) }
      try write(part, to: output, upTo: end)
    }
    output.append(UInt8(ascii: "}"))
  }

  private func write(_ part: Part, to output: OutputBuffer, upTo end: Int) throws {
    output.append(part.name)
    output.append(UInt8(ascii: ":"))
    output.append(part.value)
    if output.count > end {
      throw ConversionFailure(
        expected: "lists whose joined text has no more bytes than a captured part may have",
        code: .limitExceeded)
    }
  }
}
