import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The Swift of the guide AtScale, compiled and run.
@Suite struct AtScaleTests {
  struct Person: Equatable {
    let name: String
  }

  struct Incomplete: Error {
    let verdict: FeedVerdict
    init(_ verdict: FeedVerdict) { self.verdict = verdict }
  }

  @Test func `the AtScale guide shows only code that is tested here`() throws {
    try GuideLines.expectTested(guide: "AtScale", by: #filePath)
  }

  @Test func `the parts of a feed are mapped by several tasks`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    let indexPath = path + ".smx"
    defer {
      for path in [path, indexPath] { try? FileManager.default.removeItem(atPath: path) }
    }
    let people = (1...100).map { "{\"name\":\"P\($0)\"}" }.joined(separator: ",")
    try Data("{\"people\":[\(people)]}".utf8).write(to: URL(filePath: path))
    let mapper = try Mapper(
      Mapping.object(Person.self) { field in field.make(Person.init, field("name", \.name)) })

    let index = try FeedIndex(of: .file(path), for: mapper, at: "$.people[*]", every: 64 << 20)
    let parts = try mapper.parts(of: .file(path), at: "$.people[*]", count: 8, index: index)
    let names = try await withThrowingTaskGroup(of: (number: Int, names: [String]).self) { group in
      for part in parts where !part.isEmpty {
        group.addTask {
          let records = try mapper.records(in: .file(path), part: part)
          let names = records.compactMap { $0.value?.name }
          guard records.verdict == .complete else { throw Incomplete(records.verdict) }
          return (part.number, names)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.number] = $1.names }
    }

    // A feed as small as this has one place where it begins, and none where it can be cut.
    #expect(names == [1: (1...100).map { "P\($0)" }])
    let fine = try FeedIndex(of: .file(path), for: mapper, at: "$.people[*]", every: 100)
    try JSONEncoder().encode(fine).write(to: URL(filePath: indexPath))

    let stored = try JSONDecoder().decode(
      FeedIndex.self, from: Data(contentsOf: URL(filePath: indexPath)))
    let third = try mapper.part(3, of: 8, in: .file(path), at: "$.people[*]", index: stored)

    #expect(stored == fine)
    #expect(try mapper.records(in: .file(path), part: third).map(\.number).first ?? 0 > 20)
  }
}
