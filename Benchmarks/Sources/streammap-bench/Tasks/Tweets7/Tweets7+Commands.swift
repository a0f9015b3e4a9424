extension Tweets7 {
  private static let filter = """
    {id, created_at, text, screen_name: .user.screen_name, followers: .user.followers_count,
    retweets: .retweet_count, hashtags: [.entities.hashtags[].text]}
    """

  /// jq and similar programs; jq before 1.7 rounds whole numbers to Double.
  static func jq(_ program: String, _ feed: MappedFile) -> any Contender {
    CommandContender(
      program, [program, "-c", filter, feed.path], environment: ["GOMAXPROCS": "1"],
      comparison: program == "jq" ? .roundedIntegers : .exact, read: WrittenTweet.digest)
  }

  static func miller(_ feed: MappedFile) -> any Contender {
    let expression = """
      emit1 {"id": $id, "created_at": $created_at, "text": $text,
        "screen_name": $user["screen_name"], "followers": $user["followers_count"],
        "retweets": $retweet_count,
        "hashtags": apply($entities["hashtags"], func(e) { return e["text"] })}
      """
    return CommandContender(
      "mlr",
      ["mlr", "--ijsonl", "--ojsonl", "--no-auto-flatten", "put", "-q", expression, feed.path],
      environment: ["GOMAXPROCS": "1"], read: WrittenTweet.digest)
  }
}
