import StreamMap

/// Seven fields of a tweet's three hundred tokens, flat.
struct Tweet: Equatable {
  let id: Int
  let createdAt: String
  let text: String
  let screenName: String
  let followers: Int
  let retweets: Int
  let hashtags: [Hashtag]

  struct Hashtag: Equatable, Codable {
    let text: String

    static let mapping = Mapping.object(Hashtag.self) { field in
      field.make(Hashtag.init, field("text", \.text))
    }
  }

  static let mapping = Mapping.object(Tweet.self) { field in
    field.make(
      Tweet.init,
      field("id", \.id),
      field("created_at", \.createdAt),
      field("text", \.text),
      field("user.screen_name", \.screenName),
      field("user.followers_count", \.followers),
      field("retweet_count", \.retweets),
      field("entities.hashtags", \.hashtags, .array(of: Hashtag.mapping)))
  }

  /// The same fields, as output records.
  static let output: OutputMapping = .object([
    OutputField("id", from: "id", .int64),
    OutputField("created_at", from: "created_at", .string),
    OutputField("text", from: "text", .string),
    OutputField("screen_name", from: "user.screen_name", .string),
    OutputField("followers", from: "user.followers_count", .int64),
    OutputField("retweets", from: "retweet_count", .int64),
    OutputField(
      "hashtags", from: "entities.hashtags",
      .array(of: .object([OutputField("text", from: "text", .string)]))),
  ])
}

extension Tweet: Digestible {
  func read(by digest: inout DigestBuilder) {
    digest.add(id, salt: 1)
    digest.add(followers, salt: 3)
    digest.add(retweets, salt: 5)
    digest.add(createdAt, salt: 1)
    digest.add(text, salt: 2)
    digest.add(screenName, salt: 3)
    for hashtag in hashtags { digest.add(hashtag.text, salt: 4) }
  }
}

/// The same seven fields nested as in the feed, which `Codable` needs.
struct NestedTweet: Codable {
  let id: Int
  let createdAt: String
  let text: String
  let user: User
  let retweetCount: Int
  let entities: Entities

  struct User: Codable {
    let screenName: String
    let followersCount: Int

    enum CodingKeys: String, CodingKey {
      case screenName = "screen_name"
      case followersCount = "followers_count"
    }
  }

  struct Entities: Codable {
    let hashtags: [Tweet.Hashtag]
  }

  enum CodingKeys: String, CodingKey {
    case id, text, user, entities
    case createdAt = "created_at"
    case retweetCount = "retweet_count"
  }

  var flat: Tweet {
    Tweet(
      id: id, createdAt: createdAt, text: text, screenName: user.screenName,
      followers: user.followersCount, retweets: retweetCount, hashtags: entities.hashtags)
  }
}

extension NestedTweet: Digestible {
  func read(by digest: inout DigestBuilder) { flat.read(by: &digest) }
}

/// The output of commands: a flat record whose hashtags are texts or objects with a text.
struct WrittenTweet: Decodable {
  let id: Int
  let createdAt: String
  let text: String
  let screenName: String
  let followers: Int
  let retweets: Int
  let hashtags: [Hashtag]?

  struct Hashtag: Decodable {
    let value: Tweet.Hashtag

    init(from decoder: any Decoder) throws {
      if let text = try? decoder.singleValueContainer().decode(String.self) {
        value = Tweet.Hashtag(text: text)
      } else {
        value = try Tweet.Hashtag(from: decoder)
      }
    }
  }

  enum CodingKeys: String, CodingKey {
    case id, text, followers, retweets, hashtags
    case createdAt = "created_at"
    case screenName = "screen_name"
  }

  var tweet: Tweet {
    Tweet(
      id: id, createdAt: createdAt, text: text, screenName: screenName, followers: followers,
      retweets: retweets, hashtags: (hashtags ?? []).map(\.value))
  }

  /// A digest of a command's output.
  static func digest(_ output: MappedFile) throws -> Digest {
    try FoundationContender.digest(WrittenTweet.self, output)
  }
}

extension WrittenTweet: Digestible {
  func read(by digest: inout DigestBuilder) { tweet.read(by: &digest) }
}
