import Foundation
import StreamMapMacros

/// The same model with StreamMap.
enum After {
  @Mappable(keys: .snakeCase)
  struct Article: Equatable {
    let id: Int
    let title: String
    var pageCount = 1
    let subtitle: String?
    @Key("author.display_name") let author: String
    let published: Date
    let readingTime: Duration
  }

  static func decode(_ data: Data) throws -> [Article] {
    try Mapper([Article].self).decode(data).get()
  }
}
