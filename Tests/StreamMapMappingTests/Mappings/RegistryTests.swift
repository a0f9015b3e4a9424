import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Money: Equatable { var cents: Int }

private struct Item: Mappable, Equatable {
  var name: String
  var made: Date?
  static var mapping: Mapping<Item> {
    Mapping.object(Item.self) { field in
      field.make(Item.init, field("name", \.name), field("made", \.made))
    }
  }
}

private struct Order: Mappable, Equatable {
  var placed: Date
  var items: [Item]
  var named: [String: Item]
  var main: Item?
  var parent: [Order]
  static var mapping: Mapping<Order> {
    Mapping.object(Order.self) { field in
      field.make(
        Order.init, field("placed", \.placed), field("items", \.items), field("named", \.named),
        field("main", \.main), field("parent", \.parent, .array(of: .declared).default([])))
    }
  }
}

private struct Invoice: Equatable {
  var total: Money
  var tip: Money?
  static let mapping = Mapping.object(Invoice.self) { field in
    field.make(
      Invoice.init, field("total", \.total, .registered(Money.self)),
      field("tip", \.tip, .registered(Money.self)))
  }
}

private final class Settings {
  var size = 1
  var inner = Inner()
  final class Inner { var day = Date(timeIntervalSince1970: 0) }
}

@Suite struct RegistryTests {
  private static let cents = Conversion<String, Money>("cents") { text in
    guard let cents = Int(text) else { throw ConversionFailure(expected: "cents") }
    return Money(cents: cents)
  } reverse: {
    "\($0.cents)"
  }

  private static let day = Date(timeIntervalSince1970: 86400)

  private static let document = #"""
    {"placed":"1970-01-02","items":[{"n":"A"}],"named":{"x":{"n":"B"}},"main":{"n":"C"},"parent":\#
    [{"placed":"1970-01-02","items":[{"n":"D"}],"named":{},"parent":[]}]}
    """#

  private func mistakes(_ body: () throws -> Void) -> [String] {
    do {
      try body()
      return []
    } catch {
      return (error as? DefinitionError)?.mistakes.map(\.description) ?? ["\(error)"]
    }
  }

  // MARK: Mappings

  @Test func `a registered mapping replaces the declared one at any depth`() throws {
    var registry = Registry()
    registry.register(Date.self, .date(format: "yyyy-MM-dd"))
    registry.register(
      Item.self,
      Mapping.object(Item.self) { field in
        field.make({ Item(name: $0, made: nil) }, field("n", \.name))
      })
    let mapper = try Mapper(Order.self, registry: registry)
    let order = try mapper.decode(Self.document.utf8).get()
    #expect(order.placed == Self.day)
    #expect(order.items == [Item(name: "A")] && order.named == ["x": Item(name: "B")])
    #expect(order.main == Item(name: "C"))
    #expect(order.parent.map(\.items) == [[Item(name: "D")]])
    #expect(String(decoding: try mapper.encode(order), as: UTF8.self) == Self.document)
    // The registry of one mapper is not that of another.
    #expect(try Mapper(Order.self).decode(Self.document.utf8).error != nil)
    let plain = try Mapper(Date.self, registry: Registry())
    #expect(plain.decode(#""1970-01-02T00:00:00Z""#.utf8).value == Self.day)
  }

  @Test func `a registered mapping holds for the record type itself`() throws {
    var registry = Registry()
    registry.register(
      Item.self,
      Mapping.object(Item.self) { field in
        field.make({ Item(name: $0, made: nil) }, field("title", \.name))
      })
    let text = #"{"title":"A"}"#
    #expect(try Mapper(Item.self, registry: registry).decode(text.utf8).value?.name == "A")
    #expect(try Mapper(Item.mapping, registry: registry).decode(text.utf8).value == nil)
    #expect(try Mapper(.declared, registry: registry).decode(text.utf8).value == Item(name: "A"))
  }

  @Test func `a registered mapping can refer to itself`() throws {
    struct Tree: Equatable {
      var name: String
      var children: [Tree]
    }
    var registry = Registry()
    registry.register(
      Tree.self,
      Mapping.object(Tree.self) { field in
        field.make(
          Tree.init, field("n", \.name),
          field("c", \.children, .array(of: .registered(Tree.self)).default([]))
        )
      })
    let mapper = try Mapper(Tree.self, registry: registry)
    let tree = try mapper.decode(#"{"n":"a","c":[{"n":"b","c":[{"n":"c"}]}]}"#.utf8).get()
    #expect(tree.children.first?.children.first?.name == "c")
    #expect(try mapper.convert(tree, to: mapper).get() == tree)
  }

  @Test func `a type without a mapping maps by its registered one`() throws {
    var registry = Registry()
    registry.register(Money.self, .converted(from: .string, by: Self.cents))
    let mapper = try Mapper(Invoice.mapping, registry: registry)
    let invoice = try mapper.decode(#"{"total":"1250","tip":null}"#.utf8).get()
    #expect(invoice == Invoice(total: Money(cents: 1250)))
    #expect(String(decoding: try mapper.encode(invoice), as: UTF8.self) == #"{"total":"1250"}"#)
    #expect(
      mapper.decode(#"{"total":"x"}"#.utf8).error?.message == "expected cents, found another string"
    )
    // The later one is the one.
    registry.register(Money.self, .converted(from: .int, { Money(cents: $0) }, reverse: \.cents))
    #expect(
      try Mapper(Invoice.mapping, registry: registry).decode(#"{"total":7}"#.utf8).value?.total
        .cents == 7)
  }

  @Test func `a type with no registered mapping is a mistake`() {
    #expect(
      mistakes { _ = try Mapper(Invoice.mapping) } == [
        "Invoice, field 1 (total): no mapping is registered for Money, and it is not Mappable",
        "Invoice, field 2 (tip): no mapping is registered for Money, and it is not Mappable",
      ])
    #expect(
      mistakes { _ = try Mapper(Money.self, registry: Registry()) } == [
        "the mapping: no mapping is registered for Money, and it is not Mappable"
      ])
    var circular = Registry()
    circular.register(Money.self, .registered(Money.self))
    #expect(
      mistakes { _ = try Mapper(Money.self, registry: circular) } == [
        "the mapping: Money refers only to itself"
      ])
  }

  @Test func `an update uses the registered mappings`() throws {
    var registry = Registry()
    registry.register(
      Settings.Inner.self,
      Mapping.object(Settings.Inner.self) { field in
        field.make(creating: Settings.Inner.init, field("day", \.day))
      })
    registry.register(Date.self, .date(format: "yyyy-MM-dd"))
    let mapping = Mapping.object(Settings.self) { field in
      field.make(
        creating: Settings.init, field("size", \.size),
        field("inner", \.inner, .registered(Settings.Inner.self)).mergingUpdates())
    }
    let mapper = try Mapper(mapping, registry: registry)
    var settings = Settings()
    let inner = settings.inner
    try mapper.update(&settings, from: #"{"inner":{"day":"1970-01-02"}}"#.utf8)
    #expect(settings.inner === inner && inner.day == Self.day)
  }

  // MARK: Conversions

  @Test func `a registered conversion is found by its name`() throws {
    var registry = Registry()
    registry.register(Self.cents)
    registry.register(Self.cents, as: "money")
    let prices: Mapping<[Money]> = .array(of: .converted(from: .string, byNamed: "money"))
    let mapper = try Mapper(prices, registry: registry)
    #expect(mapper.decode(#"["1","2"]"#.utf8).value == [Money(cents: 1), Money(cents: 2)])
    #expect(String(decoding: try mapper.encode([Money(cents: 3)]), as: UTF8.self) == #"["3"]"#)
    let optional: Mapping<[Money?]> = .array(
      of: .nullable(.converted(from: .string, byNamed: "cents")))
    #expect(
      try Mapper(optional, registry: registry).decode(#"["1",null]"#.utf8).value
        == [Money(cents: 1), nil])
    let conversion = registry.conversion("cents", from: String.self, to: Money.self)
    #expect(try conversion.forward("5") == Money(cents: 5) && conversion.mistake == nil)
  }

  @Test func `a conversion that is not registered is a mistake`() {
    var registry = Registry()
    let mapping: Mapping<[Money]> = .array(of: .converted(from: .string, byNamed: "money"))
    #expect(
      mistakes { _ = try Mapper(mapping, registry: registry) } == [
        "[*]: no conversion 'money' is registered; there is none"
      ])
    registry.register(Self.cents)
    registry.register(Self.cents, as: "c")
    #expect(
      mistakes { _ = try Mapper(mapping, registry: registry) } == [
        "[*]: no conversion 'money' is registered; there is one of 'c', 'cents'"
      ])
    registry.register(Self.cents.reversed, as: "money")
    #expect(
      mistakes { _ = try Mapper(mapping, registry: registry) } == [
        """
        [*]: the conversion 'money' is registered from Money to String, not from String to Money
        """
      ])
  }

  // MARK: Policies

  @Test func `policies for keys hold unless a mapping overrides them`() throws {
    let document = #"{"name":"A","name":"B","x":1,"deep":{"y":2}}"#
    func text(_ mapping: Mapping<Item>, _ registry: Registry) throws -> [String] {
      let record = try Mapper(mapping, registry: registry).decode(document.utf8)
      return (record.error.map { [$0] } ?? record.issues).map { "\($0.code) \($0.path)" }
    }
    var registry = Registry()
    #expect(registry.unknownKeys == .ignore && registry.duplicateKeys == .last)
    #expect(try text(Item.mapping, registry) == [])
    registry.unknownKeys = .report
    #expect(registry.unknownKeys == .report)
    #expect(try text(Item.mapping, registry) == ["unknownKey $.x", "unknownKey $.deep"])
    #expect(try text(Item.mapping.unknownKeys(.ignore), registry) == [])
    // A value at a path has no keys of its own.
    let deep: Mapping<JSONValue> = .at("deep.y", .json)
    #expect(try Mapper(deep, registry: registry).decode(document.utf8).issues.isEmpty)
    registry.unknownKeys = .ignore
    registry.duplicateKeys = .fail
    #expect(registry.duplicateKeys == .fail)
    #expect(try text(Item.mapping, registry) == ["duplicateKey $.name"])
    #expect(try text(Item.mapping.duplicateKeys(.first), registry) == [])
  }
}
