import ArgumentParser
import StreamMap
import StreamMapFiles

extension MappingFile.Output.WriteMode: NamedChoice {}

/// The table that output is rows of.
struct TableOptions: ParsableArguments {
  @Option(
    name: .customLong("table"),
    help: ArgumentHelp("The table's name (the mapping's name, or 'records').", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "A column that identifies a row; the primary key of a table that is created. May be repeated.",
      valueName: "column"))
  var key: [String] = []

  @Option(
    help: ArgumentHelp(
      "What becomes of a row whose key is there; by default it is an error.",
      valueName: "mode"))
  var mode: MappingFile.Output.WriteMode?

  /// Flags win over the file.
  func override(_ output: inout MappingFile.Output) throws {
    guard output.format == .sqlite else {
      let given = [("table", name != nil), ("key", !key.isEmpty), ("mode", mode != nil)]
      for (flag, isGiven) in given where isGiven {
        throw ValidationError("--\(flag) is for --to sqlite.")
      }
      return
    }
    if let name { output.table = name }
    if !key.isEmpty { output.key = key }
    if let mode { output.mode = mode }
  }

  /// The table that a mapping writes; nil if it writes none.
  ///
  /// - Parameters:
  ///   - settings: The mapping.
  ///   - output: Where it is written.
  ///   - checkpoint: The checkpoint of the run, if it is to have one.
  ///   - isAlone: Whether the run has no other mapping: then one kind of checkpoint is all that it can have.
  /// - Returns: The table.
  /// - Throws: `ValidationError` if there cannot be such a table.
  static func table(
    _ settings: MappingFile, _ output: String, _ checkpoint: CheckpointOptions?, isAlone: Bool
  ) throws -> SQLiteTable? {
    let (isResumed, hasFile) = (checkpoint?.resume == true, checkpoint?.path != nil)
    let others = isAlone ? "" : "; several mappings can have both"
    guard settings.output.format == .sqlite else {
      if isResumed, isAlone || !hasFile {
        throw ValidationError(
          "--resume is for --to sqlite; for a file give --checkpoint FILE\(others).")
      }
      return nil
    }
    if hasFile, isAlone || !isResumed {
      throw ValidationError(
        "--to sqlite keeps its checkpoint in the database: write --resume instead of --checkpoint FILE\(others)."
      )
    }
    guard let path = output == "-" ? settings.output.file : output, !path.isEmpty else {
      throw ValidationError("--to sqlite needs a file: give -o FILE.")
    }
    _ = try OutputName(path).format(.sqlite)
    guard OutputFile.names(of: path) != nil else {
      throw ValidationError("--to sqlite needs a file: '\(path)' is not one.")
    }
    let definition: TableDefinition
    do throws(DefinitionError) {
      definition = try TableDefinition(.sqlite, of: settings)
    } catch {
      throw ValidationError("--to sqlite: \(error.mistakes.map(\.reason).joined(separator: "; ")).")
    }
    if let problem = definition.problems.first {
      throw ValidationError("--to sqlite: \(problem.reason).")
    }
    if let mistake = definition.keyMistake { throw ValidationError("--key: \(mistake).") }
    if definition.key.isEmpty, settings.output.mode != .insert {
      throw ValidationError("--mode \(settings.output.mode) needs --key COLUMN.")
    }
    return SQLiteTable(path: path, definition: definition, mode: settings.output.mode)
  }
}

extension CheckpointOptions {
  /// Opens a table for a run, with the run's checkpoint in the same database, if there is to be one.
  static func opened(
    _ table: SQLiteTable, _ options: CheckpointOptions?, _ terms: Checkpoint.Terms, rejects: String?
  ) throws -> (RunTarget, CheckpointKeeper?) {
    guard let options, options.resume else {
      let isKept = terms.inputs.allSatisfy(canBeReadAgain)
      return (.table(try SQLiteOutput(table, commits: isKept ? .atTheEnd : .often)), nil)
    }
    if let rejects, OutputFile.names(of: rejects) == nil {
      throw ValidationError("--resume needs rejects that are a file: '\(rejects)' is not one.")
    }
    let output = try SQLiteOutput(table, commits: .withCheckpoint)
    return (
      .table(output),
      options.keeper(
        inDatabase: try output.checkpoints(
          terms.inputs + (terms.part.map { ["part \($0)"] } ?? [])), terms)
    )
  }
}
