/// One more key in the mapping file of the logs, and what it may cost.
struct CliffKey {
  let name: String
  /// More fields of the record.
  var fields = ""
  /// Keys beside the record.
  var beside = ""
  /// Whether a label chooses the record, among two that are the same.
  var isDispatched = false
  /// The most processor time, in that of the plain mapping: more where there is more to write.
  var bar = 1.5

  /// The most where as much is written as by `json`: what that costs comes on top.
  private static let withContainer = 1.85

  static let all: [CliffKey] = [
    CliffKey(name: "first_of", fields: "who: { first_of: [actor, user_agent], type: string }"),
    CliffKey(
      name: "first_of, one does not fit",
      fields: "who: { first_of: [user_id, user_agent], type: string }"),
    CliffKey(name: "join", fields: "who: { join: [service, level], with: \" \" }"),
    CliffKey(name: "json", fields: "http: { from: http, type: json }"),
    CliffKey(name: "map", fields: "http: { from: http, map: json }", bar: withContainer),
    CliffKey(
      name: "entries", fields: "http: { from: http, entries: [key, value] }", bar: withContainer),
    CliffKey(name: "count", fields: "count: { from: tags, count: true }"),
    CliffKey(
      name: "coerce", fields: "bytes: { from: user_id, type: string, coerce: number }"),
    CliffKey(name: "a date as", fields: "at: { from: time, type: date, as: unix_ms }"),
    CliffKey(name: "rest", beside: "rest: keep"),
    CliffKey(name: "text", fields: "loud: { from: message, text: upper }"),
    CliffKey(name: "calc", fields: "seconds: { calc: http.ms / 1000, type: decimal }"),
    CliffKey(
      name: "cases",
      fields:
        "class: { cases: [ { when: { from: http.status, min: 500 }, const: error } ], otherwise: ok }"
    ),
    CliffKey(
      name: "where", beside: "where: { from: http.status, min: 100 }"),
    CliffKey(
      name: "validate",
      fields: "agent: { from: user_agent, type: string, validate: { min_length: 1 } }"),
    CliffKey(name: "split", fields: "words: { from: message, split: \" \", each: string }"),
    CliffKey(name: "joined", fields: "labels: { from: tags, each: string, joined: \",\" }"),
    CliffKey(
      name: "dispatch",
      fields:
        "call: { from: http, dispatch: { on: method, cases: { GET: { object: { read: path } } }, otherwise: { object: { write: path } } } }"
    ),
    CliffKey(name: "dispatch of records", isDispatched: true),
    CliffKey(name: "a fact", fields: "line: { meta: line }"),
    CliffKey(name: "where on a fact", beside: "where: { meta: line, min: 1 }"),
    CliffKey(name: "an object", fields: "call: { from: http, object: { verb: method } }"),
    CliffKey(name: "an index", fields: "first: { from: \"tags[0]\", nullable: true }"),
    CliffKey(
      name: "a dictionary by kind",
      fields:
        "parts: { from: http, map: { dispatch: { cases: { string: string, number: double } } } }",
      bar: withContainer),
    CliffKey(name: "list: count", fields: "count: { from: tags, list: count }"),
    CliffKey(
      name: "list: where, count",
      fields: "webs: { from: tags, list: [ { where: { from: $, equals: web } }, count ] }"),
    CliffKey(name: "list: first", fields: "first: { from: tags, list: first, nullable: true }"),
    CliffKey(name: "list: sort", fields: "sorted: { from: tags, list: sort, each: string }"),
    CliffKey(name: "several values", fields: "all: { from: \"tags[*]\", each: string }"),
    CliffKey(
      name: "number_format",
      fields: "shown: { from: user_id, coerce: number, text: { number_format: '#,##0.00' } }"),
    CliffKey(
      name: "list: sum",
      fields:
        "total: { from: http, entries: [k, v], list: [ { from: v }, { where: { from: $, kind: number } }, sum ] }"
    ),
    CliffKey(
      name: "zip", fields: "both: { zip: { a: tags, b: tags }, each: { object: { a: a, b: b } } }",
      bar: 2),
    CliffKey(
      name: "template", fields: "line: { template: \"{http.method} {http.path}{? ({user_id})}\" }"),
    CliffKey(
      name: "replace_pattern",
      fields:
        "route: { from: http.path, type: string, text: { replace_pattern: [ \"[0-9]+\", \"N\" ] } }"
    ),
    CliffKey(
      name: "extract", fields: "number: { from: http.path, extract: \"[0-9]+\", nullable: true }"),
    CliffKey(name: "hash", fields: "id: { from: trace_id, text: { hash: sha256 } }"),
    CliffKey(name: "mask", fields: "id: { from: trace_id, text: { mask: 4 } }"),
    CliffKey(
      name: "url", fields: "top: { from: http.path, text: { split: \"/\", at: 1 } }"),
    CliffKey(name: "unwrap", fields: "call: { from: http, unwrap: [method], type: json }"),
    CliffKey(
      name: "values",
      fields: "loud: { from: level, values: { error: 1, warning: 1 }, otherwise: 0 }"),
    CliffKey(name: "scale", fields: "seconds: { from: http.ms, type: decimal, scale: 0.001 }"),
    // What a key takes is often not there.
    CliffKey(
      name: "calc of what is missing",
      fields: "seconds: { calc: gone.ms / 1000, type: decimal, nullable: true }"),
    CliffKey(
      name: "cases of what is missing",
      fields: "class: { cases: [ { when: { from: gone, min: 5 }, const: late } ], nullable: true }"),
    CliffKey(
      name: "text of what is missing", fields: "loud: { from: gone, text: upper, nullable: true }"),
    CliffKey(
      name: "a template of what is missing",
      fields: "line: { template: \"{gone} {gone.ms}\", nullable: true }"),
  ]

  /// The mapping file, made of the plain one.
  func mapping(_ plain: String) -> String {
    if isDispatched { return Self.dispatched(plain) }
    return plain + (fields.isEmpty ? "" : "  \(fields)\n") + (beside.isEmpty ? "" : "\(beside)\n")
  }

  private static func dispatched(_ plain: String) -> String {
    let parts = plain.split(separator: "record:\n", maxSplits: 1)
    guard parts.count == 2 else { return plain }
    func fields(_ indent: Int) -> String {
      parts[1].split(separator: "\n").map {
        String(repeating: " ", count: indent) + $0.drop { $0 == " " } + "\n"
      }.joined()
    }
    return parts[0]
      + "value:\n  dispatch:\n    on: level\n    cases:\n      info:\n        object:\n"
      + fields(10) + "    otherwise:\n      object:\n" + fields(8)
  }
}
