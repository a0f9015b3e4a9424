import StreamMap
import StreamMapFiles

/// How often each path occurs in the records of a feed, and how many bytes it costs.
struct PathCosts {
  /// Paths beyond this number are not told apart.
  private static let mostPaths = 20_000

  /// What is known of a path.
  private struct Cost {
    var count = 0
    var bytes = 0
  }

  private(set) var count = 0
  /// Whether there are more records.
  private var isCut = false
  /// The errors of records that are not JSON.
  private(set) var faults: [MappingError] = []
  private var costs: [PathPattern: Cost] = [:]
  /// The paths in the order in which they first came.
  private var order: [PathPattern] = []
  /// The number of values at paths that are not told apart.
  private var others = 0
  /// The number of bytes of all records.
  private var bytes = 0
  private let mapping: MappingFile
  /// The fields that come from a path, and the paths in their order.
  private var fields: [PathPattern: [String]] = [:]
  private var sources: [PathPattern] = []

  /// Nothing yet of the feeds of a mapping.
  init(_ mapping: MappingFile) throws {
    self.mapping = mapping
    for (source, field) in mapping.sources {
      if fields[source] == nil { sources.append(source) }
      let name = field.map { $0.steps.isEmpty ? "$" : ShownText.relative($0) } ?? "(condition)"
      if fields[source]?.contains(name) != true { fields[source, default: []].append(name) }
    }
  }

  /// Reads the first records of a feed, `-` for standard input.
  ///
  /// - Throws: ``SystemError``, `DefinitionError`, `MappingError`.
  mutating func read(_ path: String, most: Int) throws {
    try FeedFile.look(at: path)
    let feed = try FeedFile(path)
    let paths = RecordPaths(mapping.records)
    // The errors of records show keys, too.
    let json = mapping.hidesValues ? Mapping<JSONValue>.json.redacted() : .json
    let mapper = try Mapper(json, limits: mapping.limits)
    let stream = try mapper.stream(at: paths, format: feed.format(mapping.format))
    while !isCut {
      let piece = Array(try feed.read())
      if piece.isEmpty { break }
      stream.feed(piece) { take($0, most) }
    }
    if !isCut { stream.finish { take($0, most) } }
  }

  private mutating func take(_ record: Record<JSONValue>, _ most: Int) {
    if count == most { isCut = true }
    if isCut { return }
    switch record.result {
    case .success(let value):
      count += 1
      bytes += add(value, at: [], from: Array(sources.indices), key: 0)
    case .failure(let error): faults.append(error)
    }
  }

  /// Adds what a value and all inside it cost, and returns the number of bytes of its text with its key.
  ///
  /// - Parameter matching: The numbers of the sources that may lead here: all their steps so far do.
  // A value is at most `JSONValue.maximumDepth` levels deep.
  private mutating func add(
    _ value: JSONValue, at steps: [PathPattern.Step], from matching: [Int], key: Int
  ) -> Int {
    var size = key
    /// The sources that lead further by a step.
    func inside(_ leads: (PathPattern.Step) -> Bool) -> [Int] {
      matching.filter { number in
        let source = sources[number].steps
        return source.count > steps.count && leads(source[steps.count])
      }
    }
    switch value {
    case .array(let elements):
      size += 2 + max(elements.count - 1, 0)
      for (index, element) in elements.enumerated() {
        let further = inside { $0 == .wildcard || $0 == .index(index) }
        size += add(element, at: steps + [.wildcard], from: further, key: 0)
      }
    case .object(let members):
      size += 2 + max(members.count - 1, 0)
      for member in members {
        let key = JSONValue.string(member.key).description.utf8.count + 1
        let further = inside { $0 == .wildcard || $0 == .key(member.key) }
        size += add(member.value, at: steps + [.key(member.key)], from: further, key: key)
      }
    default: size += value.description.utf8.count
    }
    let path = PathPattern(steps)
    note(path, size)
    // A source may name one of the elements or all members, where the paths of the feed name all elements and one member.
    for number in matching where sources[number].steps.count == steps.count {
      if sources[number] != path { note(sources[number], size) }
    }
    return size
  }

  private mutating func note(_ path: PathPattern, _ size: Int) {
    if costs[path] == nil {
      // Keys of a feed may be values that must not be shown.
      if mapping.hidesValues, fields[path] == nil { return }
      guard costs.count < Self.mostPaths || fields[path] != nil else {
        others += 1
        return
      }
      order.append(path)
    }
    costs[path, default: Cost()].count += 1
    costs[path, default: Cost()].bytes += size
  }

  // MARK: Text

  /// A line for each path: how often it occurs, in how many bytes, and what comes from it.
  var text: String {
    let known = Set(order)
    let missing = sources.filter { !known.contains($0) }
    let rows = (order.sorted { Self.precedes($0, $1) } + missing).map { path -> [String] in
      let cost = costs[path] ?? Cost()
      let share = bytes == 0 ? 0 : Double(cost.bytes) / Double(bytes) * 100
      return [
        path.steps.isEmpty ? "$" : ShownText.relative(path), "\(cost.count)", "\(cost.bytes)",
        Self.percent(share), fields[path].map { "→ " + $0.joined(separator: ", ") } ?? "",
      ]
    }
    let head = ["path", "values", "bytes", "share", "field"]
    let widths = head.indices.map { column in
      ([head] + rows).map { $0[column].count }.max() ?? 0
    }
    let lines = ([head] + rows).map { row in
      let cells = row.enumerated().map { column, text in
        let fill = String(repeating: " ", count: widths[column] - text.count)
        return (1...3).contains(column) ? fill + text : text + fill
      }
      let line = cells.joined(separator: "  ")
      let end = line.lastIndex { $0 != " " }.map { line.index(after: $0) }
      return String(line[..<(end ?? line.startIndex)])
    }
    let title =
      "\(isCut ? "the first " : "")\(count) \(count == 1 ? "record" : "records"), "
      + "\(bytes) bytes without white space"
    let more = others == 0 ? [] : ["and \(others) values at more paths"]
    return ([title] + lines + more).joined(separator: "\n")
  }

  private static func percent(_ share: Double) -> String {
    let tenths = Int((share * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }

  /// A path before those inside it, and members by name.
  private static func precedes(_ a: PathPattern, _ b: PathPattern) -> Bool {
    a.steps.map { ExactText($0.description) }
      .lexicographicallyPrecedes(b.steps.map { ExactText($0.description) })
  }
}
