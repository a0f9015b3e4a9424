import Foundation
import StreamMapFoundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What a conversion made of a value, or how it failed.
func outcome<Source, Target>(_ conversion: Conversion<Source, Target>, _ source: Source) -> Result<
  Target, ConversionFailure
> {
  do {
    return .success(try conversion.forward(source))
  } catch let failure as ConversionFailure {
    return .failure(failure)
  } catch {
    return .failure(ConversionFailure(expected: "\(error)", code: .conversionFailed))
  }
}

extension Conversion {
  /// The value, or nil if the conversion fails.
  func value(_ source: Source) -> Target? { try? forward(source) }

  /// The way back; nil if there is none, or it fails.
  func back(_ target: Target) -> Source? { try? reverse?(target) }
}

@Suite struct ConversionTests {
  enum Status: Hashable { case active, deleted }

  @Test func `identity returns its value and reversing swaps the directions`() throws {
    let identity: Conversion<Int, Int> = .identity
    #expect(identity.value(5) == 5)
    #expect(identity.back(5) == 5)

    let not = Conversion<Bool, Bool>("not", { !$0 }, reverse: { !$0 })
    #expect(not.value(true) == false)
    #expect(not.back(false) == true)
    #expect(not.reversed.value(true) == false)

    let text = Conversion<String, Int>.number.reversed
    #expect(text.value(-7) == "-7")
    #expect(text.back("12") == 12)
    #expect(text.reversed.value("12") == 12)
    #expect(text.mistake == nil)
  }

  @Test func `a one-way conversion has no way back and cannot be reversed`() {
    let description: Conversion<Int, String> = .description
    #expect(description.value(1) == "1")
    #expect(description.reverse == nil)
    #expect(description.mistake == nil)
    let reversed = description.reversed
    #expect(reversed.mistake == "'description' is one way and cannot be reversed")
    #expect(reversed.value("1") == nil)
    #expect(reversed.back(1) == "1")
    #expect(description.then(Conversion<String, Int>.number).reverse == nil)
    #expect(Conversion<String, Int>.number.then(description).reverse == nil)
  }

  @Test func `chained conversions run in order, back in reverse, and keep mistakes`() {
    let date = Conversion<String, Int>.number.then(.date(since1970: .seconds))
    #expect(date.value("86400") == Date(timeIntervalSince1970: 86400))
    #expect(date.back(Date(timeIntervalSince1970: 60)) == "60")
    #expect(date.name == "number, then date in seconds since 1970")
    let broken = Conversion<String, Int>("x", mistake: "no good")
    #expect(broken.then(.date(since1970: .seconds)).mistake == "no good")
    #expect(Conversion<String, String>.identity.then(broken).mistake == "no good")
    #expect(broken.reversed.mistake == "no good")
    #expect(broken.value("1") == nil)
  }

  @Test func `a failure names what was expected, and foreign errors pass through`() {
    struct Refused: Error {}
    let own = Conversion<Int, Int>("own", { _ in throw ConversionFailure(expected: "less") })
    #expect(outcome(own, 1) == .failure(ConversionFailure(expected: "less")))
    #expect(ConversionFailure(expected: "less").description == "expected less")
    #expect(throws: Refused.self) {
      try Conversion<Int, Int>("own") { _ in throw Refused() }.forward(1)
    }
  }

  @Test func `a table maps both ways and names its entries on failure`() {
    let table: Conversion<String, Status> = .table(["A": .active, "D": .deleted])
    #expect(table.mistake == nil)
    #expect(table.value("A") == .active)
    #expect(table.back(.deleted) == "D")
    #expect(
      outcome(table, "x") == .failure(ConversionFailure(expected: "one of 'A', 'D'")))
    // Numbers as keys, and back a value that the table lacks.
    let names: Conversion<Int, String> = .table([0: "Unknown", 1: "Male", 2: "Female"])
    #expect(names.value(2) == "Female")
    #expect(names.value(3) == nil)
    #expect(names.back("Male") == 1)
    #expect(
      outcome(names.reversed, "Other")
        == .failure(ConversionFailure(expected: "one of 'Unknown', 'Male', 'Female'")))
    let one: Conversion<String, Int> = .table(["x": 1])
    #expect(outcome(one, "") == .failure(ConversionFailure(expected: "'x'")))
  }

  @Test func `a table that is empty or not one-to-one is a mistake`() {
    let twice: Conversion<String, Int> = .table(["a": 1, "b": 2, "a": 3])
    #expect(twice.mistake == "the table has 'a' twice; list each value once")
    let joined: Conversion<String, Int> = .table(["a": 1, "b": 2, "c": 1])
    #expect(
      joined.mistake
        == "the table maps both 'a' and 'c' to 1, so it cannot be reversed; list each value once"
    )
    let empty: Conversion<String, Int> = .table([:])
    #expect(empty.mistake == "the table is empty")
    let long: Conversion<Int, Int> = .table(pairs: (0..<1000).map { ($0, -$0) })
    #expect(long.mistake == nil)
    guard case .failure(let failure) = outcome(long, 1000) else { return #expect(Bool(false)) }
    #expect(failure.expected.hasSuffix("18, 19 and 980 more"))
  }

  @Test func `booleans come only from 0, 1 and the words for them`() {
    let number: Conversion<Int, Bool> = .boolFromNumber
    #expect([0, 1, 2, -1, .min].map(number.value) == [false, true, nil, nil, nil])
    #expect(number.back(true) == 1)
    let unsigned: Conversion<UInt8, Bool> = .boolFromNumber
    #expect(unsigned.back(false) == 0)
    let text: Conversion<String, Bool> = .boolFromString
    for yes in ["true", "1", "yes", "TRUE", "Yes"] { #expect(text.value(yes) == true) }
    for no in ["false", "0", "no", "False", "NO"] { #expect(text.value(no) == false) }
    for other in ["", " true", "true ", "y", "on", "2", "１", "ｔｒｕｅ", "tru\u{435}", "truе", "-0"] {
      #expect(text.value(other) == nil)
    }
    #expect(text.back(true) == "true")
    #expect(text.back(false) == "false")
  }

  @Test func `Foundation's styles, strategies and formatters work as conversions`() throws {
    let iso = Date.ISO8601FormatStyle().year().month().day()
    let day = Conversion<String, Date>(parse: iso.parseStrategy, format: iso)
    #expect(day.value("2014-04-01") == Date(timeIntervalSince1970: 1_396_310_400))
    #expect(day.back(Date(timeIntervalSince1970: 1_396_310_400)) == "2014-04-01")
    #expect(throws: (any Error).self) { try day.forward("nonsense") }
    let both = Conversion<String, Date>(iso)
    #expect(both.value("2014-04-01") == day.value("2014-04-01"))

    let spelled = NumberFormatter()
    spelled.locale = Locale(identifier: "de_DE")
    spelled.numberStyle = .decimal
    let number = Conversion<String, Double>(formatter: spelled)
    #expect(number.value("1.234,5") == 1234.5)
    #expect(number.value("nonsense") == nil)
    #expect(number.back(1234.5) == "1.234,5")

    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "d. MMMM yyyy"
    let date = Conversion<String, Date>(formatter: formatter)
    #expect(date.value("1. April 2014") == Date(timeIntervalSince1970: 1_396_310_400))
    #expect(
      outcome(date, "x")
        == .failure(ConversionFailure(expected: "a text that DateFormatter can read")))

    // What the author's own parser throws stays.
    struct NoCheese: Error {}
    let cheese = Conversion<String, Int>(formatter: NumberFormatter()) { _, _ in throw NoCheese() }
    #expect(throws: NoCheese.self) { try cheese.forward("Lo") }
  }
}
