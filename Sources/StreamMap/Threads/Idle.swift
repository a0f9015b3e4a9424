/// What is not in use, for work to come: making it costs more than using it for a small document.
///
/// No more are kept than were ever in use at a time, and at most a handful.
final class Idle<Item: AnyObject>: Sendable {
  /// An item without a user.
  ///
  /// Invariant: who gives one lets go of it, so it is never used by two.
  private struct Unused: @unchecked Sendable {
    let item: Item
  }

  private let unused = Locked<[Unused]>([])
  private static var most: Int { 16 }

  func take() -> Item? {
    let taken = unused.withLock { $0.popLast() }
    return taken?.item
  }

  func give(_ item: Item) {
    let given = Unused(item: item)
    unused.withLock { unused in
      if unused.count < Self.most { unused.append(given) }
    }
  }
}
