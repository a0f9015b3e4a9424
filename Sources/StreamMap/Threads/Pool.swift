/// Objects that are not in use, kept for later work: making one costs more than using it for a small document.
///
/// It never keeps more than were ever in use at a time, and at most a handful.
final class Pool<Item: AnyObject>: Sendable {
  /// An item without a user.
  ///
  /// Invariant: whoever gives an item lets go of it, so two users never have it.
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
