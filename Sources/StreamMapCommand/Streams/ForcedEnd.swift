import StreamMapPlatform

/// Ends a run from outside if it does not stop by itself.
///
/// The run's threads may hang anywhere and hold any lock: only the objects that are made for this purpose are touched.
struct ForcedEnd: Sendable {
  /// An output, with what is written beside it.
  struct File: Sendable {
    let gates: [WriteGate]
    /// Where it is as long as it is incomplete, if that is not its final place.
    let partial: String?
    let checkpoint: String?
  }

  let files: [File]

  /// Cuts the files to complete records, and reports it.
  func carryOut() {
    WriteGate.shut()
    for gate in files.flatMap(\.gates) { gate.takeBackOnceIdle() }
    for file in files {
      guard let partial = file.partial else { continue }
      let checkpoint = file.checkpoint.flatMap { access($0, F_OK) == 0 ? $0 : nil }
      StandardError.writeAtOnce(
        "stream-map: \(Self.message(partial: partial, checkpoint: checkpoint))")
    }
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
