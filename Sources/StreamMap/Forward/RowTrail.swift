/// The containers that are being made from a row, one inside the other, each with the part that is being made: where an error is.
///
/// It also has what is counted on the way.
// PERF: in memory of its own, because properties of classes are checked for exclusive access each time.
final class RowTrail {
  /// A container.
  struct Step: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable { case object, array, dictionary }

    let kind: Kind
    /// The field, or the number of the element; of a dictionary, the cell of the key.
    var part: Int
    /// The container's cell.
    let own: UnsafeMutablePointer<RowCell>?
  }

  /// What is counted, and whose record it is.
  struct Counts: BitwiseCopyable {
    /// How many containers are being made.
    var depth = 0
    /// How many errors were noted.
    var noted = 0
    /// While this is not 0, errors are only counted: what has them is not made, or not here.
    var quiet = 0
    /// While this is not 0, errors are of kinds that are not known here.
    var odd = 0
    /// The reader of the record.
    var walker: OpaquePointer?
  }

  static let deepest = 512
  // Invariant: `depth` is at most `deepest`; the first `depth + 1` steps are initialised. The first one is no container: what a program asks for
  // alone is in none.
  private let steps: UnsafeMutablePointer<Step>
  let counts: UnsafeMutablePointer<Counts>

  init() {
    steps = .allocate(capacity: Self.deepest + 1)
    steps.initialize(to: Step(kind: .object, part: 0, own: nil))
    counts = .allocate(capacity: 1)
    counts.initialize(to: Counts())
  }

  deinit {
    steps.deallocate()
    counts.deallocate()
  }

  /// Notes that a container begins; false if there are too many.
  @inline(__always)
  func push(_ kind: Step.Kind, _ own: UnsafeMutablePointer<RowCell>) -> Bool {
    let depth = counts.pointee.depth
    if depth == Self.deepest { return false }
    (steps + depth + 1).initialize(to: Step(kind: kind, part: 0, own: own))
    counts.pointee.depth = depth &+ 1
    return true
  }

  @inline(__always)
  func pop() { counts.pointee.depth &-= 1 }

  /// Says which part of the innermost container is made next.
  @inline(__always)
  func enter(_ part: Int) { steps[counts.pointee.depth].part = part }

  /// The steps, the outermost first; valid until the next one.
  var all: UnsafeBufferPointer<Step> {
    UnsafeBufferPointer(start: steps + 1, count: counts.pointee.depth)
  }
}
