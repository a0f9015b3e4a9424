import StreamMap

/// The keys that a feed has, and where, as far as its first bytes show it.
///
/// It is lenient: the bytes may be cut off, and whatever is malformed is passed over to the next line. Size and depth are bounded.
package struct FeedShape {
  /// A place in the feed's documents, all documents in one.
  package final class Node {
    package fileprivate(set) var members: [ExactText: Node] = [:]
    /// What all elements of arrays here have in common.
    package fileprivate(set) var elements: Node?
    /// The number of bytes of arrays here, and of objects.
    fileprivate(set) var arrayBytes = 0
    fileprivate(set) var objectBytes = 0
  }

  private static let mostNodes = 20_000
  private static let mostLevels = 500
  private static let longestKey = 200

  /// What all documents have in common.
  package let root: Node
  /// The number of documents, complete or cut off.
  package private(set) var documentCount = 0
  /// How many of them are arrays.
  private(set) var arrayCount = 0
  private var nodes = 0

  /// Looks at the first bytes of a feed.
  package init(of bytes: [UInt8]) {
    root = Node()
    bytes.withUnsafeBufferPointer { read($0) }
  }

  // MARK: Reading

  private struct Open {
    let node: Node
    let isObject: Bool
    let start: Int
    /// The member whose value comes next; nil if a key comes next.
    var member: Node?
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    var open: [Open] = []
    var index = 0
    while index < bytes.count {
      let start = index
      index += 1
      switch bytes[start] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = bytes[start] == UInt8(ascii: "{")
        if open.isEmpty {
          documentCount += 1
          if !isObject { arrayCount += 1 }
        }
        open.append(Open(node: place(in: open), isObject: isObject, start: start))
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard let last = open.popLast(), last.isObject == (bytes[start] == UInt8(ascii: "}")) else {
          open.removeAll()
          index = Self.lineEnd(in: bytes, from: index)
          continue
        }
        Self.note(index - last.start, of: last)
      case UInt8(ascii: "\""):
        if open.isEmpty { documentCount += 1 }
        index = Self.stringEnd(in: bytes, from: index)
        guard let last = open.last, last.isObject, last.member == nil else { continue }
        let key = UnsafeBufferPointer(rebasing: bytes[start + 1..<max(start + 1, index - 1)])
        open[open.count - 1].member =
          open.count < Self.mostLevels ? member(key, of: last.node) : Node()
      case UInt8(ascii: ","):
        if !open.isEmpty { open[open.count - 1].member = nil }
      case let byte where open.isEmpty && Self.isOfScalar(byte):
        documentCount += 1
        while index < bytes.count, Self.isOfScalar(bytes[index]) { index += 1 }
      default: break
      }
    }
    // The bytes end inside these.
    for last in open { Self.note(bytes.count - last.start, of: last) }
  }

  private static func note(_ bytes: Int, of last: Open) {
    if last.isObject { last.node.objectBytes += bytes } else { last.node.arrayBytes += bytes }
  }

  /// Where the next value is.
  private mutating func place(in open: [Open]) -> Node {
    guard let last = open.last else { return root }
    if last.isObject { return last.member ?? Node() }
    if let elements = last.node.elements { return elements }
    guard open.count < Self.mostLevels, nodes < Self.mostNodes else { return Node() }
    let elements = makeNode()
    last.node.elements = elements
    return elements
  }

  private mutating func member(_ text: UnsafeBufferPointer<UInt8>, of node: Node) -> Node {
    guard text.count <= Self.longestKey, nodes < Self.mostNodes else { return Node() }
    let key = ExactText(EscapedText.decoded(String(decoding: text, as: UTF8.self)))
    if let known = node.members[key] { return known }
    let member = makeNode()
    node.members[key] = member
    return member
  }

  private mutating func makeNode() -> Node {
    nodes += 1
    return Node()
  }

  /// Whether a byte may be one of a number or of a name.
  private static func isOfScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// After the quote that ends a string.
  private static func stringEnd(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }

  private static func lineEnd(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
  }

  // MARK: Looking

  /// Where records at one of these paths are; the documents themselves without any.
  package func records(at patterns: [PathPattern]) -> Node? {
    if patterns.isEmpty { return root }
    for pattern in patterns {
      if let node = Self.node(at: pattern.steps[...], in: root, 0) { return node }
    }
    return nil
  }

  private static func node(at steps: ArraySlice<PathPattern.Step>, in node: Node, _ depth: Int)
    -> Node?
  {
    guard let step = steps.first else { return node }
    if depth > 64 { return nil }
    let rest = steps.dropFirst()
    switch step {
    case .key(let key):
      return node.members[ExactText(key)].flatMap { Self.node(at: rest, in: $0, depth + 1) }
    case .anyOf(let all):
      for step in all {
        if let found = Self.node(at: [step] + rest, in: node, depth + 1) { return found }
      }
      return nil
    case .descendants(let inner):
      if let found = Self.node(at: [inner] + rest, in: node, depth + 1) { return found }
      for next in node.members.values.map(\.self) + [node.elements].compactMap(\.self) {
        if let found = Self.node(at: steps, in: next, depth + 1) { return found }
      }
      return nil
    case .wildcard where node.elements == nil, .filter where node.elements == nil:
      // In an order that does not depend on the run.
      for key in node.members.keys.sorted() {
        if let member = node.members[key], let found = Self.node(at: rest, in: member, depth + 1) {
          return found
        }
      }
      return nil
    case .index, .wildcard, .elements, .filter:
      return node.elements.flatMap { Self.node(at: rest, in: $0, depth + 1) }
    }
  }

  /// The path of the elements of the largest array that lies in no other array; nil if there is none.
  ///
  /// - Parameter paths: If there are any, only arrays count whose elements have a value at one of these.
  /// - Returns: The path.
  package func largestArray(with paths: [PathPattern]) -> PathPattern? {
    var best: (bytes: Int, steps: [PathPattern.Step])?
    var open: [(node: Node, steps: [PathPattern.Step])] = [(root, [])]
    while let (node, steps) = open.popLast() {
      if let elements = node.elements, node.arrayBytes > best?.bytes ?? 0,
        paths.isEmpty
          || paths.contains(where: { Self.node(at: $0.steps[...], in: elements, 0) != nil })
      {
        best = (node.arrayBytes, steps + [.wildcard])
      }
      if steps.count > 16 { continue }
      // In an order that does not depend on the run.
      open += node.members.sorted { $0.key > $1.key }.map {
        ($0.value, steps + [.key($0.key.text)])
      }
    }
    return best.map { PathPattern($0.steps) }
  }
}
