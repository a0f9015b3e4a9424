import StreamMap

/// Words of other programs (jq, Miller, DuckDB, JSON Schema, Connect, Python), and what mapping files and arguments say for them.
///
/// A word has the same entry wherever it stands: which of its meanings is meant depends on what can be there. A word of this table is
/// no misspelling, so it is never taken for a name that only looks like it: `and` is not `any`.
package enum OtherWords {
  /// What a word means.
  package enum Meaning: Equatable, Sendable {
    /// A name of ours.
    case name(String)
    /// No name says it; what to write instead.
    case advice(String)
    /// Nothing that can stand there.
    case nothing
  }

  /// What a word means among the names that can stand there; nil if it is in no table.
  package static func meaning(of word: String, among names: [String]) -> Meaning? {
    let word = ExactText(plain(word))
    for (text, neighbour) in advice[word] ?? [] where names.contains(neighbour) {
      return .advice(text)
    }
    guard let meanings = meanings[word] else { return advice[word] == nil ? nil : .nothing }
    return meanings.first { names.contains($0) }.map { .name($0) } ?? .nothing
  }

  /// All words, for the tests.
  static var all: [String] { (meanings.keys.map(\.text) + advice.keys.map(\.text)).sorted() }

  /// A word without capitals and without what separates its parts.
  private static func plain(_ word: String) -> String {
    word.lowercased().filter { !"_- $@".contains($0) }
  }

  private static let meanings = Dictionary(
    names.flatMap { line in words(line.words).map { (ExactText($0), line.means) } },
    uniquingKeysWith: +)

  private static let advice = Dictionary(
    sentences.flatMap { line in
      words(line.words).map { (ExactText($0), [(line.advice, line.beside)]) }
    }, uniquingKeysWith: +)

  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }

  // MARK: Names

  /// Words, and the names that they may mean: the first of these that can stand there.
  private static let names: [(words: String, means: [String])] = [
    // Conditions and rules.
    ("and allof every && must", ["all"]),
    ("or anyof some || should", ["any", "either", "first_of"]),
    ("nor negate isnt mustnot", ["not"]),
    (
      "gt > greater larger bigger more morethan largerthan above after exclusiveminimum",
      ["greater_than"]
    ),
    ("gte ge >=", ["greater_than_or_equal_to"]),
    ("atleast minimum least since", ["min"]),
    ("lt < less smaller fewer smallerthan lowerthan below before exclusivemaximum", ["less_than"]),
    ("lte le <=", ["less_than_or_equal_to"]),
    ("atmost maximum most until", ["max"]),
    ("eq = == is equal equals term", ["equals", "equal_to"]),
    ("in isin enum allowed choices choice among terms", ["one_of", "values"]),
    (
      "contains includes substring regexpmatches regexmatch rlike test search find",
      ["matches_anywhere"]
    ),
    ("regex regexp pattern", ["matches_anywhere", "extract"]),
    ("match fullmatch regexpfullmatch", ["matches", "cases"]),
    ("capture regexpextract", ["extract"]),
    ("between interval", ["range"]),
    ("present defined notnull isnotnull hasvalue nonnull isset", ["exists"]),
    ("len strlen size", ["length", "count"]),
    ("minitems minproperties minsize", ["min_count"]),
    ("maxitems maxproperties maxsize", ["max_count"]),
    ("uniqueitems distinct", ["unique"]),
    ("datatype kindof isa typeof", ["kind", "type"]),
    ("value key member property", ["from", "on"]),
    // Fields.
    (
      "path source src column col selector pointer jsonpath jsonpointer input get",
      ["from", "on", "records", "file"]
    ),
    ("optional optionalfield allownull isnullable nullok maybe omitempty", ["nullable"]),
    ("mandatory notnullable", ["required"]),
    (
      "fallback orelse ifnull ifmissing nvl else defaultvalue whenmissing",
      ["default", "otherwise"]
    ),
    ("default", ["otherwise"]),
    ("coalesce alternatives oneof firstnonnull either", ["first_of"]),
    ("cast convert astype totype kind", ["type"]),
    ("items elements foreach array list sequence", ["each", "records"]),
    ("properties struct members nested nestedfields", ["object", "record"]),
    ("fields columns mapping mappings projection", ["record", "object"]),
    ("additionalproperties extra others remaining unmapped", ["rest"]),
    ("exclude omit ignorefields without", ["drop"]),
    ("switch ifelse branches conditions", ["cases", "dispatch"]),
    ("by discriminator discriminatedby typefield", ["on", "dispatch"]),
    ("concat concatws concatenate", ["join"]),
    ("separator sep delimiter delim", ["with"]),
    ("expr expression formula compute computed eval", ["calc"]),
    ("literal constant fixed static", ["const"]),
    ("dateformat strptime informat inputformat", ["format"]),
    ("strftime outformat outputformat", ["as"]),
    ("tz timezone", ["zone"]),
    ("decimals precision digits places", ["round"]),
    ("factor multiply multiplier", ["scale"]),
    ("len length", ["count"]),
    ("mask secret sensitive hidden private", ["redact"]),
    ("constraints rules checks assert", ["validate"]),
    ("table dictionary", ["lookup", "values"]),
    ("filter if condition having only", ["where", "when"]),
    ("toentries", ["entries"]),
    ("implode joinwith", ["joined"]),
    // Files.
    ("version schemaversion streammapversion", ["streammap"]),
    ("feed reader", ["input"]),
    ("sink target writer destination", ["output"]),
    ("onerror errorhandling", ["errors", "mode"]),
    ("arguments params parameters variables vars inputs", ["args"]),
    ("imports include includes definitions defs ref", ["use"]),
    ("title id", ["name"]),
    ("policy strategy", ["mode"]),
    ("deadletter dlq rejectfile rejected errorfile", ["rejects", "reject"]),
    ("maxerrors errorlimit", ["max"]),
    ("recordpath rootpath root rowpath recordsat", ["records"]),
    ("codec filetype encoding type", ["format"]),
    ("headers writeheader", ["header"]),
    ("filename filepath", ["file"]),
    ("primarykey keys", ["key"]),
    ("null nullvalues", ["nulls"]),
    ("flatten flattenseparator", ["nested"]),
    // Steps of texts.
    ("lowercase downcase asciidowncase tolower", ["lower"]),
    ("uppercase upcase asciiupcase toupper", ["upper"]),
    ("strip trimspace", ["trim"]),
    ("substring substr cut", ["slice"]),
    ("sub gsub regexpreplace ssub", ["replace"]),
    ("lpad padstart zfill", ["pad"]),
    ("rpad ljust", ["pad_end"]),
    ("removeprefix ltrimstr trimprefix", ["strip_prefix"]),
    ("removesuffix rtrimstr trimsuffix", ["strip_suffix"]),
    ("prepend", ["prefix"]),
    ("append", ["suffix", "insert"]),
    ("sha sha2 sha256 sha256sum sha1 md5 md5sum digest checksum", ["hash"]),
    ("pseudonymize pseudonymise anonymize anonymise tokenize hmacsha256", ["hmac"]),
    ("collapse normalizespace cleanwhitespace", ["squeeze"]),
    // Types.
    ("integer long bigint", ["int64"]),
    ("short smallint", ["int16"]),
    ("byte tinyint", ["uint8"]),
    ("text varchar char", ["string"]),
    ("timestamp time timestamptz", ["date"]),
    ("numeric", ["decimal"]),
    ("real", ["double"]),
    ("uri", ["url"]),
    ("guid", ["uuid"]),
    ("variant mixed", ["any"]),
    ("jsonb raw", ["json"]),
    // Formats and other choices.
    ("jsonl jsonlines ldjson lines jsonpl", ["ndjson"]),
    ("jsonseq rfc7464", ["seq"]),
    ("concatenated stream multi", ["concat"]),
    ("postgres postgresql pg copy", ["pgcopy"]),
    ("sql database sqlite3 db", ["sqlite"]),
    ("tabs", ["tsv"]),
    ("prettyprint indented", ["pretty"]),
    ("raw plain txt", ["text"]),
    ("ignore continue warn", ["skip", "drop", "omit"]),
    ("drop", ["omit"]),
    ("abort stop strict raise error", ["fail"]),
    ("quarantine divert", ["reject"]),
    ("remove strip exclude skip none", ["omit", "drop"]),
    ("include emit write all", ["keep"]),
    ("allow", ["ignore", "keep"]),
    ("true yes on", ["keep"]),
    ("false no off", ["drop", "omit"]),
    ("explode unnest rows flattened", ["explode"]),
    ("string stringify", ["json"]),
    ("update merge", ["upsert"]),
    ("overwrite", ["replace"]),
    ("add create", ["insert"]),
    ("int integer float double decimal", ["number"]),
    ("str", ["string"]),
    ("bool", ["boolean"]),
    ("dict hash map struct record", ["object"]),
    ("filename path", ["file"]),
    ("row rownum rownumber nr recno record", ["record_number"]),
    ("offset pos position", ["byte_offset", "index"]),
    ("lineno linenumber", ["line"]),
    ("name parentkey", ["key"]),
    // Formats of dates.
    ("iso iso8601 rfc5424 datetime timestamp", ["rfc3339"]),
    ("rfc1123 rfc2822 rfc5322 rfc7231 http", ["rfc822"]),
    ("unix epoch posix seconds", ["unix_s"]),
    ("millis milliseconds epochmillis javascript", ["unix_ms"]),
    ("date day", ["yyyy-MM-dd"]),
  ]

  // MARK: What no name says

  /// Words, the name that stands beside where they may stand, and what to write.
  private static let sentences: [(words: String, beside: String, advice: String)] = [
    (
      "ne neq != <> notequal notequals isnot differs", "exists", "write not: { from: …, equals: … }"
    ),
    ("nin notin noneof", "exists", "write not: { from: …, one_of: [ … ] }"),
    ("startswith beginswith hasprefix prefix", "matches", "write matches: 'text.*'"),
    ("endswith hassuffix suffix", "matches", "write matches: '.*text'"),
    ("like ilike glob", "matches", "write matches: with a pattern (RE2), as in 'a.*'"),
    ("isnull null missing absent isempty notexists", "exists", "write exists: false"),
    (
      "type", "exists",
      "kind: says what kind a value has; a member of this name is { from: type, equals: … }"
    ),
    ("ne neq != <> notequal notequals", "equal_to", "write not: { equal_to: … }"),
    ("nin notin", "one_of", "write not: { one_of: [ … ] }"),
    (
      "trim strip lower upper lowercase uppercase downcase squeeze slice prefix suffix pad sub gsub replace",
      "extract",
      "it is a step of text, as in text: [trim, lower] or text: { replace: [\"_\", \"-\"] }"
    ),
    (
      "script code jq", "calc",
      "calc has a formula, where says which records are kept, and nothing else runs here"
    ),
    (
      "flatten unnest explode", "from",
      "a row for each element is arrays: explode under output; each says what the elements become"
    ),
    (
      "sum avg mean median groupby sort orderby", "from",
      "records are mapped one by one: pipe the output to another program for that"
    ),
    ("select", "streammap", "record names the fields, where says which records are kept"),
    ("limit top head", "streammap", "give --limit to the command"),
    ("comment description doc", "streammap", "write comments after #"),
    ("comment description doc", "from", "write comments after #"),
    ("separator sep delimiter delim quote", "header", "csv has commas, and tsv has tabs"),
    ("compression compress gzip", "header", "-o x.csv.gz compresses"),
    ("xlsx excel", "csv", "spreadsheets open csv; --csv-safe is for that"),
    ("csv tsv", "concat", "a feed is JSON; for CSV: mlr --icsv --ojsonl cat FILE | stream-map …"),
    ("yaml", "ndjson", "mlr makes YAML of JSON: … | mlr --ijsonl --oyaml cat"),
  ]
}
