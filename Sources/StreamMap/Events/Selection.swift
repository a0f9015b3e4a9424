/// Which parts of a record a sink wants to see; all other parts are checked and left out.
///
/// Nodes are named by their index, so that recursive mappings need no reference cycles. The first three are
/// always there.
struct Selection: Sendable, Equatable {
  typealias Node = Int

  /// The value is left out.
  static let skip: Node = 0
  /// The value is seen whole.
  static let keep: Node = 1
  /// A scalar is seen; of an object or array, only its kind is seen.
  static let presence: Node = 2

  /// What happens to the parts of an object or array; scalars are seen.
  struct Parts: Sendable, Equatable {
    var members: [ExactText: Member] = [:]
    var otherMembers: Node = Selection.skip
    /// Elements that are left out, below the highest index named here, are seen as null, so that counting stays right.
    var elements: [Int: Member] = [:]
    var otherElements: Node = Selection.skip
    /// In rows: how many cells an object has of its own, each for the members with its number as their tag.
    var cellCount = 0
    /// In rows: whether the place of a container is kept where it is open, too.
    var reopens = false

    /// The node of the plan that alone is made of the values; -1 if there is none.
    var onlyNode: Int32 = -1
    /// The node by which values inside a record are read as rows; nil if they are not.
    var rows: Node?

    /// In rows: whether a container is read by them, and not only its place kept.
    var opens: Bool { cellCount > 0 || otherElements != Selection.skip }
  }

  /// A member or an element that is named.
  struct Member: Sendable, Equatable {
    var node: Node
    /// The number by which the sink knows the member (``FeedToken/tag``); 0 if it has to look its key up.
    var tag = 0
  }

  /// The nodes from index 3 up.
  var parts: [Parts] = []
  /// The node of the whole record.
  var root: Node = Selection.keep
  /// The node by which records are read as rows; nil if they are not.
  var rows: Node?
  /// Whether a malformed part of a record must not be shown.
  var hidesValues = false

  mutating func add(_ parts: Parts) -> Node {
    self.parts.append(parts)
    return self.parts.count + 2
  }

  /// Everything is seen.
  static let everything = Selection()
}
