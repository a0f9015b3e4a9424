import Foundation
import Testing

/// The `$ stream-map …` lines of the README and of guides are run, and print what they show.
@Suite struct ReadmeTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

  @Test(arguments: [
    "README.md", "Sources/StreamMap/StreamMap.docc/RunningUnattended.md",
    "Sources/StreamMap/StreamMap.docc/HowItWorks.md",
    "Sources/StreamMap/StreamMap.docc/CommandLine.md",
    "Sources/StreamMap/StreamMap.docc/Columns.md",
    "Sources/StreamMap/StreamMap.docc/AtScale.md",
    "Sources/StreamMap/StreamMap.docc/Cookbook.md",
    "Sources/StreamMap/StreamMap.docc/CookbookFields.md",
    "Sources/StreamMap/StreamMap.docc/CookbookFiles.md",
    "Sources/StreamMap/StreamMap.docc/CookbookFeeds.md",
    "Sources/StreamMap/StreamMap.docc/CookbookTools.md",
  ])
  func `each console block of the documents prints what it shows`(document: String) throws {
    let readme = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
    let blocks = readme.components(separatedBy: "```console\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(blocks.count >= 2)
    for block in blocks {
      let line = try #require(block.split(separator: "\n").first)
      try #require(line.hasPrefix("$ "))
      // Each block has a folder of its own, which is not there yet: it needs nothing that another one, or a reader, has made.
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "cookbook-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let output = String(block.dropFirst(line.count + 1))
        .replacing("/tmp/cookbook", with: folder.path)
      let printed = try run(
        String(line.dropFirst(2)).replacing("/tmp/cookbook", with: folder.path))
      #expect(printed == output, "\(line)")
    }
  }

  @Test func `the mapping in the README is the example file`() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let example = try String(
      contentsOf: Self.root.appending(path: "Examples/orders.map.yaml"), encoding: .utf8)
    #expect(readme.contains("```yaml\n\(example)```"))
  }

  /// What a line of a shell prints on its standard output.
  private func run(_ line: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = Self.root
    var environment = ProcessInfo.processInfo.environment
    let folder = Command.executable.deletingLastPathComponent().path
    environment["PATH"] = folder + ":" + (environment["PATH"] ?? "")
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
