import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The Swift of the guide Techniques, compiled and run.
@Suite struct TechniquesTests {
  @Test func `the Techniques guide shows only code that is tested here`() throws {
    try GuideLines.expectTested(guide: "Techniques", by: #filePath, SharedNamesTests.file)
  }

  @Test func `a wrong optional value is an error, or nil with an issue`() throws {
    let homepage: Mapping<URL?> = .nullable(.url)  // nil if it is absent or null
    let link: Mapping<URL?> = .nullable(.url, when: .missingOrInvalid)
    let page: Mapping<Int> = .int.default(1, when: .missingOrInvalid)

    #expect(try decode(homepage, "7").fatal == ["wrongType $"])
    #expect(try decode(link, "7").issues == ["wrongType $"])
    #expect(try decode(page, #""x""#).value == 1)
  }

  @Test func `a payload is kept as a value and as raw text`() throws {
    struct Event {
      let id: Int
      let payload: JSONValue  // any value, to look into
      let raw: RawJSON  // its text, with the digits as written
    }
    let event = Mapping.object(Event.self) { field in
      let id = field("id", \.id)
      let payload = field("payload", \.payload)
      let raw = field("payload", \.raw)
      return field.make(Event.init, id, payload, raw)
    }

    let value = try Mapper(event).decode(#"{"id":1,"payload":{"x":[1.50]}}"#).get()
    #expect(value.payload["x"]?[0] == .number("1.50"))
    #expect(String(decoding: value.raw.bytes, as: UTF8.self) == #"{"x":[1.50]}"#)
  }

  @Test func `a bad element fails the array, is dropped, or becomes nil`() throws {
    let all: Mapping<[Int]> = .array(of: .int)  // [1, "x", 3] is an error
    let whole: Mapping<[Int]?> = .nullable(.array(of: .int), when: .missingOrInvalid)
    let good: Mapping<[Int]> = .array(of: .int, omitsInvalid: true)  // [1, 3], and an issue at $[1]
    let holes: Mapping<[Int?]> = .array(of: .nullable(.int, when: .missingOrInvalid))

    let text = #"[1,"x",3]"#
    #expect(try decode(all, text).fatal.count == 1)
    #expect(try decode(whole, text).value == .some(nil))
    #expect(try decode(good, text).value == [1, 3])
    #expect(try decode(good, text).issues.count == 1)
    #expect(try decode(holes, text).value == [1, nil, 3])
  }

  @Test func `two fields are joined into one property and split again`() throws {
    struct Employee {
      let name: String
      let joined: Date
    }
    let moment: Conversion<String, Date> = .dateFormat("yyyy-MM-dd HH:mm")
    let joined: Mapping<Date> = .joined(
      Part("date", .string), Part("time", .string),
      by: { date, time in try moment.forward("\(date) \(time)") },
      split: { date in
        let parts = (try moment.reverse?(date) ?? "").split(separator: " ")
        return (String(parts.first ?? ""), String(parts.last ?? ""))
      })
    let employee = Mapping.object(Employee.self) { field in
      let name = field("name", \.name)
      let moment = field("$", \.joined, joined)  // "$": the parts stand beside `name`
      return field.make(Employee.init, name, moment)
    }

    let text = #"{"name":"Ann","date":"2026-11-21","time":"09:30"}"#
    let value = try #require(try decode(employee, text).value)
    #expect(value.joined.timeIntervalSince1970 == 1_795_253_400)
    #expect(try encode(employee, value) == text)
  }

  @Test func `an initialiser that throws makes the value, and its error is at the object`() throws {
    struct Span: Equatable {
      let from: Int
      let to: Int

      init(from: Int, to: Int) throws {
        guard from < to else { throw ConversionFailure(expected: "an end after the start") }
        (self.from, self.to) = (from, to)
      }
    }
    let span: Mapping<Span> = .joined(
      Part("from", .int), Part("to", .int),
      by: { from, to in try Span(from: from, to: to) }, split: { ($0.from, $0.to) })

    let text = #"{"from":1,"to":7}"#
    let value = try #require(try decode(span, text).value)
    #expect(try value == Span(from: 1, to: 7))
    #expect(try encode(span, value) == text)
    #expect(try decode(span, #"{"from":7,"to":1}"#).fatal == ["invalidValue $"])
    #expect(try decode(span, #"{"from":"x"}"#).fatal == ["wrongType $.from", "missing $.to"])
  }

  @Test func `records that are members have their keys`() throws {
    let feed = Array(#"{"shops":{"a":{"name":"A"},"b":{"name":"B"}}}"#.utf8)
    var byKey: [String: Shop] = [:]
    struct Shop { let name: String }
    let shop = Mapping.object(Shop.self) { field in field.make(Shop.init, field("name", \.name)) }
    var shops = try Mapper(shop)
    shops.reportsKeys = true
    for record in try shops.records(in: Feed(feed, at: "$.shops.*")) {
      if let key = record.key { byKey[key] = try record.get() }
    }

    #expect(byKey.mapValues(\.name) == ["a": "A", "b": "B"])
  }

  @Test func `one field fills two properties and is written once`() throws {
    struct Song {
      let title: String
      let sortTitle: String
    }
    let sorted: Mapping<String> = .converted(
      from: .string, { $0.lowercased() }, reverse: { $0 })
    let song = Mapping.object(Song.self) { field in
      let title = field("title", \.title)
      let sortTitle = field("title", \.sortTitle, sorted)
      return field.make(Song.init, title, sortTitle)
    }

    let value = try #require(try decode(song, #"{"title":"Go"}"#).value)
    #expect(value.title == "Go" && value.sortTitle == "go")
    #expect(try encode(song, value) == #"{"title":"Go"}"#)
  }

  @Test func `a single value is taken as an array of one`() throws {
    let tags: Mapping<[String]> = .preTransformed(.array(of: .string)) { value in
      if case .array = value { value } else { [value] }
    }

    #expect(try decode(tags, #""a""#).value == ["a"])
    #expect(try decode(tags, #"["a","b"]"#).value == ["a", "b"])
  }

  @Test func `an object with any keys is a dictionary`() throws {
    let prices: Mapping<[String: Decimal]> = .dictionary(of: .decimal)  // {"CHF": 9.90, …}

    #expect(try decode(prices, #"{"CHF":9.90}"#).value == ["CHF": 9.9])
  }

  private struct Order: Equatable {
    let id: Int
    let others: [String: JSONValue]
  }

  @Test func `unknown members are collected and written back`() throws {
    let order = Mapping.object(Order.self) { field in
      field.make(Order.init, field("id", \.id), field(collecting: \.others))  // and written back
    }

    let text = #"{"id":1,"new":[true]}"#
    #expect(try encode(order, try #require(try decode(order, text).value)) == text)
  }

  @Test func `JSON in a string is parsed and written back`() throws {
    let inner = try Mapper(Mapping<JSONValue>.json)
    let parsed: Mapping<JSONValue> = .converted(
      from: .string, { try inner.decode($0.utf8).get() },
      reverse: { String(decoding: try inner.encode($0), as: UTF8.self) })
    let sizes: Mapping<[Int]> = .piped(parsed, into: .array(of: .int))  // "[1,2]"

    #expect(try decode(sizes, #""[1,2]""#).value == [1, 2])
    #expect(try encode(sizes, [1, 2]) == #""[1,2]""#)
    #expect(try decode(sizes, #""[1""#).fatal.count == 1)
  }

  // MARK: Hostile shapes

  private struct Person: Equatable { let name: String }

  @Test func `elements of other kinds are left out, reported or silently`() throws {
    let person = Mapping.object(Person.self) { field in
      field.make(Person.init, field("name", \.name))
    }
    // An issue for each other element.
    let reported: Mapping<[Person]> = .array(of: person, omitsInvalid: true)
    let nobody: Mapping<Person?> = .oneWay(from: .json) { _ in nil }
    let silent: Mapping<[Person]> = .converted(
      from: .array(of: .dispatch(byKind: [.object: .nullable(person)], otherwise: nobody)),
      { people in people.compactMap { $0 } }, reverse: { people in people.map { $0 } })

    let text = #"[{"name":"Ann"},null,true,0,{"name":"Bo"}]"#
    let people = [Person(name: "Ann"), Person(name: "Bo")]
    #expect(try decode(reported, text).value == people)
    #expect(try decode(reported, text).issues.count == 3)
    #expect(try decode(silent, text).value == people)
    #expect(try decode(silent, text).isClean)
    #expect(try decode(silent, #"[{"name":7}]"#).fatal.count == 1)
    #expect(try encode(silent, people) == #"[{"name":"Ann"},{"name":"Bo"}]"#)
  }

  private struct Book: Equatable { let title: String }

  @Test func `elements of two types are told apart by their keys`() throws {
    enum Item: Equatable {
      case book(Book)
      case person(Person)
    }
    struct Other: Error {}
    let books = Mapping.object(Book.self) { field in
      field.make(Book.init, field("title", \.title))
    }
    let people = Mapping.object(Person.self) { field in
      field.make(Person.init, field("name", \.name))
    }
    let book: Mapping<Item> = .converted(
      from: books, { .book($0) },
      reverse: { item in
        guard case .book(let book) = item else { throw Other() }
        return book
      })
    let person: Mapping<Item> = .converted(
      from: people, { .person($0) },
      reverse: { item in
        guard case .person(let person) = item else { throw Other() }
        return person
      })
    let items: Mapping<[Item]> = .array(of: .firstOf(book, person, reportsEarlier: false))

    let text = #"[{"title":"Emma"},{"name":"Ann"}]"#
    let value = try #require(try decode(items, text).value)
    #expect(value == [.book(Book(title: "Emma")), .person(Person(name: "Ann"))])
    #expect(try decode(items, text).isClean)
    #expect(try encode(items, value) == text)
    #expect(try decode(items, "[{}]").fatal.count == 1)
  }

  @Test func `a price in many shapes becomes a number or nil`() throws {
    let number: Conversion<String, Decimal> = .number
    let written: Mapping<Decimal?> = .converted(
      from: .string,
      { text in
        if text.isEmpty || text == "null" { return nil }
        return try number.forward(text.hasPrefix("$") ? String(text.dropFirst()) : text)
      }, reverse: { try number.reverse?($0 ?? 0) ?? "" })
    let flag: Mapping<Decimal?> = .oneWay(from: .bool) { $0 ? 1 : 0 }
    let nothing: Mapping<Decimal?> = .oneWay(from: .json) { _ in nil }
    let scalar: Mapping<Decimal?> = .dispatch(byKind: [
      .number: .nullable(.decimal), .string: written, .boolean: flag, .null: nothing,
    ])
    // The first of the elements, if there are any: [], [x] and [x, y].
    let price: Mapping<Decimal?> = .decoding(
      .dispatch(byKind: [.array: .at("[0]", scalar.default(nil))], otherwise: scalar),
      encoding: .nullable(.decimal))
    // The second one; only arrays have it.
    let oldPrice: Mapping<Decimal?> = .decoding(
      .dispatch(byKind: [.array: .at("[1]", scalar.default(nil))], otherwise: nothing),
      encoding: .nullable(.decimal))

    for (text, first, second) in [
      ("1", 1, nil), ("1.5", 1.5, nil), ("true", 1, nil), ("false", 0, nil), (#""1.0""#, 1, nil),
      (#""$1.00""#, 1, nil), ("null", nil, nil), (#""null""#, nil, nil), ("[]", nil, nil),
      ("[3]", 3, nil), (#"["$3.00",4]"#, 3, 4), ("[null,4]", nil, 4),
    ] as [(String, Decimal?, Decimal?)] {
      let found = try decode(price, text)
      #expect(found.value == .some(first) && found.isClean, "\(text)")
      #expect(try decode(oldPrice, text).value == .some(second), "\(text)")
    }
    #expect(try decode(price, #""cheap""#).fatal == ["invalidValue $"])
    #expect(try decode(price, "{}").fatal == ["wrongType $"])

    struct Product: Equatable {
      let price: Decimal?
      let oldPrice: Decimal?
    }
    let product = Mapping.object(Product.self) { field in
      let new = field("price", \.price, price.default(nil))
      let old = field("price", \.oldPrice, oldPrice.default(nil))
      return field.make(Product.init, new, old)
    }

    let both = try decode(product, #"{"price":[1,2]}"#)
    #expect(both.value == Product(price: 1, oldPrice: 2) && both.isClean)
    #expect(try decode(product, "{}").value == Product(price: nil, oldPrice: nil))
    #expect(try encode(product, Product(price: 1, oldPrice: nil)) == #"{"price":1}"#)
  }

  @Test func `a name is read from a list or a line`() throws {
    struct Name: Equatable {
      let first: String
      let last: String
    }
    let list: Mapping<Name> = .converted(
      from: .tuple(.string, .string), { Name(first: $0.0, last: $0.1) },
      reverse: { ($0.first, $0.last) })
    let line: Mapping<Name> = .converted(
      from: .string,
      { text in
        let words = text.split(separator: " ")
        guard words.count == 2 else { throw ConversionFailure(expected: "two names") }
        return Name(first: String(words[0]), last: String(words[1]))
      }, reverse: { "\($0.first) \($0.last)" })
    let name: Mapping<Name> = .dispatch(byKind: [.array: list, .string: line])

    let john = Name(first: "John", last: "Doe")
    #expect(try decode(.at("name", name), #"{"name":["John","Doe"]}"#).value == john)
    #expect(try decode(.at("name", name), #"{"name":"John Doe"}"#).value == john)
    #expect(try decode(name, #""John""#).fatal == ["invalidValue $"])
    #expect(try encode(name, john) == #"["John","Doe"]"#)
  }

  @Test func `a number is read from itself or from its text`() throws {
    let id: Mapping<Int> = .dispatch(byKind: [.number: .int, .string: .int(from: .string)])
    let label: Mapping<String> = .text  // a string, or the text of anything else

    #expect(try decode(id, "7").value == 7)
    #expect(try decode(id, #""7""#).value == 7)
    #expect(try encode(id, 7) == "7")
    #expect(try decode(label, "7").value == "7")
  }
}
