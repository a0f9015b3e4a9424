import Foundation
import StreamMapMacros
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Mappable public enum PublicLevel: Int {
  case low = 1
  case high
}

@Mappable(keys: .snakeCase)
private enum Status: Equatable {
  case inProgress, `default`
  @Key("all done") case done
}

@Mappable(keys: .custom { $0.uppercased() }) private enum Loud { case yes, no }

@Mappable(keys: .custom { String($0.prefix(1)) }) private enum Ambiguous { case able, about }

@Mappable(
  keys: .snakeCase, discriminator: "meta.type", types: [.of(Date.self, .date(since1970: .seconds))])
private indirect enum Shape: Equatable {
  case fullCircle(radius: Double)
  case box(maxWidth: Int, height: Int?, tags: [String] = ["x"])
  case label(Label)
  case time(Stamp)
  case at(date: Date, other: Shape?)
  case `repeat`(of: [Shape])
  @Key("nothing") case empty
}

@Mappable private struct Label: Equatable { let text: String }
@Mappable private struct Stamp: Equatable { let hour: Int }

@Mappable(discriminator: .key("is.ok"))
private enum Answer<Value: Equatable>: Equatable {
  case `true`(value: Value)
  case `false`
}

@Suite struct MappableEnumTests {
  @Test func `an enum with raw values maps by them`() throws {
    #expect(try roundTrip("[1,2]") as [PublicLevel] == [.low, .high])
    #expect(try findings([PublicLevel].self, "[3]") == ["fatal invalidValue $[0]"])
  }

  @Test func `an enum without raw values maps by case names`() throws {
    #expect(
      try roundTrip(#"["in_progress","default","all done"]"#) as [Status] == [
        .inProgress, .default, .done,
      ])
    let error = try #require(try Mapper(Status.self).decode(#""done""#.utf8).error)
    #expect(error.expected == "one of 'in_progress', 'default', 'all done'")
    #expect(try roundTrip(#"["NO","YES"]"#) as [Loud] == [.no, .yes])
    #expect(throws: DefinitionError.self) { try Mapper(Ambiguous.self) }
  }

  @Test func `an enum with associated values maps by its discriminator`() throws {
    let text =
      #"[{"meta":{"type":"full_circle"},"radius":2.5},{"meta":{"type":"box"},"max_width":1,"tags":["x"]},{"meta":{"type":"label"},"text":"t"},{"meta":{"type":"time"},"hour":9},{"meta":{"type":"at"},"date":5,"other":{"meta":{"type":"nothing"}}},{"meta":{"type":"repeat"},"of":[{"meta":{"type":"nothing"}}]},{"meta":{"type":"nothing"}}]"#
    let shapes: [Shape] = try roundTrip(text)
    #expect(
      shapes == [
        .fullCircle(radius: 2.5), .box(maxWidth: 1, height: nil, tags: ["x"]),
        .label(Label(text: "t")), .time(Stamp(hour: 9)),
        .at(date: Date(timeIntervalSince1970: 5), other: .empty), .repeat(of: [.empty]), .empty,
      ])
    let late = #"[{"height":2,"max_width":1,"meta":{"type":"box"}}]"#
    #expect(
      try Mapper([Shape].self).decode(late.utf8).get() == [
        .box(maxWidth: 1, height: 2, tags: ["x"])
      ])
    #expect(
      try findings(
        [Shape].self, #"[{"meta":{"type":"box"},"max_width":"x"},{"meta":{"type":"cube"}}]"#
      )
      .count == 2)
  }

  @Test func `a generic enum maps by its discriminator`() throws {
    #expect(
      try roundTrip(#"[{"is.ok":"true","value":1},{"is.ok":"false"}]"#) as [Answer<Int>] == [
        .true(value: 1), .false,
      ])
  }
}
