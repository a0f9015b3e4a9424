import Foundation

/// Where a run stores its progress, and how often.
final class CheckpointFile {
  /// The run cannot continue from the stored checkpoint.
  struct Refusal: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String {
      "cannot continue from \(path): \(reason); delete that file to start from the beginning"
    }
  }

  /// The first words of the stored form.
  private static let form = "stream-map checkpoint 4 "
  private static let lineFeed = UInt8(ascii: "\n")

  let path: String
  /// The terms of this run.
  let terms: Checkpoint.Terms
  /// How the files of an earlier run are compared with its fingerprints.
  let verification: CheckpointVerification
  private let interval: CheckpointInterval
  private var lastTime = ContinuousClock.now
  /// The number of bytes of all inputs at which the next checkpoint is due.
  private var nextOffset = Int.max
  /// Whether there is a checkpoint to continue from.
  private(set) var isWritten = false

  init(
    _ path: String, every interval: CheckpointInterval?, _ verification: CheckpointVerification,
    _ terms: Checkpoint.Terms
  ) {
    self.path = path
    self.terms = terms
    self.verification = verification
    self.interval = interval ?? .seconds(10)
  }

  /// The checkpoint of an earlier run; nil if there is none.
  ///
  /// - Throws: ``Refusal``, ``SystemError``.
  func stored() throws -> Checkpoint? {
    guard access(path, F_OK) == 0 else { return nil }
    let bytes = try FileReading.bytes(of: path)
    guard bytes.starts(with: Self.form.utf8) else {
      throw refusal("it is not a checkpoint of this version")
    }
    let text = Array(bytes.drop { $0 != Self.lineFeed }.dropFirst())
    guard bytes == Self.headed(text),
      let checkpoint = try? JSONDecoder().decode(Checkpoint.self, from: Data(text)),
      checkpoint.isPlausible
    else { throw refusal("it is damaged") }
    if let reason = checkpoint.refusal(of: terms) { throw refusal(reason) }
    if verification == .full, !checkpoint.hasWholeDigests {
      throw refusal(
        "it was written without --checkpoint-verify full, so there is nothing to compare all bytes with"
      )
    }
    isWritten = true
    return checkpoint
  }

  /// A text, preceded by its form and its digest.
  private static func headed(_ text: [UInt8]) -> [UInt8] {
    var digest = Digest()
    digest.add(text)
    return Array("\(form)\(digest.text)\n".utf8) + text
  }

  func refusal(_ reason: String) -> Refusal { Refusal(path: path, reason: reason) }

  /// Whether a checkpoint is due after this many bytes of all inputs.
  func isDue(at offset: Int) -> Bool { offset >= nextOffset }

  /// Called before more is read: this many bytes are done, whatever they contained.
  ///
  /// The clock is read only here.
  func noteReading(after offset: Int) {
    switch interval {
    case .seconds(let seconds):
      if ContinuousClock.now - lastTime >= .seconds(seconds) { nextOffset = 0 }
    case .bytes: if isDue(at: offset) { nextOffset = 0 }
    }
  }

  /// The next checkpoint is due one interval after this point.
  func restart(at offset: Int) {
    lastTime = .now
    switch interval {
    case .seconds: nextOffset = .max
    case .bytes(let bytes):
      let (next, overflow) = offset.addingReportingOverflow(bytes)
      nextOffset = overflow ? .max : next
    }
  }

  func write(_ checkpoint: Checkpoint) throws {
    let text = Array(try JSONEncoder().encode(checkpoint)) + [Self.lineFeed]
    try DurableFile.write(Self.headed(text), to: path)
    isWritten = true
  }

  /// Removes the checkpoint: the run is over.
  func remove() throws(SystemError) {
    try DurableFile.remove(path)
    isWritten = false
  }
}
