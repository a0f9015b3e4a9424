/// Options that other programs have (jq, Miller, DuckDB, Python), and what to give here.
enum OtherOptions {
  /// What to say of an option, which is named without its dashes; nil if it is not known.
  static func advice(for option: String) -> String? {
    if let line = here.first(where: { $0.options.contains(option) }) {
      return "write \(line.write)"
    }
    return nowhere.first { $0.options.contains(option) }?.because
  }

  private static let here: [(options: [String], write: String)] = [
    (["csv", "ocsv", "c2p", "xlsx", "excel"], "--to csv"), (["tsv", "otsv"], "--to tsv"),
    (["json", "ojson", "slurp", "s", "array"], "--to json"),
    (["jsonl", "ojsonl", "ndjson"], "--to ndjson"),
    (["pretty", "indent", "tab"], "--to pretty"), (["sqlite"], "--to sqlite"),
    (["raw", "raw-output", "r"], "--to text"), (["parquet"], "--to parquet"),
    (["arrow", "feather"], "--to arrow"), (["postgres", "copy"], "--to pgcopy"),
    (["icsv", "itsv"], "a feed of JSON: mlr --icsv --ojsonl cat FILE | stream-map …"),
    (["ijson", "ijsonl", "input-format", "input-type"], "--from FORMAT"),
    (["format", "type"], "--from FORMAT or --to FORM"),
    (["lines"], "--from ndjson, or --limit NUMBER"),
    (["output-format", "output-type", "as", "t"], "--to FORM"),
    (["output-file", "out", "outfile"], "-o FILE"),
    (
      ["split-by", "partition-by", "group-files", "output-dir", "out-dir"],
      "-o 'FOLDER/{FIELD}.ndjson'"
    ),
    (["input", "input-file", "file", "files", "i"], "the feed without an option"),
    (
      ["map", "mappings", "config", "schema", "mapping-file", "from-file", "program"],
      "--mapping FILE"
    ),
    (["f"], "--mapping FILE, or --field a,b"),
    (["path", "root", "items", "record-path"], "--records PATH"),
    (["select", "columns", "cols", "fields", "pick"], "--field a,b"),
    (["rename"], "--field NEW=OLD"), (["cast", "convert", "dtypes"], "--field NAME:TYPE"),
    (["where", "filter"], "a mapping file with where: …"),
    (["exclude", "omit", "drop", "keep"], "a mapping file with rest: keep and drop: …"),
    (
      ["drop-nulls", "omit-nulls", "skip-nulls", "nulls"],
      "a mapping file with output: { nulls: omit }"
    ),
    (["timezone", "tz", "zone"], "a mapping file with zone: … in the field"),
    (["encoding", "charset"], "iconv -f UTF-16 -t UTF-8 FILE | stream-map …"),
    (["threads", "workers", "parallel", "processes", "cores", "j"], "--jobs NUMBER"),
    (["head", "take", "n", "top", "first", "max-records"], "--limit NUMBER"),
    (["offset", "drop-first"], "--skip NUMBER"),
    (["arg", "argjson", "var", "param", "define"], "--set NAME=VALUE"),
    (
      ["ignore-errors", "skip-errors", "continue-on-error", "keep-going", "on-error"],
      "--errors skip"
    ),
    (["bad-records", "dlq", "dead-letter", "reject-file", "error-file"], "--rejects FILE"),
    (["silent", "no-progress"], "--quiet"),
    (["verbose", "summary", "debug", "log", "count"], "--stats human"),
    (["gzip", "zip", "compress"], "-o FILE.gz"),
    (["primary-key", "pk"], "--key COLUMN"),
    (
      ["append", "overwrite", "if-exists", "upsert"],
      "--mode MODE, for --to sqlite; -o replaces a file"
    ),
    (["random", "shuffle"], "--sample SHARE"),
    (["explode", "flatten", "unnest"], "a mapping file with output: { arrays: explode }"),
    (["dry-run", "validate", "check", "lint"], "stream-map check FILE"),
    (["explain", "plan"], "stream-map explain FILE"),
    (["infer", "describe"], "stream-map infer FEED"),
    (["print-schema", "output-schema"], "stream-map schema FILE"),
    (["resume-from", "continue"], "--checkpoint FILE"),
    (["help-keys", "keys"], "stream-map help keys"),
  ]

  /// What no option is for.
  private static let nowhere: [(options: [String], because: String)] = [
    // Commands that only print have no such option.
    (["o", "output"], "the result goes to standard output: write > FILE"),
    (
      ["sort", "sort-by", "order-by", "group-by", "unique", "distinct", "join", "sum"],
      "records are mapped one by one: pipe the output to another program for that"
    ),
    (["tail", "last"], "the last records are known at the end: pipe the output to tail -n NUMBER"),
    (
      ["ofs", "ifs", "fs", "delimiter", "delim", "separator", "sep"],
      "csv has commas, and tsv has tabs"
    ),
    (
      ["header", "headers", "with-header"],
      "csv and tsv begin with the names; --no-header leaves them out"
    ),
    (["compact", "compact-output", "c"], "a record is a line, without white space"),
    (["stream", "unbuffered"], "every feed is streamed, and each record is written at once"),
    (["strict"], "a record that does not fit ends the run, if --errors says nothing else"),
    (["force"], "-o replaces a file when the new one is complete"),
    (
      ["yaml", "oyaml", "xml", "oxtab"],
      "mlr makes other forms of JSON: … | mlr --ijsonl --oyaml cat"
    ),
  ]
}
