/// Ends a run before the end of its input.
struct RunStop: Error {
  let status: ExitStatus
  let message: String?

  /// Throws if a signal asks the run to end.
  static func ifInterrupted() throws {
    if Interruption.happened { throw RunStop(status: .interrupted, message: nil) }
  }
}
