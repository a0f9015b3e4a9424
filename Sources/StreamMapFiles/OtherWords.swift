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
    guard let meanings = meanings[word] else {
      return negated(word.text, among: names) ?? (advice[word] == nil ? nil : .nothing)
    }
    return meanings.first { names.contains($0) }.map { .name($0) } ?? .nothing
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
    return (advice[ExactText(plain(word))] ?? []).contains { changes.contains($0.1) }
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
    ("value member property field attribute", ["from", "on"]),
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
    ("mask secret sensitive hidden private", ["redact"]),
    ("constraints rules checks assert", ["validate"]),
    ("table dictionary", ["lookup", "values"]),
    ("filter having only select", ["where", "when"]),
    ("condition", ["when", "where"]),
    ("if case", ["when", "cases", "where"]),
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
    ("dict hash map struct record", ["object"]),
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

  // MARK: What no name says

  /// Words, the name that stands beside where they may stand, and what to write.
  private static let sentences: [(words: String, beside: String, advice: String)] = [
    (
      "ne neq != <> notequal notequals isnot differs", "exists", "write not: { from: …, equals: … }"
    ),
    ("nin notin notinlist noneof", "exists", "write not: { from: …, one_of: [ … ] }"),
    ("none noneof nor", "either", "write not: { either: [ … ] }"),
    ("none noneof neither", "nth", "write all: { not: { … } }"),
    ("none noneof neither", "all", "write not: { any: [ … ] }"),
    ("bool", "all", "write all: [ … ], any: [ … ] or not: { … }"),
    ("not", "exists", "it stands around a condition, as in not: { from: …, equals: … }"),
    ("all any", "exists", "it stands around conditions, as in any: [ { from: …, equals: … }, … ]"),
    ("istrue", "exists", "write equals: true"),
    ("isfalse", "exists", "write equals: false"),
    ("isnumber isnumeric isint isinteger", "exists", "write kind: number"),
    ("isstring istext", "exists", "write kind: string"),
    ("isbool isboolean", "exists", "write kind: boolean"),
    ("isarray islist", "exists", "write kind: array"),
    ("isobject isdict ismap", "exists", "write kind: object"),
    ("isinstance instanceof", "exists", "kind: says what kind a value has, as in kind: number"),
    (
      "iequals ieq equalsignorecase", "matches",
      "write matches: '(?i)text'; (?i) does not mind capitals"
    ),
    (
      "icontains iregex imatch caseinsensitive ignorecase", "matches",
      "write matches_anywhere: '(?i)text'; (?i) does not mind capitals"
    ),
    (
      "isempty isblank", "exists",
      "write equals: '' for a text, max_count: 0 for a list, exists: false for what is not there"
    ),
    (
      "notempty isnotempty nonempty", "exists",
      "write min_length: 1 for a text, min_count: 1 for a list, exists: true for what is there"
    ),
    ("startswith beginswith hasprefix prefix", "matches", "write matches: 'text.*'"),
    ("endswith hassuffix suffix", "matches", "write matches: '.*text'"),
    ("like ilike glob", "matches", "write matches: with a pattern (RE2), as in 'a.*'"),
    ("isnull null missing absent notexists notpresent", "exists", "write exists: false"),
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
      "ltrim rtrim lstrip rstrip toupper tolower lpad rpad substr substring truncate left right",
      "extract", "it is a step of text, as in text: [trim, lower] or text: { slice: [0, 8] }"
    ),
    (
      "regexpreplace regexreplace replaceregex hash hmac md5 sha1 sha256 base64 urlencode urldecode url",
      "extract", "it is a step of text, as in text: url_decode or text: { replace_pattern: [a, b] }"
    ),
    (
      "first last nth reverse reversed sortby orderby sort sum add avg mean median uniqueby dedup dedupe distinct",
      "list",
      "it is a step of list, as in list: first or list: [{ sort: at }, reverse]; over records the next program does it"
    ),
    (
      "alias name rename renameto to newname target targetname outputname", "parse",
      "the name in the output is on the left, as in b: { from: a }"
    ),
    (
      "then value result", "arg", "write const: with a fixed value, or from: with a path"
    ),
    ("divide divideby div divisor", "scale", "scale multiplies: scale: 0.01 divides by 100"),
    (
      "plus minus subtract increment floor abs sqrt mod", "scale",
      "calc has a formula, as in calc: \"floor(a) + 1\""
    ),
    ("ceil ceiling", "scale", "write calc: \"-floor(-a)\""),
    ("ceil ceiling", "floor", "write -floor(-x)"),
    (
      "json tojson", "parse",
      "type: json takes a value as it stands, parse: json reads JSON in a string"
    ),
    (
      "tonumber toint tofloat", "coerce",
      "write a type and coerce, as in type: decimal, coerce: string"
    ),
    ("tostring", "coerce", "write type: string, coerce: number"),
    ("index at", "parse", "an element is in the path, as in from: a[0]"),
    ("parent parentkey", "arg", "write context: with a value of the file's context"),
    (
      "base64 b64 hex", "strip_prefix",
      "base64_encode and hex_encode make it, base64_decode and hex_decode read it"
    ),
    ("limit take head top", "list", "list: { slice: [0, 3] } takes the first elements"),
    // Functions of formulas.
    (
      "concat upper lower trim replace substr substring format str string join split", "floor",
      "template and join make one text of several, and text changes one"
    ),
    ("coalesce ifnull nvl default", "floor", "write a ?? b"),
    (
      "sum avg mean count first last any all add", "floor",
      "list has it for the elements of an array"
    ),
    ("now today date time", "floor", "a time is given by an argument: --set"),
    ("if iff iif case when", "floor", "cases chooses one of several values"),
    ("isnull", "floor", "write a == null"),
    (
      "script code jq", "calc",
      "calc has a formula, where says which records are kept, and nothing else runs here"
    ),
    (
      "flatten unnest explode", "from",
      "a row for each element is arrays: explode under output; each says what the elements become"
    ),
    (
      "groupby median", "from",
      "records are mapped one by one: pipe the output to another program for that"
    ),
    (
      "groupby orderby sort sortby distinct unique dedup aggregate count sum join union window",
      "streammap",
      "records are mapped one by one: pipe the output to another program for that"
    ),
    ("unless except", "streammap", "write where: { not: { … } }"),
    ("explode unnest", "streammap", "write output: { arrays: explode }"),
    ("explode unnest", "header", "write arrays: explode"),
    (
      "rename renames alias transforms transform pick", "streammap",
      "record names the fields, where says which records are kept"
    ),
    ("keep keeprest passthrough", "streammap", "rest: keep keeps the members that no field takes"),
    ("defaults default", "streammap", "write default: in the field"),
    ("constants", "streammap", "write const: in the field"),
    (
      "required definitions", "streammap",
      "record has a field for each member; a field with a type has to be there"
    ),
    ("skip offset", "streammap", "give --skip to the command"),
    ("skip offset", "duplicate_keys", "give --skip to the command"),
    ("limit top head take", "duplicate_keys", "give --limit to the command"),
    ("compression compress gzip", "duplicate_keys", "compressed feeds are recognised"),
    ("file filename url feed", "duplicate_keys", "feeds are named on the command line"),
    (
      "encoding charset", "duplicate_keys",
      "JSON is UTF-8: iconv -f UTF-16 -t UTF-8 FILE | stream-map …"
    ),
    (
      "lines multiline jsonl", "duplicate_keys",
      "write format: ndjson for lines, json for a document"
    ),
    (
      "delimiter separator sep header quote", "duplicate_keys",
      "a feed is JSON; for CSV: mlr --icsv --ojsonl cat FILE | stream-map …"
    ),
    ("select", "streammap", "record names the fields, where says which records are kept"),
    ("limit top head", "streammap", "give --limit to the command"),
    ("comment description doc", "streammap", "write comments after #"),
    ("comment description doc", "from", "write comments after #"),
    ("separator sep delimiter delim quote", "header", "csv has commas, and tsv has tabs"),
    ("compression compress gzip", "header", "-o x.csv.gz compresses"),
    (
      "path filename outputfile", "header",
      "give -o to the command; file is the database of format: sqlite"
    ),
    ("indent pretty", "header", "write format: pretty"),
    ("fields columns select", "header", "record names the columns"),
    (
      "duckdb", "parquet",
      "DuckDB reads parquet and csv; stream-map ddl --for duckdb prints the table"
    ),
    (
      "mysql mariadb oracle mssql bigquery snowflake", "parquet",
      "most databases load csv or parquet"
    ),
    ("avro orc", "parquet", "parquet and arrow have columns with types"),
    ("xml parquet avro yaml toml", "concat", "a feed is JSON"),
    (
      "ignore skip", "upsert",
      "insert ends with an error, replace and upsert change the row that is there"
    ),
    ("join joined concat", "explode", "write arrays: { joined: \"; \" }"),
    ("notlike", "matches", "write not: { from: …, matches: … } with a pattern (RE2), as in 'a.*'"),
    ("keep", "ignore", "rest: keep beside record keeps them, or write unknown: collect:NAME"),
    ("xlsx excel", "csv", "spreadsheets open csv; --csv-safe is for that"),
    ("csv tsv", "concat", "a feed is JSON; for CSV: mlr --icsv --ojsonl cat FILE | stream-map …"),
    ("yaml", "ndjson", "mlr makes YAML of JSON: … | mlr --ijsonl --oyaml cat"),
  ]
}
