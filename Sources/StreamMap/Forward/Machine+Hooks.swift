// Code of the mapping's author that looks at a value and its errors.
extension Machine {
  /// The record being mapped, for the errors that a hook sees.
  struct RecordName {
    var path = JSONPath()
    var number: Int?
  }

  /// Makes a value from one that is made, by code that sees the errors of that value and may remove them.
  func process(
    _ inner: UnsafeMutableRawPointer, _ node: UnsafePointer<PlanNode>, errorsBefore: ErrorLog.Mark,
    into destination: UnsafeMutableRawPointer
  ) -> Outcome {
    var issues = ValueIssues(
      errors.entries.dropFirst(errorsBefore.count).map {
        $0.error(below: record.path, record: record.number)
      })
    let failure: (any Error)?
    do {
      try builder.transform(inner, as: node, into: destination, issues: &issues)
      failure = nil
    } catch {
      failure = error
    }
    errors.keep(issues.isKept, from: errorsBefore)
    for error in issues.reported { note(error, .issue, by: node) }
    if let failure { return reject([failure], by: node, in: destination) }
    return made(node, in: destination)
  }
}
