import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private final class Address: Mappable {
  var city = "Bern"
  var street: String? = "Main"
  static var mapping: Mapping<Address> {
    Mapping.object(Address.self) { field in
      field.make(creating: Address.init, field("city", \.city), field("street", \.street))
    }
  }
}

private struct Person: Equatable {
  var name: String
  var age: Int?
  var score = 1.5
  let id: Int
}

private let person = Mapping.object(Person.self) { field in
  field.make(
    creating: { Person(name: "", age: nil, id: 0) }, field("name", \.name),
    field("info.age", \.age),
    field("score", \.score, .double.default(0).validated(.in(0...10))))
}

private struct Customer {
  var home = Address()
  var work: Address?
  static let replaced = Mapping.object(Customer.self) { field in
    field.make(
      creating: { Customer() }, field("home", \.home), field("work", \.work))
  }
  static let updated = Mapping.object(Customer.self) { field in
    field.make(
      creating: { Customer() }, field("home", \.home).mergingUpdates(),
      field("work", \.work).mergingUpdates())
  }
}

@Suite struct UpdateTests {
  @Test(arguments: [
    ("{}", "Ann 31 1.5"), (#"{"name":"Bob"}"#, "Bob 31 1.5"),
    (#"{"info":{"age":null},"score":2}"#, "Ann nil 2.0"),
    (#"{"info":{}}"#, "Ann 31 1.5"), (#"{"score":null}"#, "Ann 31 0.0"),
    (#"{"name":"Bob","name":"Cid"}"#, "Cid 31 1.5"),
  ])
  func `an update writes only what the document has`(document: String, expected: String) throws {
    var value = Person(name: "Ann", age: 31, id: 7)
    try Mapper(person).update(&value, from: document.utf8)
    #expect("\(value.name) \(value.age.map { "\($0)" } ?? "nil") \(value.score)" == expected)
    #expect(value.id == 7)
  }

  @Test(arguments: [
    #"{"name":"Bob","score":11}"#, #"{"name":"Bob","info":{"age":"x"}}"#, #"{"name":null}"#,
    #"{"name":"Bob","info":7}"#, "[]", #"{"name":"Bob","#,
  ])
  func `an update that fails writes nothing`(document: String) throws {
    var value = Person(name: "Ann", age: 31, id: 7)
    let mapper = try Mapper(person)
    #expect(throws: MappingError.self) { try mapper.update(&value, from: document.utf8) }
    #expect(value == Person(name: "Ann", age: 31, id: 7))
  }

  @Test func `a null keeps the value or fails, as asked`() throws {
    let mapper = try Mapper(person)
    var value = Person(name: "Ann", age: 31, id: 7)
    try mapper.update(&value, from: #"{"name":null,"info":{"age":null}}"#.utf8, onNull: .keep)
    #expect(value == Person(name: "Ann", age: 31, id: 7))
    #expect(throws: MappingError.self) {
      try mapper.update(&value, from: #"{"info":{"age":null}}"#.utf8, onNull: .fail)
    }
  }

  @Test func `a nested object is replaced by default`() throws {
    var customer = Customer()
    let home = customer.home
    home.street = "Side"
    try Mapper(Customer.replaced).update(&customer, from: #"{"home":{"city":"Rome"}}"#.utf8)
    #expect(customer.home !== home && customer.home.city == "Rome")
    #expect(customer.home.street == nil && home.city == "Bern")
  }

  @Test func `a nested object is updated inside where asked`() throws {
    var customer = Customer()
    let home = customer.home
    let mapper = try Mapper(Customer.updated)
    try mapper.update(&customer, from: #"{"home":{"city":"Rome"}}"#.utf8)
    #expect(customer.home === home && home.city == "Rome" && home.street == "Main")
    // There is none to update: one is made, if all is there that it needs.
    #expect(throws: MappingError.self) {
      try mapper.update(&customer, from: #"{"home":{"city":"Oslo"},"work":{"street":"x"}}"#.utf8)
    }
    #expect(home.city == "Rome" && customer.work == nil)
    try mapper.update(&customer, from: #"{"work":{"city":"Oslo"}}"#.utf8)
    let work = try #require(customer.work)
    try mapper.update(&customer, from: #"{"work":{"street":"y"}}"#.utf8)
    #expect(customer.work === work && work.city == "Oslo" && work.street == "y")
    try mapper.update(&customer, from: #"{"work":null}"#.utf8)
    #expect(customer.work == nil)
  }

  @Test func `a class stays the same instance in an update`() throws {
    var address = Address()
    let same = address
    try Mapper(Address.self).update(&address, from: #"{"city":"Rome","street":null}"#.utf8)
    #expect(address === same && same.city == "Rome" && same.street == nil)
  }

  @Test func `a rule on the whole holds for an update`() throws {
    let mapping = person.validated(
      Rule("adult", expecting: "an age above 17") { ($0.age ?? 18) > 17 })
    let mapper = try Mapper(mapping)
    var value = Person(name: "Ann", age: 31, id: 7)
    #expect(throws: MappingError.self) {
      try mapper.update(&value, from: #"{"info":{"age":3}}"#.utf8)
    }
    #expect(value.age == 31)
  }

  private final class Range {
    var low = 1
    var high = 9
    var inner: Range?
    /// How often a property was written.
    static let mapping: Mapping<Range> = .recursive { range in
      Mapping.object(Range.self) { field in
        field.make(
          creating: Range.init, field("low", \.low), field("high", \.high),
          field("inner", \.inner, range).mergingUpdates()
        )
      }.validated(Rule("order", expecting: "low below high") { $0.low < $0.high })
    }
  }

  /// Rules that compare properties are asked about the changed object; where one is broken, all is put back, in objects of
  /// classes and in those inside, too.
  @Test func `a broken rule puts everything back`() throws {
    let mapper = try Mapper(Range.mapping)
    var range = Range()
    let (same, inner) = (range, Range())
    range.inner = inner
    let outside = #expect(throws: MappingError.self) {
      try mapper.update(&range, from: #"{"low":10,"inner":{"low":2}}"#.utf8)
    }
    #expect(
      outside?.description == """
        fatal validationFailed at $ (record 1, line 1, column 1, bytes 0..<28): expected low below \
        high
        """)
    let inside = #expect(throws: MappingError.self) {
      try mapper.update(&range, from: #"{"low":2, "inner":{"high":0}}"#.utf8)
    }
    #expect(inside?.path.description == "$.inner" && inside?.position?.bytes == 18..<28)
    let both = #expect(throws: MappingError.self) {
      try mapper.update(&range, from: #"{"low":9,"inner":{"high":0}}"#.utf8)
    }
    #expect(both?.underlying.count == 2)
    #expect(range === same && range.inner === inner)
    #expect([range.low, range.high, inner.low, inner.high] == [1, 9, 1, 9])

    range.inner = nil
    let made = #expect(throws: MappingError.self) {
      try mapper.update(&range, from: #"{"inner":{"low":9,"high":8}}"#.utf8)
    }
    #expect(made != nil && range.inner == nil)
    try mapper.update(&range, from: #"{"low":20,"high":30}"#.utf8)
    #expect(range === same && range.low == 20)
  }

  @Test func `a member missing inside is reported at its object`() throws {
    struct Holder { var home: Inner? }
    struct Inner { var a = 0, b = 0 }
    let mapper = try Mapper(
      Mapping.object(Holder.self) { field in
        field.make(
          creating: { Holder() },
          field(
            "home", \.home,
            Mapping.object(Inner.self) { field in
              field.make(creating: { Inner() }, field("a", \.a), field("b", \.b))
            }
          )
          .mergingUpdates())
      })
    var holder = Holder()
    let error = #expect(throws: MappingError.self) {
      try mapper.update(&holder, from: #"{"home":{"a":1}}"#.utf8)
    }
    #expect(error?.code == .missing && error?.path.description == "$.home")
  }

  @Test func `an update of what cannot be written is an error`() throws {
    struct Fixed { let name: String }
    var value = Fixed(name: "Ann")
    let mapper = try Mapper(
      Mapping.object(Fixed.self) { field in field.make(Fixed.init, field("name", \.name)) })
    #expect(throws: MappingError.self) { try mapper.update(&value, from: "{}".utf8) }
    struct Holder { var home = Address() }
    var holder = Holder()
    let defaulted = Mapping.object(Holder.self) { field in
      field.make(
        creating: { Holder() },
        field("home", \.home, Address.mapping.default(Address())).mergingUpdates())
    }
    #expect(throws: MappingError.self) {
      try Mapper(defaulted).update(&holder, from: #"{"home":null}"#.utf8)
    }
    var number = 7
    #expect(throws: MappingError.self) {
      try Mapper(Mapping<Int>.int).update(&number, from: "8".utf8)
    }
  }
}
