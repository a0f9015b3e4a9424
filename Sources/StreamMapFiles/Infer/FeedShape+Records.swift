import StreamMap

/// Where the records of a document probably are.
struct LikelyRecords {
  let path: PathPattern
  /// Whether they are the members of an object, so that their keys are data.
  let areMembers: Bool
}

extension FeedShape {
  /// Where the records of the documents probably are; nil if each is one itself.
  ///
  /// If all of several documents are arrays of objects, they are the elements. If the only document is an array, even an empty one, they
  /// are its elements, too. In any other document they are the elements of its largest array of objects, or the members of an object whose
  /// keys are data, whichever is larger. An array of anything else only counts if it is most of the document.
  ///
  /// - Parameter isOneDocument: Whether the feed may be one document.
  /// - Returns: Their place.
  func likelyRecords(isOneDocument: Bool) -> LikelyRecords? {
    if isOneDocument, documentCount == 1 { return recordsOfOnlyDocument }
    guard arrayCount == documentCount, let elements = root.elements, !elements.members.isEmpty
    else {
      return nil
    }
    return Self.elementsOfRoot
  }

  private static let elementsOfRoot = LikelyRecords(
    path: PathPattern([.wildcard]), areMembers: false)

  private var recordsOfOnlyDocument: LikelyRecords? {
    if arrayCount == 1 { return Self.elementsOfRoot }
    var best: (bytes: Int, records: LikelyRecords)?
    var other: (bytes: Int, records: LikelyRecords)?
    var open: [(node: Node, steps: [PathPattern.Step])] = [(root, [])]
    while let (node, steps) = open.popLast() {
      let path = PathPattern(steps + [.wildcard])
      if let elements = node.elements {
        let found = (node.arrayBytes, LikelyRecords(path: path, areMembers: false))
        if !elements.members.isEmpty {
          if node.arrayBytes > best?.bytes ?? 0 { best = found }
        } else if node.arrayBytes > other?.bytes ?? 0 {
          other = found
        }
      }
      if node.hasDataForKeys {
        if node.objectBytes > best?.bytes ?? 0 {
          best = (node.objectBytes, LikelyRecords(path: path, areMembers: true))
        }
        continue
      }
      if steps.count > 16 { continue }
      // In an order that does not depend on the run.
      open += node.members.sorted { $0.key > $1.key }.map {
        ($0.value, steps + [.key($0.key.text)])
      }
    }
    if let best { return best.records }
    guard let other, other.bytes * 2 > root.arrayBytes + root.objectBytes else { return nil }
    return other.records
  }
}

extension FeedShape.Node {
  private static let leastMembers = 8

  /// Whether the keys are data: there are many members, all of them objects, most of whose own keys come again and again.
  fileprivate var hasDataForKeys: Bool {
    guard members.count >= Self.leastMembers, elements == nil else { return false }
    var count = 0
    var keys: Set<ExactText> = []
    for member in members.values {
      guard member.objectBytes > 0, member.elements == nil else { return false }
      count += member.members.count
      keys.formUnion(member.members.keys)
    }
    return keys.count * 2 <= count
  }
}
