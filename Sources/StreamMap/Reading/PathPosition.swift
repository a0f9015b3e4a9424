/// How far a path has come at a value.
struct PathPosition: Hashable, Comparable {
  let path: Int
  /// The number of its steps that are done.
  let step: Int
  /// Whether the step may lead to the value: what it says of the value itself, or of its index, has still to be asked.
  var isCandidate = false

  init(_ path: Int, _ step: Int = 0) {
    self.path = path
    self.step = step
  }

  var onward: PathPosition { PathPosition(path, step + 1) }

  var candidate: PathPosition {
    var position = self
    position.isCandidate = true
    return position
  }

  static func < (a: PathPosition, b: PathPosition) -> Bool {
    (a.path, a.step, a.isCandidate ? 1 : 0) < (b.path, b.step, b.isCandidate ? 1 : 0)
  }
}
