import Synchronization

/// Objects that are not in use, kept for later work: making one costs more than using it for a small document.
///
/// It never keeps more than were ever in use at a time, and at most a handful.
@usableFromInline
final class Pool<Item: AnyObject>: Sendable {
  /// An object without a user.
  ///
  /// Invariant: whoever gives an object lets go of it, so two users never have it.
  private struct Unused: @unchecked Sendable {
    let object: AnyObject
  }

  /// The address of the object that is taken first, which is retained; 0 where there is none.
  // PERF: one user at a time, as most programs have, needs no lock.
  private let first = Atomic<UInt>(0)
  private let others = Locked<[Unused]>([])
  private static var most: Int { 16 }

  init() {}

  deinit {
    _ = takeFirst()
  }

  // PERF: inlinable, so that nothing has to look up the item's type.
  @inlinable
  func take() -> Item? { takeObject().map { unsafeDowncast($0, to: Item.self) } }

  @inlinable
  func give(_ item: Item) { giveObject(item) }

  @usableFromInline
  func takeObject() -> AnyObject? {
    if let object = takeFirst() { return object }
    let taken = others.withLock { $0.popLast() }
    return taken?.object
  }

  @usableFromInline
  func giveObject(_ object: AnyObject) {
    let given = Unmanaged.passRetained(object)
    let outcome = first.compareExchange(
      expected: 0, desired: UInt(bitPattern: given.toOpaque()), ordering: .acquiringAndReleasing)
    if outcome.exchanged { return }
    let unused = Unused(object: given.takeRetainedValue())
    others.withLock { others in
      if others.count < Self.most { others.append(unused) }
    }
  }

  private func takeFirst() -> AnyObject? {
    UnsafeRawPointer(bitPattern: first.exchange(0, ordering: .acquiringAndReleasing))
      .map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() }
  }
}
