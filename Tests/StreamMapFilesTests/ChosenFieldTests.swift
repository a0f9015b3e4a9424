import StreamMap
import Testing

@testable import StreamMapFiles

/// Mapping files that keep some of their fields.
@Suite struct ChosenFieldTests {
  private static let header = "streammap: 1\n"
  private static let fields = """
    streammap: 1
    where: { from: n, min: 2 }
    record:
      id: { from: id, type: int64 }
      n: { from: n, type: int64 }
      name: { from: name, type: string }
    """

  private func kept(_ names: [String], of yaml: String = fields) throws -> MappingFile {
    var file = try MappingFile(yaml: yaml)
    try file.keep(fields: names)
    return file
  }

  private func reason(_ names: [String], of yaml: String) throws -> String? {
    var file = try MappingFile(yaml: yaml)
    do {
      try file.keep(fields: names)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `only the fields that are named are mapped, in the order of the file`() throws {
    let mapper = try kept(["n", "id"]).mapper()
    let result = mapper.decode(#"{"id":1,"n":2,"name":5}"#.utf8)
    #expect(result.value?.description == #"{"id":1,"n":2}"#)
  }

  @Test func `what is wrong with a field that is left out is no error`() throws {
    let record = #"{"id":1,"n":2,"name":5}"#.utf8
    #expect(try MappingFile(yaml: Self.fields).mapper().decode(record).error?.code == .wrongType)
    #expect(try kept(["id"]).mapper().decode(record).error == nil)
  }

  @Test func `an unknown field is a mistake that names the near one`() throws {
    let reason = try #require(try reason(["nam"], of: Self.fields))
    #expect(reason.hasPrefix("there is no field 'nam'"))
    #expect(reason.contains("name"))
  }

  @Test(arguments: [
    ("value: { from: a }", "no record of fields"),
    ("record: { a: a }\nrest: keep", "needs all fields"),
    ("record: { a: a }\ninput: { unknown: fail }", "needs all fields"),
  ])
  func `a mapping that is about all fields keeps all of them`(mapping: String, part: String)
    throws
  {
    let reason = try #require(try reason(["a"], of: Self.header + mapping))
    #expect(reason.contains(part))
  }

  /// The ids of the records that are kept: they are 1 to 5, and `n` is 5 to 1.
  private func ids(
    _ conditions: [String], of yaml: String = fields, _ arguments: [String: String] = [:]
  ) throws -> [Int] {
    var file = try MappingFile(yaml: yaml, arguments: arguments)
    for condition in conditions { try file.keep(where: condition) }
    let feed = (1...5).map { #"{"id":\#($0),"n":\#(6 - $0),"name":"a\#($0)"}"# }
      .joined(separator: "\n")
    return try file.mapper().records(in: Feed(feed.utf8)).compactMap { record in
      record.value.flatMap { Int($0.description.dropFirst(#"{"id":"#.count).prefix(1)) }
    }
  }

  @Test func `a condition leaves out more records than the file does`() throws {
    // The file keeps those whose n is 2 or more.
    #expect(try ids([]) == [1, 2, 3, 4])
    #expect(try ids([#"{"from":"name","equals":"a2"}"#]) == [2])
    #expect(try ids([#"{"field":"id","min":3}"#]) == [3, 4])
    #expect(
      try ids([#"{"field":"id","min":3}"#, #"{"not":{"from":"n","equals":2}}"#]) == [3])
    #expect(try ids([#"{"calc":"n < 2"}"#]) == [])
  }

  @Test func `a condition may name the arguments of the file`() throws {
    let yaml = "streammap: 1\nargs: { least: int64 }\nrecord: { id: { from: id, type: int64 } }"
    #expect(try ids([#"{"calc":"id >= $least"}"#], of: yaml, ["least": "3"]) == [3, 4, 5])
  }

  @Test(arguments: [
    (#"{"name":"a2"}"#, "unknown key 'name'"),
    (#"{"from":"n","equls":2}"#, "equals"),
    ("{}", "has to be a map with one of"),
    (#"{"field":"idd","min":3}"#, "idd"),
    (#"{"calc":"n <"}"#, "calc"),
    ("[", "not JSON"),
  ])
  func `what is no condition is a mistake of the option`(condition: String, part: String) throws {
    do {
      _ = try ids([condition])
      Issue.record("it was taken")
    } catch let mistakes as MappingFile.Mistakes {
      let text = mistakes.description
      #expect(text.contains("option 'where'") && text.contains(part), "\(text)")
    }
  }

  @Test func `fields and a condition may be chosen together, unless it needs one that is left out`()
    throws
  {
    var file = try MappingFile(yaml: Self.fields)
    try file.keep(where: #"{"from":"name","equals":"a2"}"#)
    try file.keep(fields: ["id"])
    let result = try file.mapper().decode(#"{"id":1,"n":2,"name":"a2"}"#.utf8)
    #expect(result.value?.description == #"{"id":1}"#)
    var other = try MappingFile(yaml: Self.fields)
    try other.keep(where: #"{"field":"name","equals":"a2"}"#)
    #expect(throws: DefinitionError.self) { try other.keep(fields: ["id"]) }
  }
}
