import StreamMap

/// How far a run has come.
struct Checkpoint: Codable {
  /// The input that was being read.
  struct Place: Codable {
    let position: FeedPosition
    /// What was read of it.
    let beginning: Fingerprint
  }

  /// What has to be the same when a run goes on.
  struct Terms: Codable, Equatable {
    /// What makes the output what it is: the mapping files, `--field`, `--records`, `--from`, `--to`.
    let mapping: String
    let inputs: [String]
    let output: String
    /// What decides which records are rejected and what becomes of them; it matters once one was.
    let rejection: String
  }

  let terms: Terms
  /// The inputs that are over, in their order: what was read of each.
  let done: [Fingerprint]
  /// Where the next one is; nil at its beginning.
  let place: Place?
  let output: Fingerprint
  let rejects: Fingerprint?
  let statistics: Statistics
  let hasUnseenPath: Bool
  /// The output is complete: what may be missing is its name, and that this file is gone.
  let isComplete: Bool

  /// Whether the numbers can be those of a run: what is stored may have been changed.
  var isPlausible: Bool {
    let files = beginnings + [output, rejects].compactMap(\.self)
    let figures = [
      statistics.mapped, statistics.rejected, statistics.dropped, statistics.issues,
      statistics.bytes, statistics.outputBytes,
    ]
    let most = 1 << 56
    return done.count <= terms.inputs.count
      && (files.map(\.bytes) + figures).allSatisfy { (0...most).contains($0) }
      && done.reduce(0) { min($0 + $1.bytes, 2 * most) } <= most
  }

  /// Whether a run by other terms would have written the same so far; if not, why.
  func refusal(of other: Terms) -> String? {
    if terms.mapping != other.mapping {
      return "the mapping is another one (its files, --field, --records, --from or --to)"
    }
    if terms.inputs != other.inputs {
      return "its inputs are \(terms.inputs.joined(separator: " "))"
    }
    if terms.output != other.output { return "its output is \(terms.output)" }
    if terms.rejection != other.rejection, statistics.rejected > 0 {
      return "records were rejected by other terms (--errors, --rejects, --no-raw, --limit-…)"
    }
    return nil
  }

  /// What was read of the inputs, in their order.
  var beginnings: [Fingerprint] { done + (place.map { [$0.beginning] } ?? []) }

  /// Whether there are digests of all that was read and written.
  var hasWholeDigests: Bool {
    (beginnings + [output] + (rejects.map { [$0] } ?? [])).allSatisfy { $0.whole != nil }
  }
}
