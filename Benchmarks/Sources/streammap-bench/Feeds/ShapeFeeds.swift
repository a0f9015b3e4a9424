/// Records of 60 bytes and three fields: all cost is per record.
struct TinyFeed: SeededFeed {
  let name = "tiny.ndjson"
  let seed: UInt64 = 60

  func record(_ random: inout SeededGenerator, _ text: inout FeedText) {
    text.object {
      $0.put("id", random.number(100_000_000..<999_999_999))
      $0.put("name", random.identifier(length: 24))
      $0.put("ok", random.chance(50))
    }
  }
}

/// Nested arrays of doubles with 15 to 17 digits, like outlines on maps.
struct NumbersFeed: SeededFeed {
  let name = "numbers.ndjson"
  let seed: UInt64 = 31_415_926

  func record(_ random: inout SeededGenerator, _ text: inout FeedText) {
    text.object {
      $0.put("type", "FeatureCollection")
      $0.array("features") {
        $0.object {
          $0.put("type", "Feature")
          $0.object("properties") { $0.put("name", "Somewhere") }
          $0.object("geometry") {
            $0.put("type", "Polygon")
            $0.array("coordinates") {
              for _ in 0..<random.number(20..<60) { ring(&random, &$0) }
            }
          }
        }
      }
    }
  }

  private func ring(_ random: inout SeededGenerator, _ text: inout FeedText) {
    var place = (
      x: random.number(-141_000_000..<(-52_000_000)), y: random.number(42..<83) * 1_000_000
    )
    text.array {
      for _ in 0..<random.number(8..<220) {
        place = (place.x + random.number(-9_000..<9_000), place.y + random.number(-9_000..<9_000))
        $0.array {
          $0.put(verbatim: digits(place.x, &random))
          $0.put(verbatim: digits(place.y, &random))
        }
      }
    }
  }

  /// Millionths as a decimal number, with the noise of binary fractions that are written in full.
  private func digits(_ millionths: Int, _ random: inout SeededGenerator) -> String {
    let sign = millionths < 0 ? "-" : ""
    let (whole, fraction) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    let padded = String(repeating: "0", count: 6 - "\(fraction)".count) + "\(fraction)"
    let noise = random.chance(70) ? "0000000\(random.number(10..<99))" : ""
    return "\(sign)\(whole).\(padded)\(noise)"
  }
}

/// 200 levels of objects and arrays between the two mapped fields.
struct DeepFeed: SeededFeed {
  let name = "deep.ndjson"
  let seed: UInt64 = 200

  func record(_ random: inout SeededGenerator, _ text: inout FeedText) {
    text.object {
      $0.put("id", random.number(1..<1_000_000_000))
      $0.object("tree") { level(200, &random, &$0) }
      $0.put("text", random.text(of: Vocabulary.scripts[0].words, count: 4..<12))
    }
  }

  private func level(_ left: Int, _ random: inout SeededGenerator, _ text: inout FeedText) {
    text.put("n", random.number(0..<1000))
    guard left > 1 else { return }
    if left % 2 == 0 {
      text.object("inner") { level(left - 1, &random, &$0) }
    } else {
      text.array("inner") { $0.object { level(left - 2, &random, &$0) } }
    }
  }
}

/// 1,000 fields in one object, two of them mapped: one in the middle, one at the end.
struct WideFeed: SeededFeed {
  let name = "wide.ndjson"
  let seed: UInt64 = 1000

  func record(_ random: inout SeededGenerator, _ text: inout FeedText) {
    text.object {
      for index in 0..<998 {
        if index == 500 { $0.put("id", random.number(1..<1_000_000_000)) }
        if index % 3 == 0 {
          $0.put("column_\(index)", random.number(0..<100_000))
        } else {
          $0.put("column_\(index)", random.identifier(length: 8))
        }
      }
      $0.put("text", random.text(of: Vocabulary.scripts[0].words, count: 4..<12))
    }
  }
}

/// Strings in which every few characters are escaped: line ends, quotes, and code points in hexadecimal.
struct EscapedFeed: SeededFeed {
  let name = "escaped.ndjson"
  let seed: UInt64 = 92

  private static let escapes = [
    "\\n", "\\\"", "\\\\", "\\/", "\\t", "\\u00e9", "\\u3042", "\\ud83d\\ude0b", "\\u0416",
  ]

  func record(_ random: inout SeededGenerator, _ text: inout FeedText) {
    text.object {
      $0.put("id", random.number(1..<1_000_000_000))
      $0.put("html", verbatim: escaped(&random, count: 150..<250))
      $0.put("text", verbatim: escaped(&random, count: 20..<60))
    }
  }

  private func escaped(_ random: inout SeededGenerator, count: Range<Int>) -> String {
    var token = "\""
    for _ in 0..<random.number(count) {
      token += random.identifier(length: random.number(1..<8)) + random.pick(Self.escapes)
    }
    return token + "\""
  }
}
