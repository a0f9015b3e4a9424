import Foundation
import Testing

@testable import StreamMap

/// The Swift of the guide RunningUnattended, compiled and run.
@Suite struct RunningUnattendedTests {
  struct Person: Equatable {
    let name: String
  }

  let mapper: Mapper<Person>
  let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

  init() throws {
    mapper = try Mapper(
      Mapping.object(Person.self) { field in field.make(Person.init, field("name", \.name)) })
  }

  @Test func theGuideShowsWhatIsTestedHere() throws {
    try GuideLines.expectTested(guide: "RunningUnattended", by: #filePath)
  }

  @Test func rejections() throws {
    final class Log: @unchecked Sendable {
      var lines: [String] = []
      func append(_ line: String) { lines.append(line) }
    }
    try Data("{\"name\":\"Ann\"}\n{\"name\":7}\n{]\n{\"name\":\"Bo\"}\n".utf8)
      .write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let log = Log()
    var names: [String] = []
    var bad: [[UInt8]] = []
    var rejections = Rejections(within: ErrorBudget(count: 100, ratio: 0.5)) { record in
      guard let error = record.error else { return .skip }
      log.append("\(record.number): \(error.code)")
      return error.code == .invalidUTF8 ? .stop : .skip
    }
    let records = try mapper.records(inFile: path, jobs: 2).makeIterator()
    while let record = records.next() {
      if let position = record.position, record.error != nil {
        bad.append(records.text(at: position) ?? [])
      }
      guard let person = try rejections.value(of: record) else { continue }
      names.append(person.name)
    }
    try rejections.finish()
    #expect(names == ["Ann", "Bo"])
    #expect(log.lines == ["2: wrongType", "3: syntax"])
    #expect(bad == [Array("{\"name\":7}".utf8), Array("{]".utf8)])
    #expect(rejections.count == 2 && rejections.recordCount == 4)
  }

  @Test func positions() throws {
    try Data("{\"people\":[{\"name\":\"A\"},{\"name\":\"B\"},{\"name\":\"C\"}]}".utf8)
      .write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    var names: [String] = []
    let first = try mapper.records(inFile: path, at: "$.people[*]").makeIterator()
    while let record = first.next() {
      if let person = record.value { names.append(person.name) }
      if names.count == 2 { break }
    }
    let saved = try JSONEncoder().encode(first.position)  // together with the names

    let position = try JSONDecoder().decode(FeedPosition?.self, from: saved)
    for record in try mapper.records(inFile: path, at: "$.people[*]", from: position) {
      if let person = record.value { names.append(person.name) }
    }
    #expect(names == ["A", "B", "C"])
  }
}
