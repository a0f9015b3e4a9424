import StreamMap

/// A mapping file, read and compiled: where the records are, what becomes of them, and what else the file says of a run.
///
/// ```swift
/// let file = try MappingFile(contentsOf: "orders.map.yaml")
/// let mapper = try file.mapper()
/// for record in try mapper.records(in: Feed(.file("orders.ndjson"))) {
///   if let json = record.value { send(json.bytes) }
/// }
/// ```
///
/// A `var` may be changed before a mapper is made, as flags of the command do.
public struct MappingFile: Sendable {
  /// What the file says of records that cannot be mapped; the code that takes the records acts on it.
  ///
  /// `Rejections(within: file.errors.budget)` keeps to the budget.
  public struct Errors: Sendable, Hashable {
    /// What becomes of a record that cannot be mapped.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
      /// It ends the run.
      case fail
      /// It is counted.
      case skip
      /// It is written to the rejects.
      case reject
    }

    /// What becomes of such a record.
    public var mode = Mode.fail
    /// How many records may fail.
    public var budget = ErrorBudget()
    /// The file that the rejects are written to, as its path is given.
    public var rejects: String?
    /// Whether a malformed record of a document costs only itself: see `FeedOptions.resynchronizes`.
    public var resynchronizes = false

    /// The default: the first such record ends the run.
    public init() {}
  }

  /// What the file says of the output.
  public struct Output: Sendable, Hashable {
    /// The forms of output.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Format: String, Sendable, Hashable, Codable, CaseIterable {
      /// One record a line.
      case ndjson
      /// As the elements of one array.
      case json
      /// Each record on several lines, with indentation.
      case pretty
      /// Comma-separated values (RFC 4180).
      case csv
      /// Tab-separated values, with backslash escapes.
      case tsv
      /// The text of the only field of each record.
      case text
      /// The text format of PostgreSQL's COPY.
      case pgcopy
      /// Rows of a table in a SQLite database.
      case sqlite
      /// Columns in a file of Apache Parquet.
      case parquet
      /// Columns as Apache Arrow's IPC formats have them.
      case arrow

      /// Whether the records become columns with types.
      package var hasColumns: Bool {
        switch self {
        case .parquet, .arrow: true
        case .ndjson, .json, .pretty, .csv, .tsv, .text, .pgcopy, .sqlite: false
        }
      }
    }

    /// What happens to a row if the table already has its key.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum WriteMode: String, Sendable, Hashable, Codable, CaseIterable {
      /// It is an error.
      case insert
      /// The row replaces the existing one.
      case replace
      /// The existing row gets its values.
      case upsert
    }

    /// How the records are to be written; nil if the file does not say, which means ``Format/ndjson``.
    public var format: Format?
    /// Whether members that are null are left out; a mapper does that.
    public var omitsNulls = false
    /// How records become rows, where they do; the format says which rows.
    package var rows = RowOptions(.csv)
    /// What becomes of arrays, in every form.
    package var arrays = RowArrays()
    /// The database that rows are written to, as its path is given.
    public var file: String?
    /// The table that rows are for; nil if the file does not say.
    public var table: String?
    /// The columns that identify a row of the table.
    public var key: [String] = []
    /// What happens to existing rows.
    public var mode = WriteMode.insert

    /// The defaults.
    public init() {}
  }

  /// The name of the mapping in the file.
  public let name: String?
  /// Its name under `mappings`, if the file has several.
  package let member: String?
  /// The files that were read, by their paths: first the file itself, if it is one, then those that it uses.
  public let files: [String]
  /// Tells whether another one was made of the same bytes: of the file itself, and of all that it uses.
  package let digest: String
  /// Where the records are in each document; without any, each document or line is one.
  public var records: [PathPattern]
  /// How the records of a feed follow each other.
  public var format: FeedFormat
  /// What a feed may demand.
  public var limits: Limits
  /// What happens to records that cannot be mapped.
  public var errors: Errors
  /// How output is written.
  public var output: Output
  /// The names of the arguments that it has.
  package let arguments: [String]
  /// Where its fields were said.
  package let origin: FieldOrigin
  /// Compiled once: options that change record paths or limits compile nothing again.
  private var compiled: OutputPlan
  private var spec: MappingSpec

  /// Compiles what a file says.
  ///
  /// - Throws: ``DefinitionError`` with all mistakes.
  init(
    _ spec: MappingSpec, files: [String], digest: String, origin: FieldOrigin,
    member: String? = nil
  ) throws(DefinitionError) {
    compiled = try OutputPlan(
      spec.value?.mapping ?? spec.record.mapping, at: spec.records,
      context: spec.context.map(\.definition), where: spec.condition?.condition,
      duplicateKeys: spec.value?.conditionDuplicates, omitsNulls: spec.output.omitsNulls,
      limits: spec.limits)
    self.spec = spec
    name = spec.name ?? member
    self.member = member
    self.files = files
    self.digest = digest
    self.origin = origin
    arguments = spec.arguments
    records = spec.records
    format = spec.format
    limits = spec.limits
    errors = spec.errors
    output = spec.output
  }

  /// Makes rows of each record, as the file says of its arrays.
  ///
  /// - Throws: ``DefinitionError`` if records have no such array.
  mutating func makeRows() throws(DefinitionError) { try compiled.makeRows(output.arrays) }

  /// Leaves out all fields of the record but some: the others are not mapped, so their values are no errors.
  ///
  /// Which records `where` keeps stays the same.
  ///
  /// - Throws: ``FieldChoiceError`` if there is no such field, or something in the file is about all of them;
  ///   `DefinitionError` if another part of the file needs one that is left out.
  /// - Complexity: O(n) in the mapping, which is compiled again.
  package mutating func keep(fields names: [String]) throws {
    var kept = spec
    if spec.value != nil { throw FieldChoiceError(reason: "the mapping has no record of fields") }
    let record = spec.record
    if record.rest != nil || record.keys.unknown != .ignore
      || record.fields.contains(where: { $0.source == .unknownKeys })
    {
      throw FieldChoiceError(
        reason: "the mapping has a rule for keys that no field reads, so it needs all fields")
    }
    if output.arrays.exploded != .none {
      throw FieldChoiceError(
        reason: "the mapping makes rows of an array, so it needs all fields")
    }
    let known = Set(record.fields.map { ExactText($0.name) })
    for name in names where !known.contains(ExactText(name)) {
      let hint = Suggestion.nearest(to: name, among: record.fields.map(\.name))
      throw FieldChoiceError(
        reason: "there is no field '\(ShownText.of(name))'" + (hint.map(Suggestion.hint) ?? ""))
    }
    let chosen = Set(names.map { ExactText($0) })
    kept.record.fields = record.fields.filter { chosen.contains(ExactText($0.name)) }
    try compile(kept)
  }

  /// Leaves out the records for which a condition does not hold, besides those that the file leaves out.
  ///
  /// - Parameter text: The condition, as that of the key `where`, in JSON.
  /// - Throws: ``Mistakes`` if it is none; `DefinitionError` if the mapping cannot have it.
  /// - Complexity: O(n) in the mapping, which is compiled again.
  package mutating func keep(where text: String) throws {
    let mistakes = FileMistakes(file: "option 'where'")
    guard let root = try JSONNodes.read(Array(text.utf8), mistakes)?.withTrails(),
      let condition = ConditionReader(spec.names, mistakes, of: spec.record).condition(root),
      mistakes.isEmpty
    else { throw mistakes.found }
    var kept = spec
    kept.condition = spec.condition.map { .all([$0, condition]) } ?? condition
    try compile(kept)
  }

  /// Compiles the file again, as another one.
  private mutating func compile(_ other: MappingSpec) throws(DefinitionError) {
    var file = try MappingFile(
      other, files: files, digest: digest, origin: origin, member: member)
    try file.makeRows()
    compiled = file.compiled
    spec = other
  }

  /// Fields that cannot be chosen, and why.
  package struct FieldChoiceError: Error, CustomStringConvertible {
    let reason: String

    package var description: String { reason }
  }

  /// What the mapping does, field by field; and the columns, where the output has columns.
  public var explanation: String {
    let lines = places + [compiled.explanation]
    let explanation = lines.joined(separator: "\n")
    guard let format = output.format else { return explanation }
    if let columns = columns(as: format) {
      let lines = columns.description.split(separator: "\n").map { "\n  \($0)" }
      return explanation + "\n\(format):" + lines.joined()
    }
    guard let layout = try? layout(of: compiled, as: format), let names = layout.columnNames
    else { return explanation }
    return explanation + "\n\(format): \(names.joined(separator: ", "))"
  }

  /// Where the records are, and where what is known from around them; a line for each.
  private var places: [String] {
    let paths = records.map(\.description).joined(separator: ", ")
    let context = zip(spec.context, compiled.contextExplanations).map { value, explanation in
      let from =
        value.step.map { "the \($0) at \(value.path)" } ?? "\(value.path), \(explanation)"
      return "context \(value.name): \(from)"
    }
    return (records.isEmpty ? [] : ["records: \(paths)"]) + context
  }

  /// The columns with types that records become in a format; nil if they become none.
  package func columns(as format: Output.Format) -> ColumnPlan? {
    format.hasColumns ? ColumnPlan(record) : nil
  }

  /// What comes out: what each record becomes or, where it becomes rows, each row.
  ///
  /// `OutputColumns` makes a table's columns of it.
  package var record: OutputValue { compiled.record }

  /// What each record has to be.
  package var source: SourceShape { compiled.source }

  /// What the mapping makes of what, as a graph in the language of Graphviz.
  package var graph: String { compiled.graph.dot(named: name ?? "mapping") }

  /// The paths in a record at which the mapping looks, each with the field that comes from it; nil for conditions.
  package var sources: [(path: PathPattern, field: PathPattern?)] {
    let graph = compiled.graph
    return graph.edges.compactMap { edge in edge.source.map { ($0, edge.target) } }
      + graph.conditions.flatMap { condition in condition.sources.map { ($0, nil) } }
  }

  /// The mapping of the other direction: from the records that this one makes to those that it takes.
  ///
  /// - Throws: ``NoWayBack`` with all parts that have none, `DefinitionError`.
  package func reversed() throws -> MappingFile {
    var way = WayBack()
    let reversed = way.reversed(spec)
    if !way.problems.isEmpty { throw NoWayBack(problems: way.problems) }
    return try MappingFile(reversed, files: files, digest: digest, origin: .none)
  }

  /// Parts of a mapping cannot be turned round.
  package struct NoWayBack: Error, CustomStringConvertible {
    let problems: [WayBack.Problem]

    /// One line for each, as in `field 'total': a calculated value does not say what it was made from`.
    package var description: String {
      problems.map {
        "\($0.field == "the record" ? $0.field : "field '\($0.field)'"): \($0.reason)"
      }
      .joined(separator: "\n")
    }
  }

  /// Whether the file redacts something: then the text of a record must never be shown.
  public var hidesValues: Bool { compiled.hidesValues }

  /// A mapper of feeds as the file says, whose records are bytes of JSON.
  ///
  /// Where the records are, how they follow each other, what a feed may demand, values from outside the records
  /// (`context`), conditions (`where`) and what must not be shown (`redact`) are the file's. Records that `where` drops
  /// do not come out; sequences count them, and a document that is decoded alone is an error then. Fields with
  /// `meta: file` hold the path of a file, or the name that `named:` gives.
  ///
  /// Each record is one value: `arrays` of `output` makes no rows of it.
  ///
  /// Make one and keep it: any number of feeds and threads may share it.
  ///
  /// - Throws: `DefinitionError` if ``records`` was changed to paths whose records would lie inside each other.
  /// - Complexity: the mapping is compiled already; where ``records`` was changed, O(*n*) in the number of its fields.
  public func mapper() throws(DefinitionError) -> Mapper<RawJSON> {
    try Mapper(plan(), format: format)
  }

  /// What converters are made from.
  package func plan() throws(DefinitionError) -> OutputPlan {
    var plan = compiled
    try plan.select(recordsAt: records)
    plan.limits = limits
    plan.omitsNulls = output.omitsNulls
    plan.resyncs = errors.resynchronizes
    return plan
  }

  /// What converters to a format are made from: a value that its column cannot hold is an error of its own.
  package func plan(as format: Output.Format) throws(DefinitionError) -> OutputPlan {
    let plan = try plan()
    return try columns(as: format).map { columns throws(DefinitionError) in
      try plan.fitting(columns)
    } ?? plan
  }

  /// How a plan's records are written in a format.
  ///
  /// - Throws: ``DefinitionError`` if they cannot be.
  package func layout(of plan: OutputPlan, as format: Output.Format) throws(DefinitionError)
    -> OutputLayout
  {
    var rows = output.rows
    switch format {
    case .ndjson, .sqlite, .parquet, .arrow: return .lines
    case .json: return .array
    case .pretty: return .indented
    case .csv: rows.kind = .csv
    case .tsv: rows.kind = .tsv
    case .text: rows.kind = .text
    case .pgcopy: rows.kind = .postgres
    }
    return try .rows(of: plan.record, rows)
  }
}
