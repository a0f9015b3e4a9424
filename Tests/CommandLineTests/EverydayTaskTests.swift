import Foundation
import Testing

/// The tasks of `Examples/everyday` and the recipes of `Examples/cookbook`: a folder each, with a feed, a mapping file or the options of the command,
/// and a program in Python that says what has to come out.
@Suite(.long) struct EverydayTaskTests {
  struct Example: CustomTestStringConvertible, Sendable {
    /// `everyday` or `cookbook`.
    let kind: String
    let name: String

    var testDescription: String { "\(kind)/\(name)" }
    var folder: URL { EverydayTaskTests.examples.appending(path: "\(kind)/\(name)") }

    var files: [String] {
      ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    /// The files of a feed: `feed.json`, or all in the folder `feed`.
    var feeds: [String] {
      files.filter { $0.hasPrefix("feed") && $0.contains(".") }.map { "\(name)/\($0)" }
    }

    var hasMapping: Bool { files.contains("task.map.yaml") }

    /// What stands on the command line beside the mapping file and the feed.
    var options: String {
      let text = try? String(contentsOf: folder.appending(path: "task.options"), encoding: .utf8)
      return (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// `--errors skip` ends with the status 1, if a record is left out; each feed of such a task has one.
    var status: Int32 { options.contains("--errors skip") ? 1 : 0 }
  }

  static let examples = ReadmeTests.root.appending(path: "Examples").standardized

  static let tasks: [Example] = ["everyday", "cookbook"].flatMap { kind in
    let path = examples.appending(path: kind).path
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    return names.map { Example(kind: kind, name: $0) }.filter { task in
      task.files.contains { $0.hasPrefix("task.") }
    }
  }

  @Test(arguments: ["everyday", "cookbook"])
  func `there are the tasks of the table, each with a feed, a mapping or options, and a program`(
    kind: String
  ) throws {
    let table = try String(
      contentsOf: Self.examples.appending(path: "\(kind)/README.md"), encoding: .utf8)
    let tasks = Self.tasks.filter { $0.kind == kind }
    for task in tasks {
      #expect(!task.feeds.isEmpty, "\(task.name)")
      #expect(task.files.contains("task.py"), "\(task.name)")
      #expect(task.hasMapping || !task.options.isEmpty, "\(task.name)")
      let file = task.hasMapping ? "task.map.yaml" : "task.options"
      #expect(table.contains("| [\(task.name)](\(task.name)/\(file)) |"), "\(task.name)")
    }
    #expect(!tasks.isEmpty)
    #expect(tasks.count == table.split(separator: "\n").count { $0.hasPrefix("| [") })
  }

  /// `ReadmeTests` runs the lines of the guides, and so holds the text of each mapping that a guide shows by `cat`.
  @Test func `the guides show each mapping of a recipe, and run it with the options of its folder`()
    throws
  {
    let guides = try ["", "Fields", "Files", "Feeds", "Tools"].map { page in
      try String(
        contentsOf: ReadmeTests.root.appending(
          path: "Sources/StreamMap/StreamMap.docc/Cookbook\(page).md"), encoding: .utf8)
    }
    let lines = guides.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("$ ") }
    for task in Self.tasks where task.kind == "cookbook" {
      let mapping = "Examples/cookbook/\(task.name)/task.map.yaml"
      if task.hasMapping { #expect(lines.contains("$ cat \(mapping)"), "\(task.name)") }
      let options = task.options
      let isRun = lines.contains { line in
        line.contains("stream-map ") && line.contains(options.isEmpty ? "-m " : options)
          && (!task.hasMapping || line.contains("-m \(mapping)"))
      }
      #expect(isRun, "\(task.name)")
    }
  }

  @Test(arguments: tasks)
  func `the command makes of a feed what the program of the task makes of it`(task: Example) throws
  {
    let command = try Command()
    let there = "cd '\(Self.examples.path)/\(task.kind)'"
    let expected = try command.shell(
      "\(there) && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=../everyday python3 \(task.name)/task.py < \(task.feeds[0])"
    )
    try #require(expected.status == 0, "\(expected.errors)")
    try #require(!expected.output.isEmpty)
    let mapping = task.hasMapping ? "-m \(task.name)/task.map.yaml" : ""
    for options in ["", "--jobs 2", "--parser yajl"] {
      let result = try command.shell(
        "\(there) && stream-map \(mapping) \(task.options) \(options) \(task.feeds.joined(separator: " "))"
      )
      #expect(result.status == task.status, "\(options) \(result.errors)")
      #expect(result.output == expected.output, "\(options)")
    }
  }
}
