import StreamMap
import StreamMapFiles

/// What a `streammap_mapping` points to: it never changes, so threads may share it.
final class MappingHandle: Sendable {
  /// For feeds that are cut.
  let mapper: Mapper<RawJSON>
  /// For records as text.
  let plan: OutputPlan
  /// For records as columns.
  let columnPlan: OutputPlan
  let columns: ColumnPlan
  /// Where the records are.
  let records: [PathPattern]
  let unseenPaths: Options.UnseenPaths
  let files: [String]
  let digest: String
  let format: FeedFormat
  let errors: MappingFile.Errors
  let jobs: Int
  /// Whether rejects have the texts of their records.
  let tellsTexts: Bool
  let size: ColumnBatchSize

  /// Compiles a mapping.
  ///
  /// - Throws: `MappingFile.Mistakes`, `DefinitionError`, ``BindingError``.
  init(_ read: (_ arguments: [ExactText: String]) throws -> MappingFile, options text: String?)
    throws
  {
    let options = try Options(text)
    var file = try read(options.arguments)
    try options.apply(to: &file)
    mapper = try file.mapper()
    plan = try file.plan()
    columns = options.columns(plan.record)
    columnPlan = try plan.fitting(columns)
    records = file.records
    unseenPaths = options.unseenPaths
    files = file.files
    digest = file.digest
    format = file.format
    errors = file.errors
    jobs = options.jobs
    tellsTexts = options.tellsTexts && !file.hidesValues
    size = options.size
  }

  /// A mapping by its text: JSON where it begins with a brace, else YAML.
  static func file(_ text: String, _ arguments: [ExactText: String]) throws -> MappingFile {
    let isJSON = text.first { !$0.isWhitespace } == "{"
    return try MappingFile(text, isJSON: isJSON, exactly: arguments)
  }
}
