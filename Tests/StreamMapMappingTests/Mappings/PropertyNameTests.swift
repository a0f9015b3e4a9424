import StreamMapMacros
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// A class whose properties subclasses may override: key paths do not tell their names.
private class Open {
  var a = ""
  var b = ""
  init() {}
  init(_ a: String, _ b: String) { (self.a, self.b) = (a, b) }
}

private final class Derived: Open {
  var c = ""
}

private final class Closed {
  var a = ""
  var b = ""
  init() {}
  init(_ a: String, _ b: String) { (self.a, self.b) = (a, b) }
}

private struct Inner: Equatable {
  var date = ""
  var time: String?
}

private struct Outer: Equatable {
  var inner = Inner()
  var counted = "" { didSet {} }
  var date: String {
    get { inner.date }
    set { inner.date = newValue }
  }
}

/// Its properties have no place of their own, for they are observed: the macro knows their names.
@Mappable
private final class Generated {
  @Key("b") var a = "" { didSet {} }
  @Key("a") var b = "" { didSet {} }
}

// The source of each property is the other one's name.
private let unnamed = Mapping.object(Open.self) { field in
  field.make(creating: { Open() }, field("b", \.a), field("a", \.b))
}
private let named = Mapping.object(Open.self) { field in
  field.make(
    creating: { Open() }, field("b", \.a).named("a"), field("a", \.b).named("b"))
}
private let known = Mapping.object(Closed.self) { field in
  field.make(creating: { Closed() }, field("b", \.a), field("a", \.b))
}
private let outer = Mapping.object(Outer.self) { field in
  field.make(
    creating: { Outer() }, field("day", \.inner.date), field("hour", \.inner.time),
    field("n", \.counted))
}

private func text<Value>(
  _ mapping: Mapping<Value>, _ value: Value, _ fields: EncodingOptions.Fields
) throws -> String {
  var options = EncodingOptions()
  options.fields = fields
  return String(decoding: try Mapper(mapping).encode(value, options: options), as: UTF8.self)
}

private func mistake<Value>(
  _ mapping: Mapping<Value>, _ value: Value, _ fields: EncodingOptions.Fields
) -> String? {
  do {
    var options = EncodingOptions()
    options.fields = fields
    _ = try Mapper(mapping).encode(value, options: options)
    return nil
  } catch let error as MappingError {
    return error.found
  } catch {
    return "\(error)"
  }
}

@Suite("Names of properties")
struct PropertyNameTests {
  @Test
  func `an error names the property or field number, never a key`() throws {
    #expect(try decode(known, #"{"b":1,"a":"x"}"#).fatal == ["wrongType $.b → a"])
    #expect(try decode(named, #"{"b":1,"a":"x"}"#).fatal == ["wrongType $.b → a"])
    #expect(
      try decode(unnamed, #"{"b":1,"a":"x"}"#).fatal == ["wrongType $.b → ['field 1']"])
    #expect(
      try decode(Generated.mapping, #"{"b":1,"a":"x"}"#).fatal
        == ["wrongType $.b → a"])
    let derived = Mapping.object(Derived.self) { field in
      field.make(
        creating: { Derived() }, field("x", \.a), field("y", \.c).named("c"))
    }
    #expect(
      try decode(derived, #"{"x":1,"y":2}"#).fatal
        == ["wrongType $.x → ['field 1']", "wrongType $.y → c"])
    let constant = Mapping.object(Open.self) { field in
      field.make(creating: { Open() }, field(constant: "x", \.a), field("a", \.b))
    }
    #expect(try decode(constant, #"{"a":1}"#).fatal == ["wrongType $.a → ['field 2']"])
  }

  @Test
  func `a key path of two steps is a path of two names`() throws {
    #expect(try decode(outer, #"{"day":1,"n":""}"#).fatal == ["wrongType $.day → inner.date"])
    #expect(
      try Mapper(outer).decode(#"{"day":1,"n":""}"#.utf8).error?.target
        == [.key("inner"), .key("date")])
    #expect(try decode(outer, #"{"day":"","n":1}"#).fatal == ["wrongType $.n → ['field 3']"])
    let given = Mapping.object(Outer.self) { field in
      field.make(creating: { Outer() }, field("day", \.date).named("inner.date"))
    }
    #expect(try decode(given, #"{"day":1}"#).fatal == ["wrongType $.day → inner.date"])
    struct Optionals: Equatable { var inner: Inner? }
    let chained = Mapping.object(Optionals.self) { field in
      field.make(
        { (_: String?) in Optionals() }, field("t", \.inner?.time, .nullable(.string)))
    }
    #expect(try decode(chained, #"{"t":1}"#).fatal == ["wrongType $.t → inner.time"])
  }

  @Test
  func `updates name properties in the same way`() throws {
    var value = Outer()
    let mapper = try Mapper(outer)
    let error = #expect(throws: MappingError.self) {
      try mapper.update(&value, from: #"{"day":1}"#.utf8)
    }
    #expect(error?.target?.relativeDescription == "inner.date")
    var open = Open()
    let other = #expect(throws: MappingError.self) {
      try Mapper(named).update(&open, from: #"{"b":1}"#.utf8)
    }
    #expect(other?.target?.relativeDescription == "a")
  }

  @Test
  func `a duplicate takes back only the error of its own field`() throws {
    #expect(
      try decode(outer, #"{"day":1,"day":"x","hour":2,"n":""}"#).fatal == [
        "wrongType $.hour → inner.time"
      ])
    #expect(
      try decode(unnamed, #"{"b":1,"a":1,"b":"x"}"#).fatal == ["wrongType $.a → ['field 2']"])
  }

  @Test
  func `a property's name stands for it, even as another's key`() throws {
    #expect(try text(known, Closed("A", "B"), .only(["b"])) == #"{"a":"B"}"#)
    #expect(try text(known, Closed("A", "B"), .except(["b"])) == #"{"b":"A"}"#)
    #expect(try text(named, Open("A", "B"), .only(["b"])) == #"{"a":"B"}"#)
    let generated = Generated()
    generated.b = "B"
    #expect(try text(Generated.mapping, generated, .only(["b"])) == #"{"a":"B"}"#)
    // A path from the root is one of the JSON.
    #expect(try text(known, Closed("A", "B"), .only(["$.b"])) == #"{"b":"A"}"#)
    #expect(try text(unnamed, Open("A", "B"), .only(["$.b"])) == #"{"b":"A"}"#)
    #expect(try text(unnamed, Open("A", "B"), .only(["/a"])) == #"{"a":"B"}"#)
  }

  @Test
  func `properties inside others are named by both names`() throws {
    let value = Outer(inner: Inner(date: "d", time: "t"), counted: "c")
    #expect(try text(outer, value, .only(["inner.date"])) == #"{"day":"d"}"#)
    #expect(try text(outer, value, .only(["inner"])) == #"{"day":"d","hour":"t"}"#)
    struct List { var items: [Closed] }
    let list = Mapping.object(List.self) { field in
      field.make(List.init, field("entries", \.items, .array(of: known)))
    }
    let items = List(items: [Closed("A", "B")])
    #expect(try text(list, items, .only(["items.b"])) == #"{"entries":[{"a":"B"}]}"#)
    #expect(try text(list, items, .only(["items[*].b"])) == #"{"entries":[{"a":"B"}]}"#)
    #expect(try text(list, items, .only(["$.entries[*].b"])) == #"{"entries":[{"b":"A"}]}"#)
  }

  @Test
  func `an ambiguous name is an error that says what to do`() throws {
    let hint =
      " (the property names of these fields of Open are not known: 1, 2; give them with "
      + "named(_:), or write a path of the JSON with its root: $.key)"
    #expect(
      mistake(unnamed, Open("A", "B"), .only(["b"]))
        == "'b', a key of the JSON that may be the name of another field's property" + hint)
    #expect(
      mistake(unnamed, Open("A", "B"), .except(["a"]))?.hasPrefix("'a', a key of the JSON") == true)
    #expect(mistake(unnamed, Open("A", "B"), .only(["c"])) == "'c', which no field has" + hint)
    #expect(mistake(known, Closed("A", "B"), .only(["c"])) == "'c', which no field has")
    #expect(mistake(known, Closed("A", "B"), .only(["$.c"])) == "'$.c', which no field has")
  }

  @Test
  func `mistakes of a definition name the property`() throws {
    let twice = Mapping.object(Open.self) { field in
      field.make(
        creating: { Open() }, field("b", \.a).named("a"), field("c", \.b).named("a"))
    }
    #expect(mistakes(twice) == ["fields 1 and 2 both map to 'a'"])
    let same = Mapping.object(Open.self) { field in
      field.make(creating: { Open() }, field("b", \.a), field("c", \.a))
    }
    #expect(mistakes(same) == ["fields 1 and 2 both map to the same property"])
    let empty = Mapping.object(Open.self) { field in
      field.make(creating: { Open() }, field("b", \.a).named(""))
    }
    #expect(mistakes(empty) == ["the name of field 1 is empty"])
    func places<Value>(_ mapping: Mapping<Value>) -> [String] {
      do {
        _ = try Mapper(mapping)
        return []
      } catch {
        return error.mistakes.map(\.place)
      }
    }
    let wrong = Mapping.object(Open.self) { field in
      field.make(
        creating: { Open() }, field("b", \.a, .firstOf([])),
        field("a", \.b, .firstOf([])).named("b"))
    }
    #expect(places(wrong) == ["Open, field 1 (from $.b)", "Open, field 2 (b)"])
    #expect(
      "\(try Mapper(unnamed).plan)" == "$: Open\n  b → field 1: string\n  a → field 2: string")
  }
}
