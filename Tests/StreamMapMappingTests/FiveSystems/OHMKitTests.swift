import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private class Root {
  var rootProperty = ""
}

private final class Child: Root {
  var childProperty = ""
}

private struct Color: Equatable {
  let red: Double
  let green: Double
  let blue: Double
  var alpha = 1.0
}

private final class Model {
  var name: String?
  var favoriteWord: String?
  var favoriteNumber = 0
  var favoriteColor: Color?
  var favoriteModel: Model?

  init() {}

  init(name: String?, favoriteWord: String?, favoriteNumber: Int) {
    self.name = name
    self.favoriteWord = favoriteWord
    self.favoriteNumber = favoriteNumber
  }
}

extension Mapping where Value == Int {
  /// The adapter of OHMKit's tests, that both ways know one word.
  fileprivate static var spelled: Mapping {
    .converted(
      from: .string, { $0 == "fourty-seven" ? 47 : 0 },
      reverse: { $0 == 47 ? "fourty-seven" : "zero" })
  }
}

extension Mapping where Value == String {
  /// The adapter of OHMKit's hierarchies: forward only words become digits.
  fileprivate static var digits: Mapping {
    .decoding(
      .converted(
        from: .string, { ["fourty-seven": "47", "fourty-eight": "48"][$0] ?? $0 },
        reverse: { $0 }), encoding: .string)
  }
}

/// OHMKit: hydrating objects in place by their property names, and dehydrating them.
@Suite struct OHMKitTests {
  private func hydrate(
    _ mapping: Mapping<Model>, _ document: String, _ model: Model = Model()
  ) throws -> Model {
    var model = model
    let same = model
    try Mapper(mapping).update(&model, from: document.utf8)
    #expect(model === same)
    return model
  }

  private func describe(_ model: Model) -> String {
    "\(model.name ?? "-") \(model.favoriteWord ?? "-") \(model.favoriteNumber)"
  }

  private static let plain = Mapping.object(Model.self) { field in
    field.make(
      creating: { Model() }, field("name", \.name), field("favoriteWord", \.favoriteWord),
      field("favoriteNumber", \.favoriteNumber))
  }

  private static let renamed = Mapping.object(Model.self) { field in
    field.make(
      creating: { Model() }, field("name", \.name), field("favorite_word", \.favoriteWord),
      field("favorite_number", \.favoriteNumber))
  }

  private let fabian = #"{"name":"Fabian","favoriteWord":"absurd","favoriteNumber":47}"#

  // MARK: Keys

  @Test func `an object is updated by its property names (OHM-003)`() throws {
    #expect(try describe(hydrate(Self.plain, fabian)) == "Fabian absurd 47")
  }

  @Test func `renamed keys update their properties (OHM-004)`() throws {
    let text = #"{"name":"Fabian","favorite_word":"absurd","favorite_number":47}"#
    #expect(try describe(hydrate(Self.renamed, text)) == "Fabian absurd 47")
  }

  @Test func `decoding by property names sets all properties (OHM-005)`() throws {
    let decoded = try decode(Self.plain, fabian)
    #expect(decoded.isClean && decoded.value.map(describe) == "Fabian absurd 47")
  }

  /// Otherwise: a target that does not exist is an error of the compiler; a source that does not is only absent.
  @Test func `an absent source changes nothing for the other fields (OHM-006)`() throws {
    let mapping = Mapping.object(Model.self) { field in
      field.make(
        creating: { Model() }, field("name", \.name), field("favoriteWord", \.favoriteWord),
        field("favoriteNumber", \.favoriteNumber), field("non_existent_key", \.favoriteColor, color)
      )
    }
    let model = try hydrate(mapping, fabian)
    #expect(describe(model) == "Fabian absurd 47" && model.favoriteColor == nil)
  }

  @Test func `an unknown key changes nothing (OHM-007)`() throws {
    #expect(try describe(hydrate(Self.plain, #"{"non_existent_key":1}"#)) == "- - 0")
  }

  @Test func `a key that is not mapped leaves its property nil (OHM-009)`() throws {
    let mapping = Mapping.object(Model.self) { field in
      field.make(
        creating: { Model() }, field("name", \.name), field("favoriteWord", \.favoriteWord),
        field("favorite_number", \.favoriteNumber))
    }
    let text = #"{"name":"Music","favorite_word":"glitter","favorite_number":7}"#
    #expect(try describe(hydrate(mapping, text)) == "Music - 7")
  }

  /// Otherwise: a mapping maps, whatever other properties are called; OHMKit set the property of the source's name.
  @Test func `a field sets its target, not the property of its key (OHM-032)`() throws {
    let mapping = Mapping.object(Model.self) { field in
      field.make(creating: { Model() }, field("name", \.favoriteWord))
    }
    #expect(try describe(hydrate(mapping, #"{"name":"x"}"#)) == "- x 0")
  }

  // MARK: Adapters

  private let spelled = Mapping.object(Model.self) { field in
    field.make(
      creating: { Model() }, field("favoriteNumber", \.favoriteNumber, .spelled))
  }

  @Test func `an adapter turns words into numbers in an update (OHM-012)`() throws {
    #expect(
      try describe(hydrate(spelled, #"{"favoriteNumber":"fourty-seven"}"#)) == "- - 47")
    #expect(try describe(hydrate(spelled, #"{"favoriteNumber":"six"}"#)) == "- - 0")
  }

  @Test func `a type's own mapping uses its adapter (OHM-013)`() throws {
    final class Declared: Mappable {
      var favoriteNumber = 0
      static var mapping: Mapping<Declared> {
        Mapping.object(Declared.self) { field in
          field.make(creating: Declared.init, field("favoriteNumber", \.favoriteNumber, .spelled))
        }
      }
    }
    let outcome = try decode(Declared.mapping, #"{"favoriteNumber":"fourty-seven"}"#)
    #expect(outcome.value?.favoriteNumber == 47 && outcome.isClean)
  }

  private let color: Mapping<Color> = .converted(
    from: .tuple(.double, .double, .double),
    { Color(red: $0.0 / 255, green: $0.1 / 255, blue: $0.2 / 255) },
    reverse: { ($0.red * 255, $0.green * 255, $0.blue * 255) })

  @Test func `an array of three numbers becomes a Color (OHM-015)`() throws {
    let mapping = Mapping.object(Model.self) { field in
      field.make(creating: { Model() }, field("favorite_color", \.favoriteColor, color))
    }
    let model = try hydrate(mapping, #"{"favorite_color":[122,50,80]}"#)
    #expect(
      model.favoriteColor == Color(red: 122.0 / 255, green: 50.0 / 255, blue: 80.0 / 255))
  }

  // MARK: Objects in objects

  private static let nested: Mapping<Model> = .recursive { model in
    Mapping.object(Model.self) { field in
      field.make(
        creating: { Model() }, field("name", \.name), field("favoriteModel", \.favoriteModel, model)
      )
    }
  }

  /// Otherwise: a value of another type than the property's is an error, and nothing is assigned.
  @Test func `a text for a nested object is an error (OHM-017)`() throws {
    let outcome = try decode(Self.nested, #"{"favoriteModel":"text"}"#)
    #expect(outcome.fatal == ["wrongType $.favoriteModel → favoriteModel"])
    let deep = try decode(Self.nested, #"{"favoriteModel":{"favoriteModel":{"name":"a"}}}"#)
    #expect(deep.value?.favoriteModel?.favoriteModel?.name == "a")
  }

  @Test func `an update replaces a nested object that is not updated inside (OHM-018)`() throws {
    // An update through a mapping that is recursive goes by its outermost object.
    let mapping = Mapping.object(Model.self) { field in
      field.make(
        creating: { Model() }, field("favoriteModel", \.favoriteModel, Self.plain))
    }
    let model = Model()
    let old = Model(name: "Old", favoriteWord: "word", favoriteNumber: 1)
    model.favoriteModel = old
    let text = #"{"favoriteModel":{"name":"Rock","favoriteNumber":2}}"#
    #expect(try hydrate(mapping, text, model).favoriteModel !== old)
    #expect(model.favoriteModel.map(describe) == "Rock - 2" && old.name == "Old")
  }

  private let child = Mapping.object(Child.self) { field in
    field.make(
      creating: { Child() }, field("rootProperty", \.rootProperty, .digits),
      field("childProperty", \.childProperty))
  }

  @Test func `a child is mapped with its parent's properties (OHM-019)`() throws {
    let child = try decode(child, #"{"rootProperty":"r","childProperty":"c"}"#).value
    #expect(child?.rootProperty == "r" && child?.childProperty == "c")
  }

  @Test func `an adapter applies to an inherited property (OHM-020)`() throws {
    let child = try decode(child, #"{"rootProperty":"fourty-seven","childProperty":"c"}"#).value
    #expect(child?.rootProperty == "47")
  }

  private class UnmappedRoot {
    var rootUnmappedProperty = ""
  }

  private final class Crossed: UnmappedRoot {
    var mappedCrossModelProperty: Child?
  }

  private var crossed: Mapping<Crossed> {
    Mapping.object(Crossed.self) { field in
      field.make(
        creating: { Crossed() },
        field("mappedCrossModelProperty", \.mappedCrossModelProperty, child),
        field("rootUnmappedProperty", \.rootUnmappedProperty, .digits))
    }
  }

  @Test func `adapters apply in nested and inherited properties together (OHM-021)`() throws {
    let value = try decode(
      crossed,
      #"{"mappedCrossModelProperty":{"rootProperty":"fourty-eight","childProperty":"c"},"#
        + #""rootUnmappedProperty":"fourty-seven"}"#
    ).value
    #expect(value?.mappedCrossModelProperty?.rootProperty == "48")
    #expect(value?.mappedCrossModelProperty?.childProperty == "c")
    #expect(value?.rootUnmappedProperty == "47")
  }

  // MARK: Dehydrating

  /// Otherwise: nil is left out; as `null` it is written where that is asked for.
  @Test func `nil is left out when written, or null on request (OHM-026)`() throws {
    let model = Model(name: "Fabian", favoriteWord: nil, favoriteNumber: 47)
    #expect(try encode(Self.plain, model) == #"{"name":"Fabian","favoriteNumber":47}"#)
    var options = EncodingOptions()
    options.nils = .null
    #expect(
      String(decoding: try Mapper(Self.plain).encode(model, options: options), as: UTF8.self)
        == #"{"name":"Fabian","favoriteWord":null,"favoriteNumber":47}"#)
    model.favoriteWord = "absurd"
    #expect(try encode(Self.plain, model) == fabian)
  }

  @Test func `renamed keys are written instead of property names (OHM-027)`() throws {
    let model = Model(name: "Fabian", favoriteWord: "absurd", favoriteNumber: 47)
    #expect(
      try encode(Self.renamed, model)
        == #"{"name":"Fabian","favorite_word":"absurd","favorite_number":47}"#)
  }

  @Test func `a reverse adapter writes a number as a word (OHM-028)`() throws {
    let model = Model(name: nil, favoriteWord: nil, favoriteNumber: 47)
    #expect(try encode(spelled, model) == #"{"favoriteNumber":"fourty-seven"}"#)
  }

  @Test func `a forward adapter leaves what is written unchanged (OHM-029)`() throws {
    let value = Crossed()
    value.rootUnmappedProperty = "48"
    let inner = Child()
    inner.childProperty = "c"
    value.mappedCrossModelProperty = inner
    #expect(
      try encode(crossed, value)
        == #"{"mappedCrossModelProperty":{"rootProperty":"","childProperty":"c"},"#
        + #""rootUnmappedProperty":"48"}"#)
  }

  /// Otherwise: `null` for a property that is not Optional is an error, and nothing is written.
  @Test func `null for a number fails and writes nothing (OHM-031)`() throws {
    var model = Model(name: "Fabian", favoriteWord: nil, favoriteNumber: 47)
    let mapper = try Mapper(Self.plain)
    let text = #"{"name":"Bo","favoriteNumber":null}"#
    #expect { try mapper.update(&model, from: text.utf8) } throws: {
      ($0 as? MappingError)?.code == .null
    }
    #expect(describe(model) == "Fabian - 47")
  }
}
