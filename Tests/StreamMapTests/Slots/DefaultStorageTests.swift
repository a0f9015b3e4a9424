import StreamMap
import Testing

@testable import StreamMapTestSupport

/// A default of an Optional takes no more than its own slot.
@Suite struct DefaultStorageTests {
  struct Bytes: Equatable {
    let first: UInt8?
    let second: UInt8
  }

  @Test(arguments: [
    Mapping<UInt8?>.nullable(.uint8).default(3), Mapping<UInt8?>.declared.default(3),
    Mapping<UInt8?>.nullable(.uint8).default(3, when: .failing).default(3),
  ])
  func `a default of an Optional leaves its neighbour untouched`(_ first: Mapping<UInt8?>) throws {
    let bytes = Mapping.object(Bytes.self) { field in
      field.make(Bytes.init, field("first", \.first, first), field("second", \.second))
    }
    #expect(
      try Mapper(bytes).decode(#"{"second":7}"#.utf8).get() == Bytes(first: 3, second: 7))
    #expect(
      try Mapper(bytes).decode(#"{"second":7,"first":4}"#.utf8).get()
        == Bytes(first: 4, second: 7))
  }
}
