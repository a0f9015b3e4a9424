/// The values from outside a record, as JSON text, at one point of the feed.
final class ContextValues: Sendable {
  private let names: [String]
  private let paths: [PathPattern]
  private let texts: [[UInt8]?]

  /// The values of a document in which none has come yet.
  convenience init(_ values: [(name: String, path: PathPattern, standIn: JSONValue?)]) {
    self.init(
      values.map(\.name), values.map(\.path),
      values.map { value in value.standIn.map { Array($0.description.utf8) } })
  }

  private init(_ names: [String], _ paths: [PathPattern], _ texts: [[UInt8]?]) {
    self.names = names
    self.paths = paths
    self.texts = texts
  }

  /// The texts of all values, to be stored; nil for those that have not come.
  var all: [String?] { texts.map { text in text.map { String(decoding: $0, as: UTF8.self) } } }

  /// The same values with other texts; nil if the number of texts is wrong.
  func with(all others: [String?]) -> ContextValues? {
    guard others.count == texts.count else { return nil }
    return ContextValues(names, paths, others.map { text in text.map { Array($0.utf8) } })
  }

  /// The same values, with one more that has come.
  func with(_ text: [UInt8], at index: Int) -> ContextValues {
    var texts = texts
    texts[index] = text
    return ContextValues(names, paths, texts)
  }

  /// The same values, with one as it is in others.
  func with(valueOf others: ContextValues, at index: Int) -> ContextValues {
    var texts = texts
    texts[index] = others.texts[index]
    return ContextValues(names, paths, texts)
  }

  /// The text of a value; `null` where there is none.
  func text(_ index: Int) -> [UInt8] {
    let text = texts.indices.contains(index) ? texts[index] : nil
    return text ?? Array("null".utf8)
  }

  /// What an error says that a record lacks: a value that has not come; nil if none is missing.
  var missing: String? {
    guard let index = texts.firstIndex(where: { $0 == nil }) else { return nil }
    return "the context value '\(names[index])' (of \(paths[index]), before the record)"
  }
}
