import ArgumentParser
import Foundation

struct FeedsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feeds", abstract: "Makes the feeds: seeded, so the same everywhere.")

  @Argument(help: "The folder to write them to.")
  var directory: String

  @Option(help: ArgumentHelp("Megabytes of each feed.", valueName: "MB"))
  var size = 200

  @Option(
    help: ArgumentHelp(
      "A folder with twitter.json, citm_catalog.json or canada.json, to take instead of seeded"
        + " records.", valueName: "folder"))
  var real: String?

  func run() throws {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    let bytes = size * 1_000_000
    let written = try real.map { try RealFeeds(folder: $0).write(to: directory, size: bytes) } ?? []
    for var feed in SeededFeeds.all where !written.contains(feed.name) {
      print("\(feed.name)")
      try feed.write(to: "\(directory)/\(feed.name)", size: bytes)
    }
    print(TweetsDocument.feed)
    try DocumentFeed.write(
      linesAt: "\(directory)/\(Tweets7.feed)", to: "\(directory)/\(TweetsDocument.feed)")
  }
}
