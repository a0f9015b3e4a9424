import StreamMap
import Testing

@testable import StreamMapTestSupport

/// A row of a database: GRDB's class has this name.
private struct Record: Equatable {
  let id: Int
  let name: String
}

/// What a form has.
private struct Field: Equatable { let label: String }

/// What a schedule has.
private enum Rule { case daily }

typealias FeedRecord = StreamMap.Record
typealias FeedRule = StreamMap.Rule

/// A file with types of its own that are named like those of the library.
@Suite struct SharedNamesTests {
  static let file = #filePath

  @Test func `the library's types are used beside others of the same names`() throws {
    let line = #"{"id":7,"name":"Ann"}"#.utf8
    let rows = Mapping.object(Record.self) { field in  // your own Record
      let id: StreamMap.Field = field("id", \.id)
      let name = field("name", \.name)
      return field.make(Record.init, id, name)
    }
    let record: StreamMap.Record<Record> = try Mapper(rows).decode(line)
    #expect(try record.get() == Record(id: 7, name: "Ann"))
    #expect(Field(label: "id").label == "id")
    #expect(Rule.daily == .daily)
  }

  @Test func `a type alias is the library's type`() throws {
    let short: FeedRule<String> = .maxLength(8)
    func isClean(_ record: FeedRecord<Record>) -> Bool { record.issues.isEmpty }
    let rows = Mapping.object(Record.self) { field in
      let name = field("name", \.name, .string.validated(short).default("-", when: .failing))
      return field.make(Record.init, field("id", \.id), name)
    }
    let mapper = try Mapper(rows)
    #expect(isClean(mapper.decode(#"{"id":1,"name":"Ann"}"#)))
    let long = mapper.decode(#"{"id":1,"name":"Annabella"}"#)
    #expect(!isClean(long))
    #expect(try long.get() == Record(id: 1, name: "-"))
  }
}
