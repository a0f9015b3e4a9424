import StreamMap

/// The two fields that are mapped in each of the shapes.
struct Note: Decodable {
  let id: Int
  let text: String

  static let mapping = Mapping.object(Note.self) { field in
    field.make(Note.init, field("id", \.id), field("text", \.text))
  }

  static func contenders(_ feed: MappedFile) throws -> [any Contender] {
    func add(_ note: Note, to builder: inout DigestBuilder) {
      builder.add(note.id, salt: 1)
      builder.add(note.text, salt: 1)
    }
    return YajlBaseline.contenders(feed) + [
      StreamMapContender.contender(try Mapper(mapping), feed, add),
      FoundationContender.contender(Note.self, feed, add),
    ]
  }
}
