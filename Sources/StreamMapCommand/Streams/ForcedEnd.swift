import Foundation

/// How a run is ended from outside that does not stop by itself.
///
/// Its threads may hang anywhere and hold any lock: nothing of theirs is touched but what is made for it.
struct ForcedEnd: Sendable {
  /// The ways to the files that it writes.
  let gates: [WriteGate]
  /// Where incomplete output is, if it did not go where it belongs.
  let partial: String?
  let checkpoint: String?

  /// Has the files end with whole records, and says so.
  func carryOut() {
    WriteGate.shut()
    for gate in gates { gate.takeBackOnceIdle() }
    guard let partial else { return }
    let goesOn = checkpoint.flatMap { access($0, F_OK) == 0 ? $0 : nil }
    let text = "stream-map: \(Self.message(partial: partial, checkpoint: goesOn))\n"
    _ = write(STDERR_FILENO, text, text.utf8.count)
  }

  /// What to tell of a run that is not complete.
  ///
  /// - Parameters:
  ///   - partial: Where its output is.
  ///   - checkpoint: The checkpoint, if one is written.
  /// - Returns: The message.
  static func message(partial: String, checkpoint: String?) -> String {
    let hint = checkpoint.map { "; the same command goes on from \($0)" } ?? ""
    return "the output is not complete; what there is of it is in \(partial)\(hint)"
  }
}
