import StreamMapPlatform

/// Ends a run from outside if it does not stop by itself.
///
/// The run's threads may hang anywhere and hold any lock: only the objects that are made for this purpose are touched.
struct ForcedEnd: Sendable {
  /// The gates of the files that the run writes.
  let gates: [WriteGate]
  /// Where incomplete output is, if it is not in its final place.
  let partial: String?
  let checkpoint: String?

  /// Cuts the files to complete records, and reports it.
  func carryOut() {
    WriteGate.shut()
    for gate in gates { gate.takeBackOnceIdle() }
    guard let partial else { return }
    let goesOn = checkpoint.flatMap { access($0, F_OK) == 0 ? $0 : nil }
    StandardError.writeAtOnce("stream-map: \(Self.message(partial: partial, checkpoint: goesOn))")
  }

  /// The message about a run that is not complete.
  ///
  /// - Parameters:
  ///   - partial: Where its output is.
  ///   - checkpoint: The checkpoint, if one is written.
  /// - Returns: The message.
  static func message(partial: String, checkpoint: String?) -> String {
    let hint = checkpoint.map { "; the same command continues from \($0)" } ?? ""
    return "the output is not complete; what was written is in \(partial)\(hint)"
  }
}
