import StreamMap

enum Escaped: BenchmarkTask {
  static let name = "escaped"
  static let summary = "two of three fields, strings full of escapes"
  static let feed = "escaped.ndjson"

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    try Note.contenders(feed)
  }
}

/// All fields of the feed, whose strings consist mostly of escapes.
struct EscapedNote {
  let id: Int
  let html: String
  let text: String

  static let mapping = Mapping.object(EscapedNote.self) { field in
    field.make(
      EscapedNote.init, field("id", \EscapedNote.id), field("html", \EscapedNote.html),
      field("text", \EscapedNote.text))
  }
}
