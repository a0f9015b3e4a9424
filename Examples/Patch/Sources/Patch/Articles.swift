import StreamMap

struct Article: Equatable, Mappable {
  var title: String
  var subtitle: String?
  var tags: [String]
  var author: Author

  static let mapping = Mapping.object(Article.self) { field in
    let title = field("title", \.title, .string.validated(.length(1...20)))
    let subtitle = field("subtitle", \.subtitle)
    let tags = field("tags", \.tags)
    // A body with a part of the author changes that part.
    let author = field("author", \.author).mergingUpdates()
    return field.make(Article.init, title, subtitle, tags, author)
  }
}

struct Author: Equatable, Mappable {
  var name: String
  var mail: String?

  static let mapping = Mapping.object(Author.self) { field in
    let name = field("name", \.name)
    let mail = field("mail", \.mail)
    return field.make(Author.init, name, mail)
  }
}

/// One mistake of a body, in the answer.
struct Problem: Mappable {
  var path: String
  var code: String

  static let mapping = Mapping.object(Problem.self) { field in
    let path = field("path", \.path)
    let code = field("code", \.code)
    return field.make(Problem.init, path, code)
  }
}

/// The articles of the server, and what it answers.
struct Articles {
  private var articles: [Int: Article]
  private let mapper: Mapper<Article>
  private let problems: Mapper<[Problem]>

  init(_ articles: [Int: Article]) throws {
    self.articles = articles
    // Made once: a mapper is Sendable, and serves all requests.
    mapper = try Mapper(Article.self)
    problems = try Mapper([Problem].self)
  }

  /// `PATCH /articles/{id}`.
  mutating func patch(_ id: Int, _ body: [UInt8]) throws -> (status: Int, answer: [UInt8]) {
    guard var article = articles[id] else { return (404, []) }
    do {
      try mapper.update(&article, from: body)
    } catch {
      // Paths and codes have no value of the body in them.
      let all = error.leaves.map { Problem(path: "\($0.path)", code: "\($0.code)") }
      return (error.code.category == .syntax ? 400 : 422, try problems.encode(all))
    }
    articles[id] = article
    return (200, try mapper.encode(article))
  }
}
