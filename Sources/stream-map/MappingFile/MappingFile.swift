import StreamMap

/// What a mapping file says: the one model behind YAML, JSON and the command's own flags.
struct MappingFile {
  var name: String?
  var format = FeedFormat.auto
  var records: [PathPattern] = []
  var limits = Limits()
  var fields: [FieldSpec] = []
  var errors: ErrorMode?
  var rejects: String?
  var layout = OutputConverter.Layout.lines
  var omitsNulls = false

  /// The mapping of one record.
  var mapping: OutputMapping { .object(fields.map(\.field)) }

  func converter() throws(DefinitionError) -> OutputConverter {
    try OutputConverter(
      mapping, at: records, layout: layout, omitsNulls: omitsNulls, limits: limits)
  }

  /// What a converter is made of.
  struct Compiled: Equatable {
    let records: [PathPattern]
    let limits: Limits
    let fields: [FieldSpec]
    let layout: OutputConverter.Layout
    let omitsNulls: Bool
  }

  var compiled: Compiled {
    Compiled(
      records: records, limits: limits, fields: fields, layout: layout, omitsNulls: omitsNulls)
  }
}
