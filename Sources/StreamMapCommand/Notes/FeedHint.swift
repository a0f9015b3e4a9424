import StreamMap
import StreamMapFiles

/// What an error of a feed probably comes from, and what to do: the end of its message.
struct FeedHint {
  let feed: FeedName
  let format: FeedFormat
  let paths: FeedNotes
  /// Where the fields were said.
  let origin: FieldOrigin

  private var beginning: FeedBeginning { paths.current }

  /// As in `; its elements are records with --records '$[*]'`; empty if nothing is known.
  func text(for error: MappingError) -> String {
    switch error.code.category {
    case .syntax where error.found == Self.firstOfMark:
      return
        "; a byte-order mark can stand at the beginning only: take it away before files are joined"
    case .syntax: return beginning.foreign?.hint(for: feed) ?? otherFormat(error)
    case .data:
      if error.code == .missing, error.expected?.hasPrefix(Self.contextValue) == true {
        return "; for records without the value write nullable: true, or default: and a value"
      }
      let hint = error.code == .wrongType ? arrayHint(error) : ""
      return hint.isEmpty ? origin.hint(for: error) : hint
    case .limit, .io, .definition: return ""
    }
  }

  /// How errors name a value of the context that has not come.
  private static let contextValue = "the context value "
  /// The first byte of a byte-order mark, as errors name it.
  private static let firstOfMark = "the byte 0xEF"

  /// A format that was named, where the feed has another.
  private func otherFormat(_ error: MappingError) -> String {
    let line = error.position?.line ?? 1
    switch format {
    case .ndjson where line == 1 && error.code == .truncated && goesOn:
      return "; the first value goes over several lines, so this is not NDJSON: give --from json"
    case .json where error.expected == "the end of the document or line":
      return line > 1
        ? "; each line is a document of its own: give --from ndjson"
        : "; there are several documents: give --from concat"
    default: return ""
    }
  }

  /// Whether there is more after the first line that holds something.
  private var goesOn: Bool {
    let text = beginning.bytes.drop { $0 <= 0x20 }
    guard let end = text.firstIndex(of: UInt8(ascii: "\n")) else { return false }
    return text[end...].contains { $0 > 0x20 }
  }

  /// An array where a record was expected, or no JSON at all.
  private func arrayHint(_ error: MappingError) -> String {
    guard error.target?.components.isEmpty ?? true, error.found != "an array" else {
      return paths.hint(for: error)
    }
    let shape = beginning.shape
    if paths.records.contains(where: { $0.steps == [.wildcard] }), shape.documentCount > 1,
      shape.root.elements == nil
    {
      return "; each line or document is a record by itself: leave out --records"
    }
    // The first field of a table may be a string or a number by itself.
    return beginning.foreign?.hint(for: feed) ?? ""
  }
}
