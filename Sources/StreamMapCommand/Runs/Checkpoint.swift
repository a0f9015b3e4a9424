import StreamMap

/// The progress of a run.
struct Checkpoint: Codable {
  /// The input that was being read.
  struct OpenInput: Codable {
    let position: FeedPosition
    /// The fingerprint of the bytes read from it.
    let beginning: Fingerprint
  }

  /// The settings that must be the same when a run continues.
  struct Terms: Codable, Equatable {
    /// Everything that determines the output: the mapping files, `--field`, `--records`, `--from`, `--to`.
    let mapping: String
    let inputs: [String]
    let output: String
    /// What determines which records are rejected and how they are handled; it matters once a record was rejected.
    let rejection: String
    /// The part of the input that is mapped, as in `3/8`, and where the parts come from; nil for all of it.
    var part: String?
  }

  let terms: Terms
  /// The fingerprints of the finished inputs, in their order.
  let done: [Fingerprint]
  /// The place in the next input; nil at its beginning.
  let place: OpenInput?
  /// The fingerprint of the output's file; nil if the checkpoint was stored together with the output.
  let output: Fingerprint?
  let rejects: Fingerprint?
  let statistics: Statistics
  let hasUnseenPath: Bool
  /// What the fields have found so far.
  let found: FieldFinds.Found
  /// What was noted of the records so far.
  let notes: RunNotes.Taken
  /// The output is complete: at most its name is still missing, and this file still has to be removed.
  let isComplete: Bool

  /// Whether the numbers can come from a run: the stored form may have been changed.
  var isPlausible: Bool {
    let files = beginnings + [output, rejects].compactMap(\.self)
    let figures = [
      statistics.mapped, statistics.rejected, statistics.dropped, statistics.issues,
      statistics.bytes, statistics.outputBytes,
    ]
    let most = 1 << 56
    return done.count <= terms.inputs.count && notes.isPlausible
      && (files.map(\.bytes) + figures).allSatisfy { (0...most).contains($0) }
      && done.reduce(0) { min($0 + $1.bytes, 2 * most) } <= most
  }

  /// The reason why a run with other terms would not have written the same so far; nil if it would.
  func refusal(of other: Terms) -> String? {
    if terms.mapping != other.mapping {
      return "the mapping has changed (its files, --field, --records, --from or --to)"
    }
    if terms.inputs != other.inputs {
      return "its inputs are \(terms.inputs.joined(separator: " "))"
    }
    if terms.part != other.part {
      return
        "it maps \(terms.part.map { "the part \($0)" } ?? "all of the input") (--part, --index)"
    }
    if terms.output != other.output { return "its output is \(terms.output)" }
    if terms.rejection != other.rejection, statistics.rejected > 0 {
      return "records were rejected with other options (--errors, --rejects, --no-raw, --limit-…)"
    }
    return nil
  }

  /// The fingerprints of the inputs, in their order.
  var beginnings: [Fingerprint] { done + (place.map { [$0.beginning] } ?? []) }

  /// Whether there are digests of everything that was read and written.
  var hasWholeDigests: Bool {
    (beginnings + [output, rejects].compactMap(\.self)).allSatisfy { $0.whole != nil }
  }
}
