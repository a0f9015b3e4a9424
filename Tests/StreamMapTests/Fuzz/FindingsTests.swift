import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What the differential harness once found (`scripts/fuzz`), by every route.
///
/// A file's name says how its records follow each other, and what is right: `accepted` and `rejected` for one document, `alike`
/// where the routes did not agree.
@Suite struct FindingsTests {
  static let files: [URL] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Findings")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appending(path: $0) }
  }()

  @Test func `more than ten findings are kept`() {
    #expect(Self.files.count > 10)
  }

  @Test(arguments: files) func `each finding is judged rightly by every route`(_ file: URL) throws {
    let name = file.lastPathComponent
    let words = name.split(separator: "-")
    let format = try #require(words.first.flatMap { FeedFormat(rawValue: String($0)) }, "\(name)")
    let bytes = Array(try Data(contentsOf: file))
    let json = try Mapper(output: .raw)
    let nothing = try Mapper(output: FeedCase.nothing)
    var verdicts: Set<[String]> = []
    try Scanners.each { scanner in
      let records = try Routes.run(json, bytes, at: [], format: format) { $0.description }
      let passed = try Routes.run(nothing, bytes, at: [], format: format) { $0.description }
      #expect(passed.map(FeedCase.address) == records.map(FeedCase.address), "\(name), \(scanner)")
      verdicts.insert(records.map { "\($0)" })
      for position in records.compactMap({ $0.error?.position }) {
        #expect(MarkedFeed.position(position.bytes, in: bytes) == position, "\(name)")
      }
      switch words.dropFirst().first {
      case "accepted":
        let value = try #require(NaiveJSON(bytes), "\(name)")
        let text = ReferenceInterpreter.map(value, by: OutputMapping.raw.definition).text
        #expect(records.count == 1 && records.first?.value?.description == text, "\(name)")
      case "rejected":
        #expect(records.first?.error.map { $0.code.category != .data } == true, "\(name)")
      case "alike": break
      default: Issue.record("\(name): what is right?")
      }
    }
    #expect(verdicts.count == 1, "\(name): the scanners differ")
  }
}
