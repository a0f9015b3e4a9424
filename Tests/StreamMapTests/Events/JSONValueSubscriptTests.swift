import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Members and elements of JSON values, read and set.
@Suite struct JSONValueSubscriptTests {
  @Test func `a member is read, set, added and removed by its key`() {
    var value: JSONValue = ["a": 1, "b": [2], "a": 3]
    #expect(value["a"] == 3 && value["c"] == nil)
    value["a"] = 4
    #expect(value == ["a": 1, "b": [2], "a": 4])
    value["a"] = nil
    #expect(value == ["b": [2]])
    value["a"] = .null
    value["c"] = "x"
    #expect(value == ["b": [2], "a": nil, "c": "x"])
    value["gone"] = nil
    value["b"]?[0] = 7
    value["b"]?["no"] = 1
    value["no"]?["x"] = 1
    #expect(value == ["b": [7], "a": nil, "c": "x"])
    value["a"]?["x"] = 1
    #expect(value == ["b": [7], "a": ["x": 1], "c": "x"])
  }

  /// As the engine compares keys: by their scalars.
  @Test func `keys that differ in their scalars are different members`() {
    var value: JSONValue = ["\u{E9}": 1]
    #expect(value["e\u{301}"] == nil)
    value["e\u{301}"] = 2
    #expect(value == ["\u{E9}": 1, "e\u{301}": 2])
    value["\u{E9}"] = nil
    guard case .object(let members) = value else { return #expect(Bool(false)) }
    #expect(members.count == 1 && members[0].key.unicodeScalars.count == 2)
  }

  @Test func `an element is read, set, appended and removed by its index`() {
    var value: JSONValue = [1, 2, 3]
    value[1] = "x"
    value[0] = .null
    #expect(value == [nil, "x", 3])
    value[0] = nil
    #expect(value == ["x", 3] && value[2] == nil)
    value[2] = 4
    value[7] = 5
    value[-1] = 6
    value[9] = nil
    value[3] = nil
    #expect(value == ["x", 3, 4])
    value[1] = [["a": 1]]
    value[1]?[0]?["a"] = 2
    #expect(value == ["x", [["a": 2]], 4])
  }

  @Test func `a subscript of the wrong kind leaves the value as it is`() {
    for scalar in [JSONValue.bool(true), 7, "x"] {
      var value = scalar
      value["a"] = 1
      value[0] = 1
      #expect(value == scalar)
    }
    var array: JSONValue = [1]
    array["a"] = 1
    var object: JSONValue = ["a": 1]
    object[0] = 1
    #expect(array == [1] && object == ["a": 1])
    var null = JSONValue.null
    null["a"] = nil
    null[0] = nil
    null[1] = 1
    #expect(null == .null)
    null["a"] = 1
    #expect(null == ["a": 1])
    null = .null
    null[0] = 1
    #expect(null == [1])
  }

  @Test func `a hook rewrites a member before it is mapped`() throws {
    let mapping: Mapping<[String: Int]> = .preTransformed(.dictionary(of: .int)) { json in
      var json = json
      json["n"] = json["n"]?[0]
      return json
    }
    #expect(try decode(mapping, #"{"n":[7]}"#).value == ["n": 7])
    #expect(try decode(mapping, #"{"n":7,"m":1}"#).value == ["m": 1])
  }
}
