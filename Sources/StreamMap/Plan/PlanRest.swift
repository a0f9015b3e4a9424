/// What an object keeps of the members that no field names.
///
/// The builder writes each at the end of its buffer as it comes, without a tree, and copies it after the fields when the object ends.
final class PlanRest: Sendable {
  /// What ``keys`` has for a key that is the name of a field.
  static let taken: Int32 = -2

  /// For the keys of members that are not simply kept: ``taken``, or the index of their dropped parts.
  let keys: KeyTable
  let dropped: [DroppedParts]
  /// The paths of what is not kept, as they were written.
  let exceptions: [String]

  /// - Parameters:
  ///   - exceptions: The paths of what is not kept.
  ///   - names: The names of the object's fields.
  ///   - dropped: What is not kept of members that are, by their keys.
  init(
    except exceptions: [String], names: [String],
    dropped: [(key: String, parts: DroppedParts)]
  ) {
    self.exceptions = exceptions
    let taken = Set(names.map { ExactText($0) })
    let others = dropped.filter { !taken.contains(ExactText($0.key)) }
    self.dropped = others.map(\.parts)
    keys = KeyTable(
      taken.map { ($0.text, Self.taken) }
        + others.enumerated().map { ($1.key, Int32(truncatingIfNeeded: $0)) })
  }
}

/// The parts of a member that are not kept.
struct DroppedParts: Sendable {
  /// Whether the whole of it is not.
  let isWhole: Bool
  private let members: [ExactText: DroppedParts]
  private let otherMembers: Box?
  /// From each of these indices to the next one.
  private let elements: [(first: Int, parts: DroppedParts?)]

  /// A place for one more of its kind inside.
  private final class Box: Sendable {
    let parts: DroppedParts
    init(_ parts: DroppedParts) { self.parts = parts }
  }

  /// What is at these paths; nil if there are none.
  init?(_ paths: [ArraySlice<PathPattern.Step>]) {
    if paths.isEmpty { return nil }
    isWhole = paths.contains(where: \.isEmpty)
    func inside(_ isWanted: (PathPattern.Step) -> Bool) -> DroppedParts? {
      DroppedParts(paths.filter { $0.first.map(isWanted) ?? false }.map { $0.dropFirst() })
    }
    var members: [ExactText: DroppedParts] = [:]
    var bounds: Set<Int> = [0]
    for case let step? in paths.map(\.first) {
      switch step {
      case .key(let key):
        members[ExactText(key)] = inside { other in
          if case .key(let otherKey) = other { return ExactText(otherKey) == ExactText(key) }
          return other == .wildcard
        }
      case .index(let index): bounds.formUnion([index, index &+ 1])
      case .elements(let first, let end, _): bounds.formUnion([first ?? 0, end ?? first ?? 0])
      // The compiler refuses the last three.
      case .wildcard, .filter, .anyOf, .descendants: break
      }
    }
    self.members = members
    otherMembers = inside { $0 == .wildcard }.map { Box($0) }
    elements = bounds.sorted().map { index in
      (
        index,
        inside { step in
          switch step {
          case .index(let other): other == index
          case .elements(let first, let end, _): first ?? 0 <= index && index < end ?? .max
          case .wildcard: true
          case .key, .filter, .anyOf, .descendants: false
          }
        }
      )
    }
  }

  /// The dropped parts of a member; nil if it is kept as it stands.
  func member(_ key: UnsafeBufferPointer<UInt8>) -> DroppedParts? {
    if !members.isEmpty, let parts = members[ExactText(String(decoding: key, as: UTF8.self))] {
      return parts
    }
    return otherMembers?.parts
  }

  /// The dropped parts of an element; nil if it is kept as it stands.
  func element(_ index: Int) -> DroppedParts? {
    elements.last { $0.first <= index }?.parts
  }
}
