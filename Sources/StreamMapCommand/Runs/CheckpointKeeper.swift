import StreamMap
import StreamMapPlatform

/// Keeps the checkpoint of a run: what is stored, and how often.
final class CheckpointKeeper {
  /// The run cannot continue from the stored checkpoint.
  struct Refusal: Error, CustomStringConvertible {
    let name: String
    let reason: String
    let advice: String

    var description: String { "cannot continue from \(name): \(reason); \(advice)" }
  }

  /// The first words of the stored form.
  private static let form = "stream-map checkpoint 4 "
  private static let lineFeed = UInt8(ascii: "\n")

  private let store: any CheckpointStore
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
    in store: any CheckpointStore, every interval: CheckpointInterval?,
    _ verification: CheckpointVerification,
    _ terms: Checkpoint.Terms
  ) {
    self.store = store
    self.terms = terms
    self.verification = verification
    self.interval = interval ?? .seconds(10)
  }

  /// The checkpoint of an earlier run; nil if there is none.
  ///
  /// - Throws: ``Refusal``, ``SystemError``.
  func stored() throws -> Checkpoint? {
    guard let bytes = try store.stored() else { return nil }
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

  func refusal(_ reason: String) -> Refusal {
    Refusal(name: store.name, reason: reason, advice: store.advice)
  }

  /// Where the checkpoint is, for messages.
  var name: String { store.name }

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
    try store.store(Self.headed(text))
    isWritten = true
  }

  /// Removes the checkpoint: the run is over.
  func remove() throws(SystemError) {
    try store.remove()
    isWritten = false
  }
}
