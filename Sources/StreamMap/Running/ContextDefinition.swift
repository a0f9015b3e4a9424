/// A value from outside the records of a document: where it is, and what it becomes.
///
/// A path that means several values means one for each container that the path leads through, `$.orders[*].id` one for each
/// order: records have that of the container which they are in.
package struct ContextDefinition: Sendable {
  let name: String
  let path: PathPattern
  let mapping: OutputMapping
  /// The value that records have before the value comes; nil if they are rejected before that.
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

  /// What fields with it are.
  var output: OutputValue {
    let value = mapping.definition.output([])
    return standIn.map(value.including) ?? value
  }
}
