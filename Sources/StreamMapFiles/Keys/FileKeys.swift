import StreamMap

/// The keys at the top of a mapping file.
enum FileKey: String, MapKey {
  case streammap, name, input, context, args, record, rest, drop, value, `where`, use, errors
  case output, mappings

  static let keys = KeyTable(allCases)
  /// The keys of one of several mappings.
  static let ofMember = KeyTable(allCases.filter { $0 != .streammap && $0 != .mappings })

  var spec: KeySpec {
    switch self {
    case .streammap:
      KeySpec(
        .values { [.number(MappingFileReader.version)] }, "The version of the format.",
        isRequired: true)
    case .name: KeySpec(.text(), "What the mapping is called.")
    case .input: KeySpec(.part(.input), "The feed.")
    case .context:
      KeySpec(
        .map(of: .either([.part(.path), .part(.context)])),
        "Values from outside the records, each captured once in a document.")
    case .args:
      KeySpec(
        .map(of: .either([.values { TypeName.schemaNames { $0.isPlain } }, .part(.argument)])),
        "What the mapping is given for each run, by --set name=value: a type, or a map.")
    case .record:
      KeySpec(
        .either([.part(.fields), .values { ["$"] }]),
        "What becomes of each record: a field for each member; or $, the record as it stands.")
    case .rest: ValueKey.rest.spec
    case .drop: ValueKey.drop.spec
    case .value:
      KeySpec(
        .part(.part),
        "Instead of a record of fields: what else becomes of each record, a type's name or any element."
      )
    case .where: KeySpec(.part(.condition), "The records that are kept.")
    case .use:
      KeySpec(
        .map(of: .text()),
        "Other mapping files, relative to this one, by the names that fields use them by.")
    case .errors: KeySpec(.part(.errors), "What becomes of records that cannot be mapped.")
    case .output: KeySpec(.part(.output), "What is written.")
    case .mappings:
      KeySpec(
        .map(of: .part(.oneMapping), atLeast: 1),
        "Several mappings of one feed, by their names, each with an output (-o NAME=FILE). What stands beside them is said for each that does not say it itself."
      )
    }
  }
}

/// The keys of `input`.
enum InputKey: String, MapKey {
  case format, records
  case duplicateKeys = "duplicate_keys"
  case unknown, limits

  static let keys = KeyTable(allCases)

  var spec: KeySpec {
    switch self {
    case .format: KeySpec(.choice(InputFormat.self), "How the records follow each other.")
    case .records:
      KeySpec(
        .oneOrList(of: .text()),
        "Where the records of a document are, as $.items[*]; several are merged.")
    case .duplicateKeys:
      KeySpec(.choice(DuplicateKeyPolicy.self), "What becomes of a key that occurs again.")
    case .unknown:
      KeySpec(
        .pattern("^(\(Self.policies)|collect: *[^ ].*)$"),
        "What becomes of keys that nothing in the mapping reads: ignore, report, fail, or collect:name into a field."
      )
    case .limits: KeySpec(.part(.limits), "What a feed may demand.")
    }
  }

  private static var policies: String {
    UnknownKeyPolicy.allCases.map(\.rawValue).joined(separator: "|")
  }
}

/// The keys of `limits`.
struct LimitKey: MapKey {
  let limit: Limits.Name

  static let allCases = Limits.Name.allCases.map { LimitKey(limit: $0) }
  static let keys = KeyTable(allCases)

  var name: String { limit.word }

  var spec: KeySpec {
    KeySpec(
      .either([.whole(atLeast: 1), .pattern(ByteSize.pattern)]), "The most \(limit.phrase).")
  }
}

/// The keys of `errors`.
enum ErrorsKey: String, MapKey {
  case mode, rejects, resync, max
  case maxRatio = "max_ratio"

  static let keys = KeyTable(allCases)

  var spec: KeySpec {
    switch self {
    case .mode:
      KeySpec(
        .choice(MappingFile.Errors.Mode.self),
        "Whether a record that cannot be mapped ends the run, is left out, or is written to the rejects."
      )
    case .resync:
      KeySpec(
        .flag,
        "Whether a malformed record inside a document costs only itself: reading continues at the next one."
      )
    case .rejects: KeySpec(.text(), "The file of rejected records; - is standard output.")
    case .max:
      KeySpec(.whole(atLeast: 0), "The run ends when more records than this were rejected.")
    case .maxRatio:
      KeySpec(
        .number(0...1), "The run ends when more than this share of the records was rejected.")
    }
  }
}

/// The keys of `output`.
enum OutputKey: String, MapKey {
  case format, nulls, header, nested, arrays, safe, file, table, key, mode

  static let keys = KeyTable(allCases)

  var spec: KeySpec {
    switch self {
    case .format: KeySpec(.choice(MappingFile.Output.Format.self), "The form of the output.")
    case .nulls:
      KeySpec(.choice(OutputReader.Nulls.self), "Whether members that are null are written.")
    case .header:
      KeySpec(
        .flag, "Whether the names of the columns come first (csv, tsv); default: true.")
    case .nested:
      KeySpec(
        .text(atLeast: 1),
        "What stands between the names of a column in an object inside (csv, tsv, pgcopy); default: a dot. With json, such an object is one column of JSON."
      )
    case .arrays:
      KeySpec(
        .either([.choice(OutputReader.Arrays.self), .part(.arrays)]),
        "What becomes of arrays, in every form: they stay (default), become texts of their elements, or have a row for each element of the only array."
      )
    case .safe:
      KeySpec(
        .flag,
        "Whether a text that a spreadsheet would take for a formula begins with an apostrophe (csv, tsv); default: false."
      )
    case .file:
      KeySpec(
        .text(atLeast: 1),
        "The database that rows are written to (sqlite); -o names another.")
    case .table:
      KeySpec(
        .text(atLeast: 1),
        "The table that rows are for (sqlite, and the statement of ddl); default: the mapping's name, or records."
      )
    case .key:
      KeySpec(
        .oneOrList(of: .text()),
        "The columns that tell rows apart: the primary key of a table that is made.")
    case .mode:
      KeySpec(
        .choice(MappingFile.Output.WriteMode.self),
        "What becomes of a row whose key is there already (sqlite): an error (default), the row is replaced, or it gets the new values."
      )
    }
  }
}

/// The keys of `arrays`, where that is a map.
enum ArraysKey: String, MapKey {
  case explode, joined

  static let keys = KeyTable(allCases)

  var spec: KeySpec {
    switch self {
    case .explode:
      KeySpec(
        .text(atLeast: 1),
        "The array whose elements have a row each, by the names that lead to it: lines, or lines.taxes for those in each line."
      )
    case .joined:
      KeySpec(.text(), "What stands between the elements of other arrays, which become texts.")
    }
  }
}
