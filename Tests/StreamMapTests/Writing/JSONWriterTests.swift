import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct JSONWriterTests {
  private func text(_ writer: JSONWriter) -> String {
    String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `commas stand between members and elements, and nowhere else`() {
    let writer = JSONWriter()
    writer.beginArray()
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    writer.number("1.50")
    writer.null()
    writer.endArray()
    writer.key("b\n")
    writer.string("\"\u{0}é/")
    writer.key("")
    writer.bool(false)
    writer.endObject()
    writer.bool(true)
    writer.endArray()
    #expect(text(writer) == #"[{},[],{"a":[1.50,null],"b\n":"\"\u0000é/","":false},true]"#)
  }

  @Test func `each value begins without a comma and counts its own bytes`() {
    let output = OutputBuffer()
    output.append("before ")
    let writer = JSONWriter(output: output)
    writer.beginValue()
    writer.string("x")
    #expect(writer.size == 3)
    writer.beginValue()
    writer.number("12")
    #expect(writer.size == 2)
    #expect(text(writer) == #"before "x"12"#)
    writer.clear()
    writer.null()
    #expect(writer.size == 4 && text(writer) == "null")
  }

  @Test(arguments: [
    "", "a", "a key of sixteen", "a key that is longer than one vector", "\"\u{1}é",
  ])
  func `a prepared key is written like any other`(key: String) {
    var member = Array(",\(JSONValue.string(key)):".utf8)
    let count = member.count
    member += Array(repeating: 0xFF, count: PreparedKey.padding)
    let (plain, prepared) = (JSONWriter(), JSONWriter())
    member.withUnsafeBufferPointer { member in
      Array(key.utf8).withUnsafeBufferPointer { text in
        for writer in [plain, prepared] {
          writer.beginObject()
          for _ in 0..<3 {
            if writer === plain {
              writer.key(key)
            } else {
              writer.key(PreparedKey(text: text, member: .init(rebasing: member[..<count])))
            }
            writer.null()
          }
          writer.endObject()
        }
      }
    }
    #expect(text(prepared) == text(plain))
  }
}
