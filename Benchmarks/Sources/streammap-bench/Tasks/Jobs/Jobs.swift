/// Few fields of large records, one a line.
enum JobsTweets: JobsTask {
  static let name = "jobs-tweets"
  static let summary = "tweets7 by the command, with one job and with two"
  static let feed = "tweets.ndjson"
  static let mapping = "tweets7.map.yaml"

  static func digest(_ output: MappedFile) throws -> Digest { try WrittenTweet.digest(output) }
}

/// The same in one document, whose list is split between the workers.
enum JobsDocument: JobsTask {
  static let name = "jobs-document"
  static let summary = "tweets7-document by the command, with one job and with two"
  static let feed = TweetsDocument.feed
  static let mapping = "tweets7.map.yaml"
  static let records = ["--records", TweetsDocument.place]

  static func digest(_ output: MappedFile) throws -> Digest { try WrittenTweet.digest(output) }
}

/// Most fields of small records: much output.
enum JobsLogs: JobsTask {
  static let name = "jobs-logs"
  static let summary = "logs by the command, with one job and with two"
  static let feed = LogFeed.feed
  static let mapping = "logs.map.yaml"

  static func digest(_ output: MappedFile) throws -> Digest { try WrittenLogRecord.digest(output) }
}
