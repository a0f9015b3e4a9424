import Foundation
import StreamMap
import Testing

@testable import StreamMapFiles

/// The JSON Schema of mapping files, as it is published.
struct PublishedSchema {
  static let text: String = {
    do {
      return try Project.text("Schemas/mapping-file.schema.json")
    } catch {
      Issue.record(error)
      return "{}"
    }
  }()

  let schema: JSONValue

  init() throws {
    schema = try Mapper(JSONValue.self).decode(Array(Self.text.utf8)).get()
  }

  /// The keys that maps of a part may have; those of the whole file without a part.
  func keys(of part: String? = nil) -> [String] {
    let map = part.map { schema["$defs"]?[$0] } ?? schema
    return map?["properties"]?.members.map(\.key) ?? []
  }

  /// A file's mistakes by the schema.
  func mistakes(_ text: String, _ name: String = "m.yaml") -> [String] {
    let found = FileMistakes(file: name)
    guard let root = MappingFileLoader.root(Array(text.utf8), found), let json = root.json(found)
    else { return [found.found.description] }
    return SchemaValidator(schema).mistakes(of: json)
  }

  /// Whether a mistake is a key that is not known there, or a value of another kind than its key takes.
  ///
  /// What a rule or a join says of the type beside it is another thing.
  private static func isOfKind(_ mistake: MappingFile.Mistake) -> Bool {
    mistake.message.hasPrefix("unknown key ")
      || mistake.message.firstMatch(of: #/^('.*'|\w+|a step of text) has to be /#) != nil
  }

  /// Checks that the schema refuses a file, too, that the reader refuses for a key or for the kind of a value.
  ///
  /// - Returns: The file's mistakes by the schema.
  @discardableResult
  func expectRefusal(
    of text: String, _ mistakes: [MappingFile.Mistake],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> [String] {
    let refusals = self.mistakes(text)
    if refusals.isEmpty, mistakes.contains(where: Self.isOfKind) {
      Issue.record(
        "the schema takes \(text), of which the reader says: \(mistakes.map(\.message))",
        sourceLocation: sourceLocation)
    }
    return refusals
  }
}
