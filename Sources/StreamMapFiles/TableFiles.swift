import StreamMap

/// Reads the tables of lookups, each once.
final class TableFiles {
  private struct Key: Hashable {
    let file: String
    let columns: TableColumns
  }

  private let used: UsedFiles
  /// Those that were read; nil after a mistake.
  private var known: [Key: LookupTable?] = [:]

  init(_ used: UsedFiles) {
    self.used = used
  }

  /// The table that a `lookup` names; nil after a mistake.
  func table(
    _ file: String, _ columns: TableColumns, _ map: MapReader<LookupKey>, _ mistakes: FileMistakes
  ) -> LookupTable? {
    let name = Key(file: file, columns: columns)
    if let table = known[name] { return table }
    let table = read(name, map, mistakes)
    known[name] = .some(table)
    return table
  }

  private func read(_ name: Key, _ map: MapReader<LookupKey>, _ mistakes: FileMistakes)
    -> LookupTable?
  {
    let mark = map[.file]?.mark ?? map.mark
    let bytes: [UInt8]
    do throws(UnreadableFile) {
      bytes = try used.table(name.file, relativeTo: mistakes.file).bytes
    } catch {
      let isTooLarge = error.reason.hasSuffix("File too large")
      let bound = isTooLarge ? " (a table has at most \(LookupTable.mostBytes >> 20) MiB)" : ""
      mistakes.add(mark, "lookup: \(error.reason)\(bound)")
      return nil
    }
    do throws(LookupTable.Fault) {
      let isJSON = [".ndjson", ".jsonl"].contains { name.file.lowercased().hasSuffix($0) }
      return try LookupTable(bytes, name.columns, isJSON: isJSON)
    } catch {
      let line = error.line.map { ", line \($0)" } ?? ""
      mistakes.add(mark, "lookup: \(name.file)\(line): \(error.reason)")
      return nil
    }
  }
}
