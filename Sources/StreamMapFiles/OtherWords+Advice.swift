extension OtherWords {
  /// Words, the name that stands beside where they may stand, and what to write.
  static let sentences: [(words: String, beside: String, advice: String)] = [
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
      "ltrim rtrim lstrip rstrip strip", "extract",
      "text: trim takes the white space at both ends, { strip_prefix: x } and { strip_suffix: x } a text"
    ),
    (
      "mask", "redact",
      "text: { mask: 4 } hides a part of it in the output, redact: true all of it in errors and rejects"
    ),
    (
      "secret sensitive hidden private confidential", "redact",
      "redact: true hides it in errors and rejects; in the output text changes it, as text: { mask: 4 }"
    ),
    (
      "regex regexp pattern", "extract",
      "validate: { matches_anywhere: … } says what a text has to be, extract takes a part of it"
    ),
    (
      "find", "list",
      "list: [{ where: … }, first] takes the first element for which a condition holds"
    ),
    ("skip offset", "list", "list: { slice: [1] } leaves out the first elements"),
    (
      "arg argument args", "exists",
      "a formula looks at an argument, as in { calc: \"$name == 1\" }"
    ),
    (
      "key", "meta",
      "meta: key is the key that the record is under; entries makes a list of the members of an object"
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
    (
      "base64 b64 hex", "extract",
      "steps of text are base64_encode and hex_encode, which make it, base64_decode and hex_decode, which read it"
    ),
    ("join implode", "nth", "joined beside list makes one text of the elements"),
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
      "a row for each element is arrays: explode under output; each says what the elements become, list: flatten joins lists of lists"
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
    ("if case", "streammap", "write where: and a condition"),
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
