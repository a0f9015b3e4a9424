import Foundation
import Testing

/// The tasks of `Examples/everyday`: a mapping file each, and a program in Python that says what has to come out.
@Suite(.long) struct EverydayTaskTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Examples/everyday").standardized

  static let tasks: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { files(of: $0).contains("task.map.yaml") }.sorted()
  }()

  private static func files(of task: String) -> [String] {
    let path = folder.appending(path: task).path
    return ((try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// The files of a feed: `feed.json`, or all in the folder `feed`.
  private static func feeds(of task: String) -> [String] {
    files(of: task).filter { $0.hasPrefix("feed") && $0.contains(".") }.map { "\(task)/\($0)" }
  }

  @Test func `there are the tasks of the table, each with a feed, a mapping and a program`() throws
  {
    let table = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
    for task in Self.tasks {
      #expect(!Self.feeds(of: task).isEmpty, "\(task)")
      #expect(Self.files(of: task).contains("task.py"), "\(task)")
      #expect(table.contains("| [\(task)](\(task)/task.map.yaml) |"), "\(task)")
    }
    #expect(Self.tasks.count == table.split(separator: "\n").count { $0.hasPrefix("| [") })
  }

  @Test(arguments: tasks)
  func `the command makes of a feed what the program of the task makes of it`(task: String) throws {
    let command = try Command()
    let there = "cd '\(Self.folder.path)'"
    let feeds = Self.feeds(of: task)
    let expected = try command.shell(
      "\(there) && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. python3 \(task)/task.py < \(feeds[0])")
    try #require(expected.status == 0, "\(expected.errors)")
    try #require(!expected.output.isEmpty)
    for options in ["", "--jobs 2", "--parser yajl"] {
      let result = try command.shell(
        "\(there) && stream-map -m \(task)/task.map.yaml \(options) \(feeds.joined(separator: " "))"
      )
      #expect(result.status == 0, "\(options) \(result.errors)")
      #expect(result.output == expected.output, "\(options)")
    }
  }
}
