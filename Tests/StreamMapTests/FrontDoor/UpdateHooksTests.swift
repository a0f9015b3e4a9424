import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Refused: Error {}

private struct Order: Equatable {
  var total = 1
  var tax = 1
  var lines = ["a"]
}

private final class Account {
  var name = "Ann"
  var seen = 0
}

/// Functions of the mapping's author around the whole value, in updates.
@Suite struct UpdateHooksTests {
  private let order = Mapping.object(Order.self) { field in
    field.make(
      creating: { Order() }, field("total", \.total), field("tax", \.tax), field("lines", \.lines))
  }

  @Test func `a pre-transformed mapping can update a value`() throws {
    let mapper = try Mapper(
      Mapping.preTransformed(order) { json in
        var json = json
        json["total"] = json["sum"] ?? json["total"]
        return json
      })
    var value = Order()
    try mapper.update(&value, from: #"{"sum":7}"#.utf8)
    #expect(value == Order(total: 7))
    try mapper.update(&value, from: #"{"tax":2}"#.utf8)
    #expect(value == Order(total: 7, tax: 2))
    let error = #expect(throws: MappingError.self) {
      try mapper.update(&value, from: #"{"tax":3,"sum":"x"}"#.utf8)
    }
    #expect(error?.code == .wrongType && error?.path.description == "$.total")
    #expect(value == Order(total: 7, tax: 2))
  }

  @Test func `a post-processed mapping can update a value`() throws {
    let mapper = try Mapper(
      order.postProcessed { json, order in
        guard json["refuse"] == nil else { throw Refused() }
        var order = order
        order.total += order.tax
        return order
      })
    var value = Order(total: 10, tax: 2)
    try mapper.update(&value, from: #"{"tax":5}"#.utf8)
    #expect(value == Order(total: 15, tax: 5))
    let error = #expect(throws: MappingError.self) {
      try mapper.update(&value, from: #"{"lines":[],"refuse":1}"#.utf8)
    }
    #expect(error?.code == .conversionFailed && error?.underlying.first is Refused)
    #expect(error?.position?.bytes == 0..<23 && value == Order(total: 15, tax: 5))
    #expect(throws: MappingError.self) { try mapper.update(&value, from: #"{"tax":"x"}"#.utf8) }
  }

  /// A function sees nothing that breaks rules before it; those after it are asked about what it gives.
  @Test func `rules before and after a function are kept`() throws {
    let positive = Rule<Order>("positive", expecting: "a tax above 0") { $0.tax > 0 }
    let small = Rule<Order>("small", expecting: "a total below 100") { $0.total < 100 }
    let mapper = try Mapper(
      order.validated(positive).postProcessed { _, order in
        #expect(order.tax > 0)
        var order = order
        order.total *= order.tax
        return order
      }.validated(small))
    var value = Order(total: 30, tax: 2)
    let before = #expect(throws: MappingError.self) {
      try mapper.update(&value, from: #"{"tax":0}"#.utf8)
    }
    #expect(before?.rule == "positive")
    let behind = #expect(throws: MappingError.self) {
      try mapper.update(&value, from: #"{"tax":9}"#.utf8)
    }
    #expect(behind?.rule == "small" && value == Order(total: 30, tax: 2))
    try mapper.update(&value, from: #"{"tax":3}"#.utf8)
    #expect(value == Order(total: 90, tax: 3))
  }

  @Test func `an instance updated through functions stays the same one`() throws {
    let account = Mapping.object(Account.self) { field in
      field.make(creating: { Account() }, field("name", \.name))
    }.postProcessed {
      json, account in
      if account.name.isEmpty { throw ConversionFailure(expected: "a name") }
      account.seen += 1
      return account
    }
    let mapper = try Mapper(.preTransformed(account) { $0["account"] ?? $0 })
    var value = Account()
    let same = value
    try mapper.update(&value, from: #"{"account":{"name":"Bob"}}"#.utf8)
    #expect(value === same && value.name == "Bob" && value.seen == 1)
    let error = #expect(throws: MappingError.self) {
      try mapper.update(&value, from: #"{"name":""}"#.utf8)
    }
    #expect(error?.code == .invalidValue && error?.expected == "a name")
    #expect(value === same && value.name == "Bob" && value.seen == 1)
  }

  /// What a property holds goes through its own functions, be it changed or made.
  @Test func `functions of a nested mapping run in an update`() throws {
    struct Holder {
      var order = Order()
      var maybe: Order?
    }
    let doubled = order.postProcessed { _, order in
      if order.tax < 0 { throw Refused() }
      var order = order
      order.total *= 2
      return order
    }
    let mapper = try Mapper(
      Mapping.object(Holder.self) { field in
        field.make(
          creating: { Holder() }, field("order", \.order, doubled).mergingUpdates(),
          field("maybe", \.maybe, .preTransformed(doubled) { $0["it"] ?? $0 }).mergingUpdates())
      })
    var holder = Holder()
    try mapper.update(&holder, from: #"{"order":{"total":4}}"#.utf8)
    #expect(holder.order == Order(total: 8))
    try mapper.update(&holder, from: #"{"maybe":{"it":{"total":1,"tax":2,"lines":[]}}}"#.utf8)
    #expect(holder.maybe == Order(total: 2, tax: 2, lines: []))
    #expect(throws: MappingError.self) {
      try mapper.update(&holder, from: #"{"order":{"total":5},"maybe":{"tax":-1}}"#.utf8)
    }
    #expect(holder.order == Order(total: 8) && holder.maybe == Order(total: 2, tax: 2, lines: []))
    try mapper.update(&holder, from: #"{"maybe":null}"#.utf8)
    #expect(holder.maybe == nil)
    #expect(throws: MappingError.self) {
      try mapper.update(&holder, from: #"{"maybe":{"total":1}}"#.utf8)
    }
  }

  /// Reports what it is given, changes the value, and throws if it is told to.
  private func reporting(_ mapping: Mapping<Order>) -> Mapping<Order> {
    mapping.postProcessed { json, order, issues in
      for line in order.lines { issues.report(ConversionFailure(expected: "no \(line)")) }
      if json["refuse"] != nil { throw Refused() }
      var order = order
      order.total += 1
      return order
    }
  }

  @Test func `what a function reports is returned, and the update is done`() throws {
    let mapper = try Mapper(reporting(order))
    var value = Order(total: 1)
    let issues = try mapper.update(&value, from: #" {"total":5,"lines":["b","c"]}"#.utf8)
    #expect(value == Order(total: 6, lines: ["b", "c"]))
    #expect(issues.map(\.message) == ["b", "c"].map { "expected no \($0), found another object" })
    for issue in issues {
      #expect(issue.severity == .issue && issue.code == .invalidValue && issue.record == 1)
      #expect(issue.path == JSONPath() && issue.position?.bytes == 1..<30)
    }
  }

  @Test func `issues of the document come before those that functions report`() throws {
    struct Holder {
      var order = Order()
      var maybe: Order?
      var note = "-"
    }
    let reporting = reporting(order)
    let mapper = try Mapper(
      Mapping.object(Holder.self) { field in
        field.make(
          creating: { Holder() }, field("order", \.order, reporting).mergingUpdates(),
          field("maybe", \.maybe, reporting).mergingUpdates(),
          field("note", \.note, .string.default("?", when: .missingOrInvalid)))
      }.postProcessed { _, holder, issues in
        issues.report(Refused())
        return holder
      })
    var holder = Holder(maybe: Order())
    let issues = try mapper.update(
      &holder,
      from: #"{"maybe":{"total":2,"lines":["c"]},"order":{"lines":["b"]},"note":1}"#.utf8)
    #expect(
      issues.map { "\($0.code) \($0.path) \($0.target?.description ?? "")" } == [
        "wrongType $.note $.note", "invalidValue $.order $.order", "invalidValue $.maybe $.maybe",
        "conversionFailed $ $",
      ])
    #expect(issues[1].position?.bytes == 43..<58)
    #expect(holder.order == Order(total: 2, lines: ["b"]) && holder.note == "?")
    #expect(holder.maybe == Order(total: 3, lines: ["c"]))
  }

  @Test func `a report does not keep the next function or rule from running`() throws {
    let small = Rule<Order>("small", expecting: "a total below 10") { $0.total < 10 }
    let mapper = try Mapper(reporting(reporting(order)).validated(small))
    var value = Order(total: 1)
    #expect(try mapper.update(&value, from: #"{"total":3}"#.utf8).count == 2)
    #expect(value.total == 5)
    let error = #expect(throws: MappingError.self) {
      try mapper.update(&value, from: #"{"total":8}"#.utf8)
    }
    #expect(error?.code == .validationFailed && error?.rule == "small")
    #expect(value.total == 5)
  }

  @Test func `a function that reports and throws fails the update, and nothing is written`() throws
  {
    let mapper = try Mapper(reporting(order))
    var value = Order(total: 1)
    let error = #expect(throws: MappingError.self) {
      try mapper.update(&value, from: #"{"total":5,"refuse":true}"#.utf8)
    }
    #expect(error?.code == .conversionFailed && error?.underlying.first is Refused)
    #expect(value == Order(total: 1))
  }

  @Test func `no more issues are returned than the limit keeps`() throws {
    var limits = Limits()
    limits.errorsPerRecord = 3
    let mapper = try Mapper(reporting(order), limits: limits)
    var value = Order()
    let issues = try mapper.update(&value, from: #"{"lines":["a","b","c","d","e"]}"#.utf8)
    #expect(issues.map(\.expected) == ["no a", "no b", "no c"])
  }

  /// What stands in for a whole value is nothing that an update could write.
  @Test func `a whole value has no default in updates`() throws {
    var value = Order(total: 3)
    let lenient = try Mapper(order.default(Order()).default(Order(), when: .missingOrInvalid))
    #expect(throws: MappingError.self) { try lenient.update(&value, from: "null".utf8) }
    #expect(throws: MappingError.self) {
      try lenient.update(&value, from: #"{"total":"x"}"#.utf8)
    }
    #expect(value == Order(total: 3))
    try lenient.update(&value, from: #"{"total":4}"#.utf8)
    #expect(value == Order(total: 4))

    var maybe: Order? = Order()
    let nullable = try Mapper(Mapping<Order?>.nullable(order))
    let error = #expect(throws: MappingError.self) {
      try nullable.update(&maybe, from: #"{"total":4}"#.utf8)
    }
    #expect(error?.code == .invalidDefinition && maybe == Order())
  }

  /// Null for the whole does what it does for a property, but there is nothing that it could clear.
  @Test func `null for the whole value is ignored or an error`() throws {
    var value = Order(total: 3)
    let mapper = try Mapper(order)
    try mapper.update(&value, from: "null".utf8, onNull: .keep)
    #expect(value == Order(total: 3))
    for null in [NullUpdate.clear, .fail] {
      let error = #expect(throws: MappingError.self) {
        try mapper.update(&value, from: "null".utf8, onNull: null)
      }
      #expect(error?.code == .null)
    }
  }
}
