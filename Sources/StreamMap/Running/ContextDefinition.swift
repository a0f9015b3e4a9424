/// A value from outside the records of a document: where it is, and what it becomes.
///
/// A path that means several values means one for each container that the path leads through, `$.orders[*].id` one for each
/// order: records have that of the container which they are in.
package struct ContextDefinition: Sendable {
  let name: String
  let path: PathPattern
  let mapping: OutputMapping
  /// The value that records have if the value is absent; nil if they are rejected then.
  let standIn: JSONValue?
  /// Whether records may have the stand-in although the value comes after them; else that value is an error.
  let mayComeLate: Bool
  /// If it is not a value of the document, but tells of the member or element at the path that the record is in: its key or its index.
  let step: RecordFact?

  /// A value that fields can refer to by its name.
  package init(
    _ name: String, at path: PathPattern, _ mapping: OutputMapping, standIn: JSONValue?,
    mayComeLate: Bool = false
  ) {
    self.name = name
    self.path = path
    self.mapping = mapping
    self.standIn = standIn
    self.mayComeLate = mayComeLate
    step = nil
  }

  /// The key or the index of the member or element at a path that the record is in.
  ///
  /// Values of this kind come after all others. A record that is in none has null, and one that has an index has no key.
  package init(_ name: String, _ step: RecordFact, at path: PathPattern) {
    self.name = name
    self.path = path
    mapping = .nullable(step == .key ? .string : .int64)
    standIn = .null
    mayComeLate = true
    self.step = step
  }

  /// What fields with it are.
  var output: OutputValue {
    let value = mapping.definition.output([])
    return standIn.map(value.including) ?? value
  }
}
