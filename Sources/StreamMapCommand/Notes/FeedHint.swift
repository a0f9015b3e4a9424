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
    case .syntax:
      return markHint(error) ?? beginning.foreign?.hint(for: feed) ?? otherFormat(error)
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
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// The first byte of a byte-order mark, as errors name it; other characters begin with it, too.
  private static let firstOfMark = "the byte 0xEF"

  /// A byte-order mark that is cut off, or that stands where another file begins; nil if it is none.
  private func markHint(_ error: MappingError) -> String? {
    guard let found = error.found, found == Self.firstOfMark,
      let place = error.position?.bytes.lowerBound
    else { return nil }
    let bytes = beginning.bytes
    let rest = bytes.dropFirst(place)
    // Further on, a whole character between two values is most likely one.
    let isLikely =
      place >= bytes.count && error.code == .syntax && error.path.components.isEmpty
      && error.expected.map { $0 == "a value" || $0 == Self.endOfDocument } ?? false
    if isLikely || rest.starts(with: Self.mark) {
      return
        "; a byte-order mark can stand at the beginning only: take it away before files are joined"
    }
    let isCutOff =
      rest.starts(with: Self.mark.prefix(2)) || place == 0 && bytes == Array(Self.mark.prefix(1))
    return isCutOff ? "; a byte-order mark (EF BB BF) is cut off there" : nil
  }

  private static let endOfDocument = "the end of the document or line"

  /// A format that was named, where the feed has another.
  private func otherFormat(_ error: MappingError) -> String {
    let line = error.position?.line ?? 1
    switch format {
    case .ndjson where line == 1 && error.code == .truncated && goesOn:
      return "; the first value goes over several lines, so this is not NDJSON: give --from json"
    case .json where error.expected == Self.endOfDocument:
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
