import StreamMap

/// What a mapping file says: the one model behind YAML, JSON and the command's own flags.
struct MappingSpec: Sendable {
  var name: String?
  var format = FeedFormat.auto
  var records: [PathPattern] = []
  var limits = Limits()
  /// The names of its arguments.
  var arguments: [String] = []
  var context: [ContextSpec] = []
  /// What conditions that come later may name.
  var names = OutsideNames()
  var record = ObjectSpec()
  /// What becomes of each record, where it is not an object of fields.
  var value: ValueSpec?
  /// The records that are kept, if not all.
  var condition: ConditionSpec?
  var errors = MappingFile.Errors()
  var output = MappingFile.Output()
}

extension MappingFile {
  /// A field by its path, as arguments say it; without a type it is any scalar, null if there is none.
  package struct PlainField: Sendable {
    let name: String
    let path: String
    fileprivate let place: ValuePlace
    let type: TypeName?
    /// Whether it may be absent: then it is null.
    let isNullable: Bool

    /// - Parameters:
    ///   - name: The field's.
    ///   - path: The path of its value, as it is written.
    ///   - pattern: The steps of the path, none of which means several values.
    ///   - type: The type, if one is given.
    ///   - isNullable: Whether the value may be absent.
    package init(
      name: String, path: String, _ pattern: PathPattern, type: TypeName?, isNullable: Bool
    ) {
      self.name = name
      self.path = path
      place = ValuePlace(path, pattern)
      self.type = type
      self.isNullable = isNullable
    }

    /// As an argument says it, with another type.
    func text(as type: String) -> String {
      name == path ? "\(name):\(type)" : "\(name):\(type)=\(path)"
    }
  }

  /// A mapping of fields alone, without a file.
  package init(_ fields: [PlainField]) throws(DefinitionError) {
    var spec = MappingSpec()
    spec.record.fields = fields.map { field in
      let value =
        ValueSpec(
          .scalar(ScalarSpec(field.type ?? .scalar(.any))),
          policy: field.isNullable || field.type == nil ? .nullable : .required)
      return FieldSpec(
        name: field.name, source: .path(field.place.path, field.place.value(value, .last)))
    }
    try self.init(spec, files: [], digest: Digest().text, origin: .arguments(fields))
  }
}
