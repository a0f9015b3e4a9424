import Foundation

/// Where a run writes down how far it has come, and how often.
final class CheckpointFile {
  /// The run cannot go on from what is stored.
  struct Refusal: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String {
      "cannot go on from \(path): \(reason); without that file the run starts anew"
    }
  }

  let path: String
  /// Those of this run.
  let terms: Checkpoint.Terms
  private let interval: CheckpointInterval
  private var lastTime = ContinuousClock.now
  /// The bytes of all inputs at which the next one is due.
  private var nextOffset = Int.max
  /// Whether there is one to go on from.
  private(set) var isWritten = false

  init(_ path: String, every interval: CheckpointInterval?, _ terms: Checkpoint.Terms) {
    self.path = path
    self.terms = terms
    self.interval = interval ?? .seconds(10)
  }

  /// What an earlier run has stored; nil where there is nothing.
  ///
  /// - Throws: ``Refusal``, ``SystemError``.
  func stored() throws -> Checkpoint? {
    guard access(path, F_OK) == 0 else { return nil }
    let bytes = try FileReading.bytes(of: path)
    guard let checkpoint = try? JSONDecoder().decode(Checkpoint.self, from: Data(bytes)),
      checkpoint.form == Checkpoint.form
    else { throw refusal("it is not a checkpoint of this version") }
    guard checkpoint.isPlausible else { throw refusal("it is damaged") }
    if let reason = checkpoint.refusal(of: terms) { throw refusal(reason) }
    isWritten = true
    return checkpoint
  }

  func refusal(_ reason: String) -> Refusal { Refusal(path: path, reason: reason) }

  /// Whether it is time, so many bytes of all inputs being behind.
  func isDue(at offset: Int) -> Bool { offset >= nextOffset }

  /// Before more is read: so many bytes are behind, whatever was in them.
  ///
  /// The clock is looked at only here.
  func noteReading(behind offset: Int) {
    switch interval {
    case .seconds(let seconds):
      if ContinuousClock.now - lastTime >= .seconds(seconds) { nextOffset = 0 }
    case .bytes: if isDue(at: offset) { nextOffset = 0 }
    }
  }

  /// The next one is due an interval behind here.
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
    try DurableFile.write(Array(try JSONEncoder().encode(checkpoint)), to: path)
    isWritten = true
  }

  /// The run is over.
  func remove() throws(SystemError) {
    try DurableFile.remove(path)
    isWritten = false
  }
}
