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
  ///
  /// - Parameters:
  ///   - word: The word.
  ///   - names: The names that can stand there.
  ///   - possible: Those of them that it may mean, by what stands under it; nil if it may mean all.
  /// - Returns: The name, or what to write.
  package static func meaning(
    of word: String, among names: [String], _ possible: [String]? = nil
  ) -> Meaning? {
    if let text = advice(on: word, beside: names) { return .advice(text) }
    let word = ExactText(plain(word))
    guard let meanings = meanings[word] else {
      return negated(word.text, among: names) ?? (advice[word] == nil ? nil : .nothing)
    }
    if let name = meanings.first(where: { (possible ?? names).contains($0) }) { return .name(name) }
    // A key of ours from elsewhere has its own meaning; for other words a name helps, whatever is under them.
    if ours.contains(word) { return .nothing }
    return meanings.first { names.contains($0) }.map { .name($0) } ?? .nothing
  }

  /// The keys and steps of mapping files.
  private static let ours = Set(
    [
      ValueKey.allCases.map(\.name), RuleName.keys.names, ConditionKey.allCases.map(\.name),
      StepKey.keys.names, ListKey.keys.names, TextReader.words.map(\.name),
      ListReader.words.map(\.name), DispatchKey.keys.names, LookupKey.keys.names,
      FileKey.keys.names, InputKey.keys.names, LimitKey.keys.names, ErrorsKey.keys.names,
      OutputKey.keys.names, ArraysKey.keys.names,
    ].joined().map { ExactText(plain($0)) })

  /// What to write for a word that is not one of ours, where these names can stand; nil if nothing is known.
  static func advice(on word: String, beside names: [String]) -> String? {
    advice[ExactText(plain(word))]?.first { names.contains($0.1) }?.0
  }

  /// What to write for the opposite of a condition or a rule, such as `not_contains`.
  private static func negated(_ word: String, among names: [String]) -> Meaning? {
    let isCondition = names.contains(ConditionKey.exists.name)
    guard isCondition || names.contains(RuleName.equalTo.name),
      let start = ["isnot", "doesnot", "not", "!"].first(where: { word.hasPrefix($0) })
    else { return nil }
    let rest = String(word.dropFirst(start.count))
    let name =
      names.first { plain($0) == rest } ?? meanings[ExactText(rest)]?.first { names.contains($0) }
    guard let name, name != "not" else { return nil }
    return .advice(isCondition ? "write not: { from: …, \(name): … }" : "write not: { \(name): … }")
  }

  /// Whether a word changes or names a value that comes from somewhere.
  ///
  /// Where no source is given, it is rather the name of a field, as in `{ first: name.first, last: name.last }`.
  static func needsSource(_ word: String) -> Bool {
    let changes = ["extract", "list", "scale", "coerce", "parse"]
    return StepPlaces.isStep(word)
      || (advice[ExactText(plain(word))] ?? []).contains { changes.contains($0.1) }
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

  // MARK: Names; what no name says is in OtherWords+Advice

  /// Words, and the names that they may mean: the first of these that can stand there.
  private static let names: [(words: String, means: [String])] = [
    // Conditions and rules.
    ("and allof every && must", ["all"]),
    ("or anyof some || should", ["any", "either", "first_of"]),
    ("nor negate isnt mustnot andnot butnot", ["not"]),
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
    ("in isin inlist oneoflist enum allowed choices choice among terms", ["one_of", "values"]),
    ("values", ["one_of"]),
    ("const", ["equals"]),
    (
      "contains includes regexpmatches regexmatch matchesregex matchregex rlike test search find",
      ["matches_anywhere"]
    ),
    ("substring", ["matches_anywhere", "slice"]),
    ("regex regexp pattern", ["matches_anywhere"]),
    ("match fullmatch regexpfullmatch", ["matches", "cases"]),
    ("capture regexpextract", ["extract"]),
    ("between interval", ["range"]),
    ("present defined notnull isnotnull hasvalue nonnull isset", ["exists"]),
    ("len strlen size", ["length", "count"]),
    ("minitems minproperties minsize", ["min_count"]),
    ("maxitems maxproperties maxsize", ["max_count"]),
    ("uniqueitems distinct", ["unique"]),
    ("datatype kindof isa typeof", ["kind", "type"]),
    ("value member property field attribute", ["from", "on"]),
    ("value", ["equals"]),
    ("column", ["value"]),
    ("key", ["from", "on"]),
    ("on match joinon", ["key"]),
    // Fields.
    (
      "path source src column col selector pointer jsonpath jsonpointer input get",
      ["from", "on", "records"]
    ),
    ("optional optionalfield allownull isnullable nullok maybe omitempty", ["nullable"]),
    ("mandatory notnullable", ["required"]),
    (
      "fallback orelse ifnull ifmissing nvl defaultvalue whenmissing whennull",
      ["default", "otherwise"]
    ),
    ("else", ["otherwise", "default"]),
    ("onerror iferror skiperrors ignoreerrors try trycast safe safecast", ["optionally"]),
    ("default", ["otherwise"]),
    ("coalesce alternatives oneof firstnonnull either", ["first_of"]),
    ("cast convert astype totype kind", ["type"]),
    ("items elements foreach array list sequence", ["each", "records"]),
    ("from", ["records"]),
    ("properties struct members nested nestedfields", ["object", "record"]),
    ("fields columns mapping mappings projection", ["record", "object"]),
    ("additionalproperties extra others remaining unmapped", ["rest"]),
    ("exclude omit ignorefields without", ["drop"]),
    ("switch ifelse branches conditions", ["cases", "dispatch"]),
    ("by discriminator discriminatedby typefield", ["on", "dispatch"]),
    ("concat concatws concatenate", ["join"]),
    ("separator sep delimiter delim", ["with"]),
    ("expr expression formula compute computed eval", ["calc"]),
    ("constant literal fixed static", ["const"]),
    ("dateformat strptime informat inputformat", ["format"]),
    ("strftime outformat outputformat", ["as"]),
    ("tz timezone", ["zone"]),
    ("decimals precision digits places", ["round"]),
    ("factor multiply multiplier", ["scale"]),
    ("len length", ["count"]),
    ("constraints rules checks assert", ["validate"]),
    ("table dictionary", ["lookup", "values"]),
    ("filter having only select", ["where", "when"]),
    ("condition", ["when", "where"]),
    ("if case", ["when", "cases"]),
    ("toentries keys items", ["entries"]),
    ("mapvalues", ["map"]),
    ("transpose arrayzip zipwith ziparrays", ["zip"]),
    ("fromjson parsejson jsonparse jsondecode jsonloads", ["parse"]),
    ("implode joinwith", ["joined"]),
    // Files.
    ("version schemaversion streammapversion", ["streammap"]),
    ("feed reader", ["input"]),
    ("sink target writer destination", ["output"]),
    ("onerror errorhandling", ["errors", "mode"]),
    ("arguments params parameters variables vars inputs", ["args"]),
    ("imports include includes definitions defs ref", ["use"]),
    ("title id", ["name"]),
    ("policy strategy tolerance", ["mode"]),
    (
      "deadletter deadletterqueue dlq rejectfile rejected errorfile badrecords",
      ["rejects", "reject"]
    ),
    ("file path output", ["rejects"]),
    ("maxerrors errorlimit limit", ["max"]),
    ("threshold maxpercent maxpercentage maxshare maxrate ratio", ["max_ratio"]),
    ("log", ["skip"]),
    ("keeplast", ["last"]),
    ("keepfirst", ["first"]),
    ("allow", ["last"]),
    ("drop", ["ignore"]),
    ("reject", ["fail"]),
    ("recordpath rootpath root rowpath recordsat", ["records"]),
    ("codec filetype encoding type", ["format"]),
    ("headers writeheader", ["header"]),
    ("filename filepath path src source csv table", ["file"]),
    ("primarykey keys", ["key"]),
    ("null nullvalues nullvalue skipnulls dropnulls omitnull omitnulls", ["nulls"]),
    ("flatten flattenseparator", ["nested"]),
    ("join joined", ["joined"]),
    ("ifexists writemode savemode", ["mode"]),
    ("tablename into", ["table"]),
    // Steps of texts.
    ("lowercase downcase asciidowncase tolower", ["lower"]),
    ("uppercase upcase asciiupcase toupper", ["upper"]),
    ("strip trimspace", ["trim"]),
    ("tobase64 b64encode", ["base64_encode"]),
    ("frombase64 b64decode base64d unbase64", ["base64_decode"]),
    ("uri urlquote percentencode encodeuricomponent", ["url_encode"]),
    ("urlunquote percentdecode decodeuricomponent", ["url_decode"]),
    ("tohex", ["hex_encode"]),
    ("fromhex unhex", ["hex_decode"]),
    ("substr cut truncate left right limit take head top tail skip", ["slice"]),
    ("ssub replaceall", ["replace"]),
    (
      "sub gsub regexpreplace regexreplace replaceregex replaceregexp rereplace resub",
      ["replace_pattern"]
    ),
    ("lpad padstart zfill", ["pad"]),
    ("rpad ljust", ["pad_end"]),
    ("removeprefix ltrimstr trimprefix", ["strip_prefix"]),
    ("removesuffix rtrimstr trimsuffix", ["strip_suffix"]),
    ("prepend", ["prefix"]),
    ("append", ["suffix", "insert"]),
    ("sha sha2 sha256 sha256sum sha1 md5 md5sum digest checksum", ["hash"]),
    ("pseudonymize pseudonymise anonymize anonymise tokenize hmacsha256", ["hmac"]),
    ("collapse normalizespace cleanwhitespace", ["squeeze"]),
    // Steps of lists.
    ("sortby orderby order asc ascending", ["sort"]),
    ("uniqueby distinctby dedup dedupe deduplicate distinct", ["unique"]),
    ("avg average", ["mean"]),
    ("add total addup", ["sum"]),
    ("length len size", ["count"]),
    ("pluck get select map path field column", ["from"]),
    ("at index elementat get", ["nth"]),
    ("concat unnest explode", ["flatten"]),
    ("reversed rev", ["reverse"]),
    ("tonumber todecimal", ["numbers", "number"]),
    // Types.
    ("integer long bigint", ["int64"]),
    ("short smallint", ["int16"]),
    ("byte tinyint", ["uint8"]),
    ("uint unsigned unsignedint unsignedlong", ["uint64"]),
    ("int4", ["int32"]),
    ("int2", ["int16"]),
    ("float8 doubleprecision", ["double"]),
    ("float4", ["float"]),
    ("text varchar varchar2 nvarchar char character bpchar", ["string"]),
    ("email hostname host ip ipv4 ipv6 inet phone bytes binary bytea blob", ["string"]),
    (
      "timestamp time timestamptz timestampms timestampus timestampns datetime64 datetime2 datetimeoffset epoch",
      ["date"]
    ),
    ("numeric money currency bignumeric", ["decimal"]),
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
    ("feather ipc", ["arrow"]),
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
    ("dict map struct record", ["object"]),
    ("filename path", ["file"]),
    ("row rownum rownumber nr recno record", ["record_number"]),
    ("offset pos position", ["byte_offset", "index"]),
    ("lineno linenumber", ["line"]),
    ("name parentkey", ["key"]),
    // Formats of dates.
    ("iso iso8601 rfc5424 rfc3339nano datetime timestamp", ["rfc3339"]),
    ("rfc1123 rfc2822 rfc5322 rfc7231 http", ["rfc822"]),
    ("unix epoch posix seconds unixtime unixtimestamp epochseconds epochsecond", ["unix_s"]),
    (
      "millis milliseconds epochmillis epochms epochmilli unixmillis unixtimems timestampms javascript",
      ["unix_ms"]
    ),
    ("us micros microseconds epochmicros epochus timestampus", ["unix_us"]),
    ("ns nanos nanoseconds epochnanos epochns timestampns", ["unix_ns"]),
    ("unixd unixday unixdays epochday epochdays", ["days"]),
    ("date day", ["yyyy-MM-dd"]),
  ]
}
