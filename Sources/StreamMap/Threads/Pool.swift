import Synchronization

/// Objects that are not in use, kept for later work: making one costs more than using it for a small document.
///
/// It never keeps more than were ever in use at a time, and at most a handful.
@usableFromInline
final class Pool<Item: AnyObject>: Sendable {
  // Objects are kept by their addresses, so that code for `Item` need not ask what an object is.
  //
  // Invariant: each address is that of an `Item` that was retained for the pool, and is here once. Its taker takes that
  // over: two users never have the same object, and only its user releases it.

  /// What is taken first; 0 if there is none.
  // PERF: one user at a time, as most programs have, needs no lock.
  private let first = Atomic<UInt>(0)
  private let others = Locked<[UInt]>([])
  private static var most: Int { 16 }

  init() {}

  deinit {
    while let item = take() { item.release() }
  }

  /// An object that the caller now owns, and gives back or releases; nil if there is none.
  // PERF: inlinable, so that nothing has to look up the item's type; unmanaged, so that no references are counted.
  @inlinable
  func take() -> Unmanaged<Item>? {
    takeAddress().map { Unmanaged.fromOpaque($0) }
  }

  /// Takes over an object that the caller owns.
  @inlinable
  func give(_ item: Unmanaged<Item>) {
    if !give(item.toOpaque()) { item.release() }
  }

  @usableFromInline
  func takeAddress() -> UnsafeRawPointer? {
    let address = first.exchange(0, ordering: .acquiringAndReleasing)
    return UnsafeRawPointer(
      bitPattern: address != 0 ? address : others.withLock { $0.popLast() } ?? 0)
  }

  /// Whether there is room for it.
  @usableFromInline
  func give(_ object: UnsafeRawPointer) -> Bool {
    let address = UInt(bitPattern: object)
    let outcome = first.compareExchange(
      expected: 0, desired: address, ordering: .acquiringAndReleasing)
    if outcome.exchanged { return true }
    return others.withLock { others in
      if others.count == Self.most { return false }
      others.append(address)
      return true
    }
  }
}
