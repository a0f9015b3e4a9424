import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Order: Equatable {
  var lines = [Line(id: 1, name: "a", price: 10), Line(id: 2, name: "b", price: 20)]
  var notes: [Note]?
}

private struct Line: Equatable {
  var id: Int
  var name: String
  var price: Int?

  static let mapping = Mapping.object(Line.self) { field in
    field.make(
      Line.init, field("id", \.id), field("name", \.name, .string.validated(.maxLength(5))),
      field("price", \.price))
  }
}

/// What has elements with parts that may be missing.
private struct Box: Equatable {
  struct Part: Equatable {
    struct Maker: Equatable {
      var name: String
      var city: String
    }

    var id: Int
    var maker: Maker?

    static let mapping = Mapping.object(Part.self) { field in
      field.make(
        Part.init, field("id", \.id),
        field(
          "maker", \.maker,
          .object(Maker.self) { field in
            field.make(Maker.init, field("name", \.name), field("city", \.city))
          }
        ).mergingUpdates())
    }
  }

  var parts: [Part]
}

/// An instance of a class, which is found by a text in an object.
private final class Note: Equatable {
  var key = ""
  var text = "?"
  var seen = false

  init(key: String = "") { self.key = key }

  static func == (a: Note, b: Note) -> Bool {
    (a.key, a.text, a.seen) == (b.key, b.text, b.seen)
  }

  static let mapping = Mapping.object(Note.self) { field in
    field.make(
      creating: { Note() }, field("meta.key", \.key), field("text", \.text),
      field("seen", \.seen, .bool.default(false)))
  }
}

/// Arrays whose elements an update finds by an identifier.
@Suite struct UpdateElementsTests {
  private static let order = Mapping.object(Order.self) { field in
    field.make(
      Order.init,
      field("lines", \.lines, .array(of: Line.mapping).validated(.maxCount(3))).mergingUpdates(
        by: \Line.id),
      field("notes", \.notes, .array(of: Note.mapping)).mergingUpdates(by: \Note.key))
  }

  /// The order after an update, by both parsers.
  private func updated(
    _ order: Order = Order(), by document: String, _ mapping: Mapping<Order> = order,
    onNull null: NullUpdate = .clear, absent: AbsentUpdate = .untouched
  ) throws -> Order {
    var orders: [Order] = []
    for parser in RecordParser.allCases {
      var mapper = try Mapper(mapping)
      mapper.parser = parser
      var changed = order
      try mapper.update(&changed, from: document.utf8, onNull: null, absent: absent)
      orders.append(changed)
    }
    #expect(orders.allSatisfy { $0 == orders[0] })
    return orders[0]
  }

  private func lines(_ document: String) throws -> [String] {
    try updated(by: document).lines.map { "\($0.id)\($0.name)\($0.price.map { "\($0)" } ?? "-")" }
  }

  @Test(arguments: [
    (#"{}"#, ["1a10", "2b20"]), (#"{"lines":[]}"#, ["1a10", "2b20"]),
    (#"{"lines":[{"id":2,"price":7}]}"#, ["1a10", "2b7"]),
    (#"{"lines":[{"price":null,"id":2},{"id":1,"name":"x"}]}"#, ["1x10", "2b-"]),
    (#"{"lines":[{"name":"c","id":3},{"id":1,"price":1}]}"#, ["1a1", "2b20", "3c-"]),
    (#"{"lines":[{"id":1}]}"#, ["1a10", "2b20"]),
  ])
  func `elements change by their identifiers, and new ones come to the end`(
    document: String, expected: [String]
  ) throws {
    #expect(try lines(document) == expected)
  }

  @Test func `of several elements with one identifier the first changes`() throws {
    var order = Order()
    order.lines.append(order.lines[0])
    let made = try updated(order, by: #"{"lines":[{"id":1,"price":5},{"id":2,"price":6}]}"#)
    #expect(made.lines.map(\.price) == [5, 6, 10])
  }

  @Test func `a part that an element does not have yet has to come whole`() throws {
    let mapping = Mapping.object(Box.self) { field in
      field.make(
        Box.init, field("parts", \.parts, .array(of: Box.Part.mapping)).mergingUpdates(by: \.id))
    }
    for parser in RecordParser.allCases {
      var mapper = try Mapper(mapping)
      mapper.parser = parser
      var box = Box(parts: [Box.Part(id: 1, maker: nil), Box.Part(id: 2, maker: nil)])
      let before = box
      let error = #expect(throws: MappingError.self) {
        try mapper.update(
          &box,
          from:
            #"{"parts":[{"id":1,"maker":{"name":"a","city":"b"}},{"id":2,"maker":{"name":"x"}}]}"#
            .utf8)
      }
      #expect(
        error?.code == .missing && error?.path.description.hasPrefix("$.parts[1].maker") == true)
      #expect(box == before)
      try mapper.update(&box, from: #"{"parts":[{"id":2,"maker":{"name":"x","city":"y"}}]}"#.utf8)
      try mapper.update(&box, from: #"{"parts":[{"id":2,"maker":{"city":"z"}}]}"#.utf8)
      #expect(box.parts[1].maker == Box.Part.Maker(name: "x", city: "z"))
    }
  }

  @Test(arguments: [
    // A new one lacks a name.
    (#"{"lines":[{"id":1,"price":0},{"id":3}]}"#, "missing $.lines[1]"),
    (#"{"lines":[{"id":1,"price":0},{"name":"x"}]}"#, "missing $.lines[1].id"),
    (#"{"lines":[{"id":null,"name":"x"}]}"#, "null $.lines[0].id"),
    (#"{"lines":[{"id":"1","name":"x"}]}"#, "wrongType $.lines[0].id"),
    (#"{"lines":[{"id":1,"name":"too long"}]}"#, "validationFailed $.lines[0].name"),
    (#"{"lines":[{"id":1,"name":"x"},null]}"#, "null $.lines[1]"),
    (#"{"lines":[{"id":1,"name":"x"},{"id":2},{"id":1}]}"#, "invalidValue $.lines"),
    (#"{"lines":{"id":1}}"#, "wrongType $.lines"),
    (#"{"lines":[{"id":4,"name":"x"},{"id":5,"name":"y"}]}"#, "validationFailed $.lines"),
    (#"{"lines":[{"id":1,"name":"x"}],"notes":[{"meta":{"key":"k"}}]}"#, "missing $.notes"),
  ])
  func `an element that is wrong is an error at its place, and nothing changes`(
    document: String, expected: String
  ) throws {
    for parser in RecordParser.allCases {
      var mapper = try Mapper(Self.order)
      mapper.parser = parser
      var order = Order()
      let error = #expect(throws: MappingError.self) {
        try mapper.update(&order, from: document.utf8)
      }
      #expect(error.map { "\($0.code) \($0.path)" } == expected)
      #expect(order == Order())
    }
  }

  @Test func `the position of an error is that of the element`() throws {
    let document = #"{"lines":[{"id":1},{"id":3,"price":1}]}"#
    var order = Order()
    let error = #expect(throws: MappingError.self) {
      try Mapper(Self.order).update(&order, from: document.utf8)
    }
    #expect(error?.position?.bytes.lowerBound == 19)
    #expect("\(try #require(error))".contains("no element has its identifier"))
  }

  @Test func `instances stay the same ones, and are put back after an error`() throws {
    let (a, b) = (Note(key: "a"), Note(key: "b"))
    var order = Order(notes: [a, b])
    let mapper = try Mapper(Self.order)
    try mapper.update(
      &order, from: #"{"notes":[{"meta":{"key":"b"},"text":"new","seen":true}]}"#.utf8)
    #expect(order.notes?[1] === b && b.text == "new" && b.seen && a.text == "?")
    #expect(throws: MappingError.self) {
      try mapper.update(
        &order,
        from: #"""
          {"notes":[{"meta":{"key":"b"},"text":"bad"},{"meta":{"key":"c"},"text":"c"}],
           "lines":[{"id":8,"name":"x"},{"id":9,"name":"y"}]}
          """#.utf8)
    }
    #expect(order.notes?.count == 2 && order.notes?[1] === b && b.text == "new")
    #expect(order.lines == Order().lines)
  }

  @Test func `an identifier that is equal is found, and is spelled as in the document afterwards`()
    throws
  {
    let note = Note(key: "e\u{301}")
    let made = try updated(
      Order(notes: [note]), by: #"{"notes":[{"meta":{"key":"\u00e9"},"text":"t"}]}"#)
    #expect(
      made.notes?.count == 1 && made.notes?[0] === note && note.text.utf8.elementsEqual("t".utf8))
    #expect(note.key.utf8.elementsEqual("\u{e9}".utf8))
  }

  @Test func `an array that is nil is made, and null removes it`() throws {
    let made = try updated(by: #"{"notes":[{"meta":{"key":"k"},"text":"t"}]}"#)
    #expect(made.notes?.map(\.text) == ["t"] && made.notes?.first?.key == "k")
    #expect(try updated(made, by: #"{"notes":null}"#).notes == nil)
    #expect(try updated(made, by: #"{"notes":null}"#, onNull: .keep).notes == made.notes)
    #expect(throws: MappingError.self) {
      try updated(made, by: #"{"notes":null}"#, onNull: .fail)
    }
    #expect(try updated(by: #"{"notes":[]}"#).notes == [])
  }

  @Test func `an identifier that null leaves as it is finds no element`() throws {
    let error = #expect(throws: MappingError.self) {
      try updated(by: #"{"lines":[{"id":1},{"id":null,"name":"x"}]}"#, onNull: .keep)
    }
    #expect(error?.code == .invalidValue && error?.path.description == "$.lines")
    #expect("\(try #require(error))".contains("that of [1] is null"))
  }

  @Test func `an update that needs all needs all of an element`() throws {
    let error = #expect(throws: MappingError.self) {
      try updated(by: #"{"lines":[{"name":"x"}],"notes":[]}"#, absent: .required)
    }
    #expect(error?.code == .missing && error?.path.description == "$.lines[0].id")
    #expect(throws: MappingError.self) {
      try updated(by: #"{"lines":[{"id":1}],"notes":[]}"#, absent: .required)
    }
    let order = try updated(
      by: #"{"lines":[{"id":1,"name":"x"}],"notes":[]}"#, absent: .required)
    #expect(order.lines[0] == Line(id: 1, name: "x", price: 10))
  }

  @Test func `unknown keys of elements are found where they are`() throws {
    var registry = Registry()
    registry.unknownKeys = .fail
    for parser in RecordParser.allCases {
      var mapper = try Mapper(Self.order, registry: registry)
      mapper.parser = parser
      var order = Order()
      try mapper.update(&order, from: #"{"lines":[{"id":1,"price":3}]}"#.utf8)
      #expect(order.lines[0].price == 3)
      let error = #expect(throws: MappingError.self) {
        try mapper.update(&order, from: #"{"lines":[{"id":1,"other":3}]}"#.utf8)
      }
      #expect(error?.code == .unknownKey && error?.path.description == "$.lines[0].other")
    }
  }

  @Test func `elements that are wrong are left out where the array says so`() throws {
    let lenient = Mapping.object(Order.self) { field in
      field.make(
        Order.init,
        field("lines", \.lines, .array(of: Line.mapping, omitsInvalid: true)).mergingUpdates(
          by: \Line.id),
        field("notes", \.notes, .array(of: Note.mapping)))
    }
    var order = Order()
    let issues = try Mapper(lenient).update(
      &order, from: #"{"lines":[{"id":"?"},{"id":2,"price":3}]}"#.utf8)
    #expect(order.lines.map(\.price) == [10, 3])
    #expect(issues.map(\.path.description) == ["$.lines[0].id"])
  }

  @Test func `hooks of an element see the changed one`() throws {
    let doubled = Mapping.object(Order.self) { field in
      field.make(
        Order.init,
        field(
          "lines", \.lines,
          .array(
            of: Line.mapping.postProcessed { _, line in
              var line = line
              line.price = line.price.map { $0 * 2 }
              return line
            })
        ).mergingUpdates(by: \Line.id),
        field("notes", \.notes, .array(of: Note.mapping)))
    }
    let order = try updated(
      by: #"{"lines":[{"id":1,"price":3},{"id":3,"name":"c","price":5}]}"#, doubled)
    #expect(order.lines.map(\.price) == [6, 20, 10])
  }

  @Test func `what cannot be merged is refused when it is asked for`() throws {
    let wrong: [Mapping<Order>] = [
      // The identifier is not mapped.
      Mapping.object(Order.self) { field in
        field.make(
          creating: { Order() },
          field(
            "lines", \.lines,
            .array(
              of: Mapping.object(Line.self) { field in
                field.make(
                  creating: { Line(id: 0, name: "") }, field("name", \.name))
              })
          ).mergingUpdates(by: \Line.id))
      },
      // The array has a default, which would replace it.
      Mapping.object(Order.self) { field in
        field.make(
          creating: { Order() },
          field("lines", \.lines, .array(of: Line.mapping).default([])).mergingUpdates(
            by: \Line.id))
      },
      // The elements have a default, which would replace one.
      Mapping.object(Order.self) { field in
        field.make(
          creating: { Order() },
          field(
            "lines", \.lines,
            .array(of: Line.mapping.default(Line(id: 0, name: ""), when: .missingOrInvalid))
          ).mergingUpdates(by: \Line.id))
      },
      // The elements are not made from fields.
      Mapping.object(Order.self) { field in
        field.make(
          creating: { Order() },
          field(
            "lines", \.lines,
            .array(of: .oneWay(from: .string) { Line(id: 0, name: $0) })
          ).mergingUpdates(by: \Line.id))
      },
    ]
    for mapping in wrong {
      var order = Order()
      let error = #expect(throws: MappingError.self) {
        try Mapper(mapping).update(&order, from: #"{"lines":[]}"#.utf8)
      }
      #expect(error?.code == .invalidDefinition)
    }
  }

  /// One element of a document, as text, and what it does to the element of its identifier; nil if it is wrong.
  private func element(
    _ id: Int, using random: inout SeededGenerator
  ) -> (text: String, change: (Line?) -> Line?) {
    var members = ["\"id\":\(id)"]
    var name: String?
    var price: Int??
    if Bool.random(using: &random) {
      name = String("abcdefgh".prefix(.random(in: 1...6, using: &random)))
      members.append("\"name\":\"\(name ?? "")\"")
    }
    if Bool.random(using: &random) {
      price = Bool.random(using: &random) ? .some(nil) : .random(in: 0...9, using: &random)
      members.append("\"price\":\((price ?? nil).map { "\($0)" } ?? "null")")
    }
    members.shuffle(using: &random)
    return (
      "{\(members.joined(separator: ","))}",
      { old in
        guard (name ?? "").count <= 5 else { return nil }
        guard var line = old else {
          return name.map { Line(id: id, name: $0, price: price ?? nil) }
        }
        line.name = name ?? line.name
        line.price = price ?? line.price
        return line
      }
    )
  }

  @Test(arguments: 0..<20)
  func `random updates give what a simple model gives`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let mapper = try Mapper(
      Mapping.object(Order.self) { field in
        field.make(
          creating: { Order() },
          field("lines", \.lines, .array(of: Line.mapping)).mergingUpdates(by: \Line.id))
      })
    var order = Order()
    for _ in 0..<200 {
      let ids = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        Int.random(in: 0...6, using: &random)
      }
      var expected: [Line]? = Set(ids).count == ids.count ? order.lines : nil
      var texts: [String] = []
      for id in ids {
        let (text, change) = element(id, using: &random)
        texts.append(text)
        let place = expected?.firstIndex { $0.id == id }
        guard let changed = change(place.flatMap { expected?[$0] }) else {
          expected = nil
          continue
        }
        if let place { expected?[place] = changed } else { expected?.append(changed) }
      }
      let before = order
      let document = "{\"lines\":[\(texts.joined(separator: ","))]}"
      do {
        try mapper.update(&order, from: document.utf8)
        #expect(order.lines == expected, "\(document)")
      } catch {
        #expect(expected == nil && order == before, "\(document): \(error)")
      }
      if order.lines.count > 5 { order.lines.removeFirst(2) }
    }
  }

  /// Both are found in time that is linear in them.
  @Test func `long arrays are merged`() throws {
    var order = Order(lines: (0..<20_000).map { Line(id: $0, name: "l", price: $0) })
    let mapping = Mapping.object(Order.self) { field in
      field.make(
        creating: { Order() },
        field("lines", \.lines, .array(of: Line.mapping)).mergingUpdates(by: \Line.id))
    }
    let elements = (0..<20_000).reversed().map { #"{"id":\#($0),"price":1}"# }
    try Mapper(mapping).update(
      &order, from: "{\"lines\":[\(elements.joined(separator: ","))]}".utf8)
    #expect(order.lines.allSatisfy { $0.price == 1 } && order.lines.count == 20_000)
  }
}
