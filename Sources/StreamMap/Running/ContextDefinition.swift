/// A value from outside the records of a document: where it is, and what it becomes.
package struct ContextDefinition: Sendable {
  let name: String
  let path: PathPattern
  let mapping: OutputMapping
  /// The value that records have before the value comes; nil where they are rejected before that.
  let standIn: JSONValue?

  /// A value that fields can refer to by its name.
  package init(
    _ name: String, at path: PathPattern, _ mapping: OutputMapping, standIn: JSONValue?
  ) {
    self.name = name
    self.path = path
    self.mapping = mapping
    self.standIn = standIn
  }
}
