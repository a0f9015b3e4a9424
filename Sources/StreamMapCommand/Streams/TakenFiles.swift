import StreamMap

/// The files that outputs of a run have made, where an output is several files.
///
/// No two outputs may make one file, whatever name it has for each.
///
/// Thread-safe: outputs that are compressed have threads of their own.
final class TakenFiles: Sendable {
  /// The numbers of the outputs, by their files.
  private let outputs = Locked<[FilePlace.Identity: Int]>([:])

  /// Those of one output.
  struct OfOutput {
    fileprivate let taken: TakenFiles
    fileprivate let output: Int

    /// Makes a file.
    ///
    /// - Parameters:
    ///   - final: Where it will be.
    ///   - draft: Where it is until it is complete.
    ///   - make: Makes it.
    /// - Returns: The file; nil if another output has made one that has one of these names.
    /// - Throws: ``SystemError``.
    func make(
      _ final: FilePlace, _ draft: FilePlace, _ make: () throws(SystemError) -> OutputFile
    ) throws(SystemError) -> OutputFile? {
      try taken.outputs.withLock { outputs -> Result<OutputFile?, SystemError> in
        do throws(SystemError) {
          for place in [draft, final] {
            if let owner = try place.identity().flatMap({ outputs[$0] }), owner != output {
              return .success(nil)
            }
          }
          let file = try make()
          if let identity = file.identity { outputs[identity] = output }
          return .success(file)
        } catch {
          return .failure(error)
        }
      }.get()
    }
  }

  func files(of output: Int) -> OfOutput { OfOutput(taken: self, output: output) }
}
