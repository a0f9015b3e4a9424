import Foundation
import StreamMapMacros
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Mappable
private final class Account: Equatable {
  let id: Int
  private(set) var owner: Owner?
  @Unmapped weak var parent: Account?
  init(number: Int) { id = number }

  @Mappable final class Owner {
    let name: String
    let accounts: [Account]
  }

  static func == (a: Account, b: Account) -> Bool {
    a.id == b.id && a.owner?.name == b.owner?.name
      && a.owner?.accounts == b.owner?.accounts
  }
}

/// Made by its `init()`, which stays.
@Mappable(keys: .kebabCase)
private final class Settings: Equatable {
  var theme = "light"
  var fontSize = 12 { didSet { changes += 1 } }
  var note: String?
  @Unmapped private(set) var changes = 0
  convenience init(theme: String) {
    self.init()
    self.theme = theme
  }
  static func == (a: Settings, b: Settings) -> Bool {
    (a.theme, a.fontSize, a.note) == (b.theme, b.fontSize, b.note)
  }
}

private class Base {
  let created: Int
  var tag = "base"
  init() { created = 1 }
}

@Mappable(only: ["value"])
private final class Derived: Base, Equatable {
  let value: Int
  init(value: Int) { self.value = value }
  static func == (a: Derived, b: Derived) -> Bool { (a.value, a.tag) == (b.value, b.tag) }
}

@Mappable(only: ["value"])
private final class DerivedWithDefaults: Base, Equatable {
  var value = 0
  static func == (a: DerivedWithDefaults, b: DerivedWithDefaults) -> Bool { a.value == b.value }
}

@Mappable
private struct Basket: Equatable {
  @Merged(by: \Account.id) var accounts: [Account]
  @Merged(by: \Settings.theme) var settings: [Settings]?
}

@Suite struct MappableClassTests {
  @Test func `an update finds the elements of merged arrays`() throws {
    let mapper = try Mapper(Basket.self)
    var basket = try mapper.decode(#"{"accounts":[{"id":1},{"id":2}]}"#).get()
    let first = basket.accounts[0]
    try mapper.update(
      &basket,
      from:
        #"{"accounts":[{"id":3},{"id":1,"owner":{"name":"Ann","accounts":[]}}],"settings":[{"theme":"dark"}]}"#
    )
    #expect(basket.accounts.map(\.id) == [1, 2, 3] && basket.accounts[0] === first)
    #expect(first.owner?.name == "Ann" && basket.settings == [Settings(theme: "dark")])
  }

  @Test func `constants of a class are set by its mapping`() throws {
    let account: Account = try roundTrip(
      #"{"id":1,"owner":{"name":"Ann","accounts":[{"id":2}]}}"#)
    #expect(account.owner?.accounts.map(\.id) == [2])
    #expect(Account(number: 3).id == 3)
  }

  @Test func `a class with defaults is mapped and keeps its initializers`() throws {
    let settings: Settings = try roundTrip(
      #"{"font-size":14}"#, encoded: #"{"theme":"light","font-size":14}"#)
    #expect(settings.fontSize == 14)
    #expect(Settings().fontSize == 12)
    #expect(Settings(theme: "dark").theme == "dark")
  }

  @Test func `a superclass is made by its init`() throws {
    let derived: Derived = try roundTrip(#"{"value":7,"tag":"x"}"#, encoded: #"{"value":7}"#)
    #expect(derived.tag == "base")
    #expect(derived.created == 1)
    let other: DerivedWithDefaults = try roundTrip(#"{"value":7}"#)
    #expect(other.created == 1)
    #expect(DerivedWithDefaults().value == 0)
  }
}
