import Foundation

/// The model with Codable.
enum Before {
  struct Article: Codable, Equatable {
    let id: Int
    let title: String
    let pageCount: Int
    let subtitle: String?
    let author: String
    let published: Date
    let readingTime: Double

    enum CodingKeys: String, CodingKey {
      case id, title, subtitle, author, published
      case pageCount = "page_count"
      case readingTime = "reading_time"
    }

    enum AuthorKeys: String, CodingKey {
      case displayName = "display_name"
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      id = try values.decode(Int.self, forKey: .id)
      title = try values.decode(String.self, forKey: .title)
      pageCount = try values.decodeIfPresent(Int.self, forKey: .pageCount) ?? 1
      subtitle = try values.decodeIfPresent(String.self, forKey: .subtitle)
      let author = try values.nestedContainer(keyedBy: AuthorKeys.self, forKey: .author)
      self.author = try author.decode(String.self, forKey: .displayName)
      published = try values.decode(Date.self, forKey: .published)
      readingTime = try values.decode(Double.self, forKey: .readingTime)
    }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(id, forKey: .id)
      try values.encode(title, forKey: .title)
      try values.encode(pageCount, forKey: .pageCount)
      try values.encodeIfPresent(subtitle, forKey: .subtitle)
      var author = values.nestedContainer(keyedBy: AuthorKeys.self, forKey: .author)
      try author.encode(self.author, forKey: .displayName)
      try values.encode(published, forKey: .published)
      try values.encode(readingTime, forKey: .readingTime)
    }
  }

  static func decode(_ data: Data) throws -> [Article] {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode([Article].self, from: data)
  }
}
