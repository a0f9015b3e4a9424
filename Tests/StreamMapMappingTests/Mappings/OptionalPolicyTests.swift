import StreamMapMacros
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What stands in for the value of a property that is Optional.
private struct Song: Equatable {
  var title: String?
}

private final class Album {
  var title: String? = "old"
  var song: Song?
  init() {}
}

@Mappable
private struct Track: Equatable {
  @Mapped(.string.default("x")) var a: String?
  @Mapped(.string.default("x", when: .missingOrInvalid)) var b: String?
  @Mapped(.string.default("x", when: .failing)) var c: String?
}

@Mappable
private struct Strict: Equatable {
  @Mapped(.string.notNull()) var a: String?
}

@Mappable
private struct Filled: Equatable {
  @Mapped(.string.default("x")) var a: String? = "y"
  var b: String? = "y"
}

@Mappable
private struct FilledStrictly: Equatable {
  @Mapped(.string.notNull()) var a: String? = "y"
}

/// A type that says itself what stands in for it.
private enum Color: String, Mappable {
  case red, unknown
  static var mapping: Mapping<Color> {
    .enumeration(of: .string).default(.unknown, when: .missingOrInvalid)
  }
}

private struct Paint: Equatable {
  var color: Color?
}

private struct Refused: Error {}

private func song(_ mapping: Mapping<String>) -> Mapping<Song> {
  Mapping.object(Song.self) { field in field.make(Song.init, field("t", \.title, mapping)) }
}

@Suite("Policies on Optional properties")
struct OptionalPolicyTests {
  @Test(arguments: ["{}", #"{"t":null}"#])
  func `a written default holds for absent and null`(document: String) throws {
    let silent = try decode(song(.string.default("x")), document)
    #expect(silent.value?.title == "x" && silent.isClean)
    for mapping in [
      Mapping.string.default("x", when: .missingOrInvalid), .string.default("x", when: .failing),
    ] {
      let reported = try decode(song(mapping), document)
      #expect(reported.value?.title == "x")
      #expect(reported.issues.count == 1 && reported.issues[0].hasSuffix("$.t → title"))
    }
  }

  @Test
  func `a stand-in holds for a wrong value, a default does not`() throws {
    for mapping in [
      Mapping.string.default("x", when: .missingOrInvalid), .string.default("x", when: .failing),
    ] {
      let decoded = try decode(song(mapping), #"{"t":7}"#)
      #expect(decoded.value?.title == "x" && decoded.issues == ["wrongType $.t → title"])
    }
    #expect(
      try decode(song(.string.default("x")), #"{"t":7}"#).fatal == ["wrongType $.t → title"])
  }

  @Test
  func `a property that says notNull is required`() throws {
    #expect(try decode(song(.string.notNull()), "{}").fatal == ["missing $.t → title"])
    #expect(try decode(song(.string.notNull()), #"{"t":null}"#).fatal == ["null $.t → title"])
    #expect(try decode(song(.string.notNull()), #"{"t":"a"}"#).value?.title == "a")
  }

  @Test
  func `nil stands in where no default is written`() throws {
    for document in ["{}", #"{"t":null}"#] {
      let decoded = try decode(song(.string), document)
      #expect(decoded.value == Song(title: nil) && decoded.isClean)
    }
  }

  @Test
  func `a default inside a conversion, alternative or hook holds`() throws {
    let mappings: [Mapping<String>] = [
      .converted(from: .string.default("x"), { $0 }, reverse: { $0 }),
      .firstOf(.string.default("x"), .string(from: .int)),
      .preTransformed(.string.default("x")) { $0 },
      .string.default("x").postProcessed { json, value in value },
      .string.default("x").recovering { json in nil },
      .dispatch(byKind: [.string: .string], otherwise: .string.default("x")),
    ]
    for (number, mapping) in mappings.enumerated() {
      let decoded = try decode(song(mapping), #"{"t":null}"#)
      #expect(decoded.value?.title == "x", "mapping \(number)")
      #expect(decoded.isClean, "mapping \(number)")
    }
    let strict: Mapping<String> = .converted(from: .string.notNull(), { $0 }, reverse: { $0 })
    #expect(try decode(song(strict), "{}").fatal == ["missing $.t → title"])
  }

  @Test
  func `nullable and optionally keep the default of their mapping`() throws {
    let nullable: Mapping<String?> = .nullable(.string.default("x"))
    #expect(try decode(.array(of: nullable), "[null]").value == ["x"])
    let optional: Mapping<String?> = .nullable(.string.default("x"), when: .missingOrInvalid)
    let decoded = try decode(.array(of: optional), #"[null,7,"a"]"#)
    #expect(decoded.value == ["x", "x", "a"])
    #expect(decoded.issues == ["null $[0] → [0]", "wrongType $[1] → [1]"])
    // Written around it, nullable has the last word on an error.
    let asked: Mapping<String?> = .nullable(.string.notNull())
    #expect(try decode(.array(of: asked), "[null]").value == [nil])
  }

  @Test
  func `a default of the type itself holds by reference`() throws {
    let paint = Mapping.object(Paint.self) { field in field.make(Paint.init, field("c", \.color)) }
    let explicit = Mapping.object(Paint.self) { field in
      field.make(Paint.init, field("c", \.color, .declared))
    }
    for mapping in [paint, explicit] {
      let absent = try decode(mapping, "{}")
      #expect(absent.value?.color == .unknown && absent.issues == ["missing $.c → color"])
      let wrong = try decode(mapping, #"{"c":"green"}"#)
      #expect(wrong.value?.color == .unknown && wrong.issues.count == 1)
    }
    // And what is written around a reference adds to what it says.
    let red = Mapping.object(Paint.self) { field in
      field.make(Paint.init, field("c", \.color, .declared.default(.red)))
    }
    #expect(try decode(red, "{}").value?.color == .red)
    #expect(try decode(red, #"{"c":"green"}"#).value?.color == .unknown)
  }

  @Test
  func `objects made empty and nested ones keep their defaults`() throws {
    let album = Mapping.object(Album.self) { field in
      field.make(
        creating: Album.init, field("t", \.title, .string.default("x")),
        field("song", \.song, song(.string.default("y"))))
    }
    let decoded = try decode(album, #"{"song":{}}"#)
    #expect(decoded.value?.title == "x" && decoded.value?.song?.title == "y")
    let written = try #require(decoded.value)
    #expect(try encode(album, written) == #"{"t":"x","song":{"t":"y"}}"#)
    written.song?.title = nil
    #expect(try encode(album, written) == #"{"t":"x","song":{}}"#)
  }

  @Test
  func `an update turns null to the default and leaves absent untouched`() throws {
    var value = Song(title: "old")
    let mapper = try Mapper(song(.string.default("x")))
    try mapper.update(&value, from: "{}".utf8)
    #expect(value.title == "old")
    try mapper.update(&value, from: #"{"t":null}"#.utf8)
    #expect(value.title == "x")
    let strict = try Mapper(song(.string.notNull()))
    #expect(throws: MappingError.self) { try strict.update(&value, from: #"{"t":null}"#.utf8) }
    #expect(value.title == "x")
  }

  @Test
  func `generated mappings keep to what Mapped says`() throws {
    for document in ["{}", #"{"a":null,"b":null,"c":null}"#] {
      let decoded = try decode(.declared as Mapping<Track>, document)
      #expect(decoded.value == Track(a: "x", b: "x", c: "x"))
      #expect(decoded.issues.count == 2)
    }
    #expect(try decode(.declared as Mapping<Strict>, "{}").fatal == ["missing $.a → a"])
    #expect(try decode(.declared as Mapping<Strict>, #"{"a":null}"#).fatal == ["null $.a → a"])
    #expect(try decode(.declared as Mapping<Filled>, "{}").value == Filled(a: "x", b: "y"))
    #expect(try decode(.declared as Mapping<FilledStrictly>, "{}").fatal == ["missing $.a → a"])
    var track = Track(a: "1", b: "2", c: "3")
    try Mapper(.declared as Mapping<Track>).update(&track, from: #"{"a":null}"#.utf8)
    #expect(track == Track(a: "x", b: "2", c: "3"))
    #expect(try encode(.declared, track) == #"{"a":"x","b":"2","c":"3"}"#)
  }

  @Test
  func `a mapping that makes nil of a value breaks notNull`() throws {
    let filled: Mapping<String?> = .converted(
      from: .string, { $0.isEmpty ? nil : $0 }, reverse: { $0 ?? "" })
    #expect(try decode(filled.notNull(), #""""#).fatal == ["null $"])
    #expect(try decode(filled.notNull(), #""a""#).value == "a")
    let optional: Mapping<String?> = .nullable(.string, when: .missingOrInvalid)
    #expect(try decode(optional.notNull(), "7").fatal == ["wrongType $"])
    let chosen: Mapping<String?> = .firstOf(
      .nullable(.string, when: .missingOrInvalid), .nullable(.string))
    #expect(try decode(chosen.notNull(), "7").fatal == ["null $"])
    #expect(
      try Mapper(filled.notNull()).decode(#""""#.utf8).error?.message
        == "expected an Optional<String>"
    )
    struct Numbers { var a: Int? }
    let numbers = Mapping.object(Numbers.self) { field in
      field.make(
        Numbers.init,
        field(
          "a", \.a, .converted(from: .int, { $0 == 0 ? nil : $0 }, reverse: { $0 ?? 0 }).notNull()))
    }
    #expect(try decode(numbers, #"{"a":0}"#).fatal == ["null $.a → a"])
    #expect(try decode(numbers, #"{"a":1}"#).value?.a == 1)
  }

  @Test
  func `what a rewritten value is made into when it is absent, the mapping after it says`() throws {
    func rewritten(_ mapping: Mapping<String>) -> Mapping<Song> {
      Mapping.object(Song.self) { field in
        field.make(Song.init, field("t", \.title, .preTransformed(mapping) { $0["in"] ?? .null }))
      }
    }
    // What is nil inside is made into a text by one that converts it.
    let named: Mapping<String> = .converted(
      from: .nullable(.string), { $0 ?? "none" }, reverse: { $0 == "none" ? nil : $0 })
    for mapping in [named, .firstOf(named, .string)] {
      #expect(try decode(rewritten(mapping), "{}").value == Song(title: "none"))
      #expect(try decode(rewritten(mapping), #"{"t":null}"#).value == Song(title: "none"))
      #expect(try decode(rewritten(mapping), #"{"t":{"in":"a"}}"#).value == Song(title: "a"))
      #expect(try encode(rewritten(mapping), Song()) == "{}")
    }
    #expect(try decode(rewritten(.string), "{}").value == Song())
    #expect(try decode(rewritten(.string.default("x")), "{}").value == Song(title: "x"))
    #expect(try decode(rewritten(.string.notNull()), "{}").fatal == ["missing $.t → title"])
  }

  @Test
  func `what stands in for JSON that is absent or null is rewritten`() throws {
    let numbers: Mapping<[Int]> = .piped(
      Mapping.json.default(.array([.number("7")])), into: .array(of: .int))
    #expect(try decode(.at("a", numbers), "{}").value == [7])
    #expect(try decode(.at("a", numbers), #"{"a":null}"#).value == [7])
    #expect(try decode(.at("a", .nullable(numbers)), "{}").value == [7])
    #expect(try decode(.at("a", numbers), #"{"a":[1]}"#).value == [1])
  }
}
