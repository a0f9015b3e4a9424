import Foundation
import StreamMap
import StreamMapFiles
import Testing

/// The Swift of the guide MappingFilesInAProgram, compiled and run.
@Suite struct GuideTests {
  private static let guide =
    "Sources/StreamMapFiles/StreamMapFiles.docc/MappingFilesInAProgram.md"
  private let folder: Folder
  private let text = #"""
    {"meta":{"day":"2026-11-21"},"catalog":{"items":[{"sku":1,"st":"A","price":"9.90"},\
    {"sku":2,"st":"D"},{"sku":3,"st":"A","price":-1}]},"archive":{"items":[{"sku":4,"st":"A"}]}}
    """#.replacing("\\\n", with: "")

  init() throws {
    folder = try Folder()
  }

  /// The example, whose path is relative to the project.
  private func example() throws -> MappingFile {
    let example = Project.root.appending(path: "Examples/catalog.map.yaml").path
    return try MappingFile(contentsOf: example)
  }

  @Test
  func `each line of the guide stands in this file in order`() throws {
    let tests = try String(contentsOfFile: #filePath, encoding: .utf8)
      .replacing("contentsOf: example)", with: "contentsOf: \"Examples/catalog.map.yaml\")")
      .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let blocks = try Project.text(Self.guide).components(separatedBy: "```swift\n").dropFirst()
    #expect(blocks.count == 7)
    for block in blocks {
      var next = tests.startIndex
      for line in block.components(separatedBy: "```")[0].split(separator: "\n") {
        let line = line.trimmingCharacters(in: .whitespaces)
        let found = tests[next...].firstIndex(of: line)
        #expect(found != nil, "\(line)")
        next = found ?? next
      }
    }
  }

  @Test
  func `an embedded mapping file writes the command's output within its budget`() throws {
    let example = Project.root.appending(path: "Examples/catalog.map.yaml").path
    let feed = try folder.write(text, to: "feed.json")
    let output = folder.path("items.ndjson")

    let file = try MappingFile(contentsOf: example)
    let mapper = try file.mapper()
    var rejections = Rejections(within: file.errors.budget)
    let writer = try Mapper(RawJSON.self).writer(to: .file(output))
    for record in try mapper.records(in: Feed(.file(feed)), jobs: 2) {
      guard let json = try rejections.value(of: record) else { continue }
      try writer.write(json)
    }
    try rejections.finish()
    try writer.finish()

    #expect(
      try String(contentsOfFile: output, encoding: .utf8)
        == #"{"id":1,"status":"active","price":9.90,"day":"2026-11-21T00:00:00Z"}"# + "\n")
    #expect(rejections.count == 1)
    #expect(file.errors.budget.count == 1000)
  }

  @Test
  func `the state of a feed is asked of its records`() throws {
    let mapper = try example().mapper()
    let bytes = Array(text.utf8)
    var handled: [Record<RawJSON>] = []
    func handle(_ record: Record<RawJSON>) { handled.append(record) }
    var printed = ""
    func print(_ count: Int, _ paths: [PathPattern], _ verdict: FeedVerdict) {
      printed = "\(count) \(paths) \(verdict)"
    }

    let records = try mapper.records(in: Feed(bytes))
    for record in records { handle(record) }
    print(records.droppedCount, records.unseenPaths, records.verdict)

    #expect(handled.map(\.number) == [1, 3])
    #expect(handled.map { $0.error?.path.description } == [nil, "$.catalog.items[2].price"])
    #expect(printed == "1 [] complete")
  }

  @Test
  func `a file's record paths can be changed before mapping`() throws {
    let file = try example()

    var other = file
    other.records = [try PathPattern(parsing: "$.archive.items[*]")]
    let archive = try other.mapper()

    #expect(
      try archive.records(in: Feed(text.utf8)).map { try $0.get().description } == [
        #"{"id":4,"status":"active","price":null,"day":"2026-11-21T00:00:00Z"}"#
      ])
  }

  @Test
  func `a folder of mapping files is read and watched`() async throws {
    try folder.write("streammap: 1\nrecord: { id: id }\n", to: "acme/orders.map.yaml")
    try folder.write("streammap: 1\nrecord: { id: { form: id } }\n", to: "b.map.yaml")
    let mappings = folder.url.path
    let logged = Logged()
    @Sendable func log(_ text: String) { logged.add(text) }

    let catalog = try MappingCatalog(folder: mappings)
    for file in catalog.mistakes { log("\(file)") }
    let orders = catalog["acme/orders"]
    let watching = Task {
      await catalog.watch(every: .seconds(2)) { contents in
        for file in contents.mistakes { log("\(file)") }
      }
    }

    #expect(orders != nil)
    watching.cancel()
    await watching.value
    #expect(logged.texts.contains { $0.contains("b.map.yaml:2:") })
  }

  /// What was logged, on whatever thread.
  private final class Logged: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [String] = []
    func add(_ text: String) { lock.withLock { all.append(text) } }
    var texts: [String] { lock.withLock { all } }
  }

  @Test
  func `a mistake has a line, a column and a suggestion`() {
    let text = "streammap: 1\nrecord: { id: { from: id, tpye: int64 } }\n"
    var shown = ""
    func show(_ line: Int, _ column: Int, _ message: String, _ suggestion: String?) {
      shown += "\(line):\(column) \(message) (\(suggestion ?? "-"))"
    }

    do {
      _ = try MappingFile(yaml: text)
    } catch {
      for mistake in error.mistakes {
        show(mistake.line, mistake.column, mistake.message, mistake.suggestion)
      }
    }

    #expect(shown == "2:27 unknown key 'tpye' in field 'id' (type)")
  }
}
