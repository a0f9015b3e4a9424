import StreamMap

/// A place in a mapping file: both figures from 1 up, columns in characters (Unicode scalars).
struct FileMark: Hashable, Comparable {
  var line: Int
  var column: Int
  /// The keys that lead there, once they are known; nil for the whole file.
  var trail: KeyTrail?

  static let start = FileMark(line: 1, column: 1)

  /// The place after some bytes of UTF-8.
  init(after bytes: some BidirectionalCollection<UInt8>) {
    let last = bytes.reversed().prefix { $0 != UInt8(ascii: "\n") }
    line = bytes.count { $0 == UInt8(ascii: "\n") } + 1
    column = last.count { $0 & 0xC0 != 0x80 } + 1
  }

  init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The keys that lead there, the outermost first.
  var keys: [String] {
    var keys: [String] = []
    var next = trail
    while let trail = next {
      keys.append(trail.key)
      next = trail.outer
    }
    return keys.reversed()
  }

  static func == (a: FileMark, b: FileMark) -> Bool { (a.line, a.column) == (b.line, b.column) }

  func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(column)
  }

  /// The place, with the keys that lead there.
  func with(_ trail: KeyTrail?) -> FileMark {
    var mark = self
    mark.trail = trail
    return mark
  }

  static func < (a: FileMark, b: FileMark) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// A key or a number in a list, and those around it: shared by all that is inside.
final class KeyTrail: Sendable {
  let key: String
  let outer: KeyTrail?

  init(_ key: String, in outer: KeyTrail?) {
    self.key = key
    self.outer = outer
  }
}

/// A part of a mapping file and its place: what YAML and JSON files are both read into.
struct LocatedNode {
  struct Entry {
    let key: String
    let mark: FileMark
    let value: LocatedNode
  }

  struct Scalar {
    let text: String
    /// Whether it is written without quotes, so that it may be something else than a string.
    let isPlain: Bool
  }

  enum Content {
    case scalar(Scalar)
    case list([LocatedNode])
    case map([Entry])
  }

  let mark: FileMark
  let content: Content

  /// The same, with the keys that lead to each place.
  func withTrails(_ trail: KeyTrail? = nil) -> LocatedNode {
    let content: Content =
      switch content {
      case .scalar: content
      case .list(let elements):
        .list(
          elements.enumerated().map { $1.withTrails(KeyTrail("\($0)", in: trail)) })
      case .map(let entries):
        .map(
          entries.map { entry in
            let inner = KeyTrail(entry.key, in: trail)
            return Entry(
              key: entry.key, mark: entry.mark.with(inner), value: entry.value.withTrails(inner))
          })
      }
    return LocatedNode(mark: mark.with(trail), content: content)
  }

  /// As in “found …”.
  var phrase: String {
    switch content {
    case .list: "a list"
    case .map: "a map"
    case .scalar(let scalar):
      switch scalar.value {
      case .null?: "null"
      case .bool?: scalar.text
      case .number?, nil: "the number \(ShownText.excerpt(scalar.text))"
      default: "'\(ShownText.excerpt(scalar.text))'"
      }
    }
  }

  /// What it is, without anything that is in it.
  var kind: String {
    switch content {
    case .list: "a list"
    case .map: "a map"
    case .scalar(let scalar): scalar.string == nil ? "a single value" : "a text"
    }
  }
}

extension LocatedNode {
  /// The place of a key of a map; that of the map where it is not there.
  func mark(ofKey key: String) -> FileMark {
    guard case .map(let entries) = content else { return mark }
    return entries.first { $0.key == key }?.mark ?? mark
  }
}
