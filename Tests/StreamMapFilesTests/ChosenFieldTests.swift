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
}
