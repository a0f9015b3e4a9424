import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Strings and keys of all lengths, with bytes that need an escape at all places.
@Suite struct JSONTextTests {
  private func quoted(_ text: String) -> String {
    let output = OutputBuffer()
    JSONText.append(quoted: text, to: output)
    return String(decoding: output.bytes, as: UTF8.self)
  }

  /// The slow way: by RFC 8259, byte by byte.
  private func expected(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{8}": quoted += "\\b"
      case "\t": quoted += "\\t"
      case "\n": quoted += "\\n"
      case "\u{C}": quoted += "\\f"
      case "\r": quoted += "\\r"
      case ..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  @Test func `every single character is escaped as JSON requires`() {
    for value in UInt32(0)...0x17F {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for text in ["\(scalar)", "abcdefg\(scalar)", "\(scalar)abcdefghijklmnop"] {
        #expect(quoted(text) == expected(text))
      }
    }
  }

  @Test func `a special character is escaped at every place`() {
    for length in 0..<70 {
      let clean = String((0..<length).map { Character(Unicode.Scalar(UInt8(0x23 + $0 % 0x30))) })
        .replacing("\\", with: "!")
      #expect(quoted(clean) == expected(clean))
      for place in 0..<length {
        for special in ["\"", "\\", "\n", "\u{1F}", "é", "\u{7F}", "!", " ", "#"] {
          var text = Array(clean).map(String.init)
          text[place] = special
          let one = text.joined()
          text[length - 1] = "\""
          #expect(quoted(one) == expected(one))
          #expect(quoted(text.joined()) == expected(text.joined()))
        }
      }
    }
  }

  @Test func `a text of many escapes is written correctly`() {
    let text = String(repeating: "\"\\\u{1}x", count: 5000)
    #expect(quoted(text) == expected(text))
  }

  @Test(arguments: [0, 1, 11, 12, 13, 15, 16, 17, 31, 32, 33, 100])
  func `keys of all lengths are written with their escapes`(_ length: Int) throws {
    struct Pair { var first: Int?, second: Int? }
    let key = String(repeating: "k", count: max(length - 1, 0)) + (length > 0 ? "\n" : "")
    let mapper = try Mapper(
      Mapping.object(Pair.self) { field in
        field.make(Pair.init, field(.key(key), \.first), field(.key(key + "é"), \.second))
      })
    func text(_ pair: Pair) throws -> String {
      String(decoding: try mapper.encode(pair), as: UTF8.self)
    }
    let (first, second) = (expected(key), expected(key + "é"))
    #expect(try text(Pair(first: 1, second: 2)) == "{\(first):1,\(second):2}")
    #expect(try text(Pair(second: 2)) == "{\(second):2}")
    #expect(try text(Pair(first: 1)) == "{\(first):1}")
    #expect(try text(Pair()) == "{}")
  }
}
