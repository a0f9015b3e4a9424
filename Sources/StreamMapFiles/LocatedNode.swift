/// A place in a mapping file: both figures from 1 up, columns in characters (Unicode scalars).
struct FileMark: Hashable, Comparable {
  var line: Int
  var column: Int

  static let start = FileMark(line: 1, column: 1)

  static func < (a: FileMark, b: FileMark) -> Bool {
    (a.line, a.column) < (b.line, b.column)
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

  /// As in “found …”.
  var phrase: String {
    switch content {
    case .list: "a list"
    case .map: "a map"
    case .scalar(let scalar):
      switch scalar.value {
      case .null?: "null"
      case .bool?: scalar.text
      case .number?, nil: "the number \(scalar.text)"
      default: "'\(scalar.text)'"
      }
    }
  }
}
