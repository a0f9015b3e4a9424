/// What an output record keeps of the members that no field names.
public struct OutputRest: Sendable {
  /// What is not kept, as it was written; nil if everything is kept.
  let except: [String]?

  /// Nothing of them.
  public static let dropped = OutputRest(except: nil)

  /// All of them, unchanged, after the fields, in the order of the feed.
  ///
  /// A field names a member if the member is its source, or if its path leads through the member. If a member has the name of
  /// a field, the field's value is written; the member is left out and reported as an issue.
  /// ``OutputMapping/duplicateKeys(_:)`` says which of several members with the same key is kept.
  public static let kept = OutputRest(except: [])

  /// All of them, unchanged, except the values at these paths.
  ///
  /// ```swift
  /// let user: OutputMapping = .object(
  ///   [OutputField("id", from: "user_id", .int64)], rest: .kept(except: ["password", "audit.*", "notes[0].text"]))
  /// ```
  ///
  /// - Parameter paths: Paths from the object on; they may mean several values, by `*` or a slice, but not by `..`.
  /// - Returns: What is kept.
  public static func kept(except paths: [String]) -> OutputRest { OutputRest(except: paths) }
}
