import Foundation
import StreamMap
import Testing

/// What a program asks of a value that it did not map.
@Suite struct JSONValueScalarsTests {
  @Test func `a value is read as what it is, and as nothing else`() throws {
    let value: JSONValue = [
      "name": "Ann", "age": 31, "height": 1.75, "isActive": true, "tags": ["a"], "note": nil,
    ]
    #expect(value["name"]?.stringValue == "Ann" && value["age"]?.intValue == 31)
    #expect(value["height"]?.doubleValue == 1.75 && value["isActive"]?.boolValue == true)
    #expect(value["height"]?.decimalValue == Decimal(string: "1.75"))
    #expect(value["age"]?.doubleValue == 31 && value["height"]?.intValue == nil)
    #expect(
      value["age"]?.stringValue == nil && value["age"]?.boolValue == nil
        && value["name"]?.intValue == nil && value["name"]?.doubleValue == nil
        && value["note"]?.decimalValue == nil)
    let kinds = ["name", "age", "isActive", "tags", "note"].map { value[$0]?.kind }
    #expect(kinds == [.string, .number, .boolean, .array, .null] && value.kind == .object)
    #expect(
      value.description
        == #"{"name":"Ann","age":31,"height":1.75,"isActive":true,"tags":["a"],"note":null}"#)
  }

  @Test(
    arguments: [
      ("1.0", 1, 1.0), ("1e3", 1000, 1000), ("-0", 0, 0), ("9223372036854775807", Int.max, 0x1p63),
      ("9223372036854775808", nil, 0x1p63), ("1e400", nil, nil), ("x", nil, nil), ("", nil, nil),
    ] as [(String, Int?, Double?)])
  func `a number that does not fit is nil`(_ text: String, _ int: Int?, _ double: Double?) {
    let value = JSONValue.number(text)
    #expect(value.intValue == int)
    #expect(value.doubleValue == double)
  }
}
