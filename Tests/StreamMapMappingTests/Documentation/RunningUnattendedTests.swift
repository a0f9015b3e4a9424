import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

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

  @Test func `the RunningUnattended guide shows only code that is tested here`() throws {
    try GuideLines.expectTested(guide: "RunningUnattended", by: #filePath)
  }

  @Test func `rejected records are logged and kept within an error budget`() throws {
    try Data("{\"name\":\"Ann\"}\n{\"name\":7}\n{]\n{\"name\":\"Bo\"}\n".utf8)
      .write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    var names: [String] = []
    var bad: [[UInt8]] = []
    struct Incomplete: Error {
      let verdict: FeedVerdict
      init(_ verdict: FeedVerdict) { self.verdict = verdict }
    }

    var failed: [Record<Never>] = []
    var rejections = Rejections(within: ErrorBudget(count: 100, ratio: 0.5)) { record in
      if failed.count < 20 { failed.append(record) }
      return record.error?.code == .invalidUTF8 ? .stop : .skip
    }
    let records = try mapper.records(in: Feed(.file(path)), jobs: 2)
    for record in records {
      if let position = record.position, record.error != nil {
        bad.append(records.text(at: position) ?? [])
      }
      guard let person = try rejections.value(of: record) else { continue }
      names.append(person.name)
    }
    try rejections.finish()
    guard records.verdict == .complete else { throw Incomplete(records.verdict) }

    #expect(names == ["Ann", "Bo"])
    #expect(
      failed.map { "\($0.number): \($0.error?.code.rawValue ?? "")" } == [
        "2: wrongType", "3: syntax",
      ])
    #expect(bad == [Array("{\"name\":7}".utf8), Array("{]".utf8)])
    #expect(rejections.count == 2 && rejections.recordCount == 4)
  }

  @Test func `a run continues from a saved position`() throws {
    try Data("{\"people\":[{\"name\":\"A\"},{\"name\":\"B\"},{\"name\":\"C\"}]}".utf8)
      .write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    var names: [String] = []
    let first = try mapper.records(in: Feed(.file(path), at: "$.people[*]"))
    for record in first {
      if let person = record.value { names.append(person.name) }
      if names.count == 2 { break }
    }
    let saved = try JSONEncoder().encode(first.position)  // together with the names

    let position = try JSONDecoder().decode(FeedPosition?.self, from: saved)
    for record in try mapper.records(in: Feed(.file(path), at: "$.people[*]", from: position)) {
      if let person = record.value { names.append(person.name) }
    }
    #expect(names == ["A", "B", "C"])
  }
}
