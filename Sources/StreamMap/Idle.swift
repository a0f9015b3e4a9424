/// What is not in use, for work to come: making it costs more than using it for a small document.
///
/// No more are kept than were ever in use at a time, and at most a handful.
final class Idle<Object: AnyObject>: Sendable {
  /// An object without a user.
  ///
  /// Invariant: who gives one lets go of it, so it is never used by two.
  private struct Unused: @unchecked Sendable {
    let object: Object
  }

  private let unused = Locked<[Unused]>([])
  private static var most: Int { 16 }

  func take() -> Object? {
    let taken = unused.withLock { $0.popLast() }
    return taken?.object
  }

  func give(_ object: Object) {
    let given = Unused(object: object)
    unused.withLock { unused in
      if unused.count < Self.most { unused.append(given) }
    }
  }
}
