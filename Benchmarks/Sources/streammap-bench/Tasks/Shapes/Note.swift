import StreamMap

/// The two fields that are mapped in each of the shapes.
struct Note: Decodable {
  let id: Int
  let text: String

  static let mapping = Mapping.object(Note.self) { field in
    field.make(Note.init, field("id", \.id), field("text", \.text))
  }

  static func contenders(_ feed: MappedFile) throws -> [any Contender] {
    YajlBaseline.contenders(feed) + [
      StreamMapContender.contender(try Mapper(mapping), feed),
      FoundationContender.contender(Note.self, feed),
    ]
  }
}

extension Note: Digestible {
  func read(by digest: inout DigestBuilder) {
    digest.add(id, salt: 1)
    digest.add(text, salt: 1)
  }
}
