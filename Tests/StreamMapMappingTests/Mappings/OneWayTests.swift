import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Mappings that are not taken back, because they say so.
@Suite struct OneWayTests {
  private struct Named: Equatable {
    var name: String
    var nick: String?
  }

  @Test func `a one-way text is read but not written`() throws {
    let named = Mapping.object(Named.self) { field in
      field.make(
        creating: { Named(name: "") }, field("name", \.name, .text.oneWay()),
        field("nick", \.nick, .text.oneWay()))
    }
    #expect(try decode(named, #"{"name":1.50,"nick":null}"#).value == Named(name: "1.50"))
    #expect(try decode(named, #"{"name":null}"#).fatal == ["null $.name → name"])
    let error = #expect(throws: MappingError.self) { try encode(named, Named(name: "1.50")) }
    #expect(error?.code == .invalidDefinition && error?.path.description == "$.name")
    var value = Named(name: "a")
    try Mapper(named).update(&value, from: #"{"name":true,"nick":"b"}"#.utf8)
    #expect(value == Named(name: "true", nick: "b"))
    // Nil is left out; where nothing else is one way there is a way back.
    let nick = Mapping.object(Named.self) { field in
      field.make(
        creating: { Named(name: "") }, field("name", \.name), field("nick", \.nick, .text.oneWay()))
    }
    #expect(try encode(nick, Named(name: "a")) == #"{"name":"a"}"#)
    #expect(throws: MappingError.self) { try encode(nick, Named(name: "a", nick: "b")) }
  }

  @Test func `a one-way object is read but not written`() throws {
    let named = Mapping.object(Named.self) { field in
      field.make(creating: { Named(name: "") }, field("name", \.name))
    }.oneWay()
    #expect(try decode(named, #"{"name":"a"}"#).value == Named(name: "a"))
    #expect(throws: MappingError.self) { try encode(named, Named(name: "a")) }
    var value = Named(name: "a", nick: "n")
    try Mapper(named).update(&value, from: #"{"name":"b"}"#.utf8)
    #expect(value == Named(name: "b", nick: "n"))
  }
}
