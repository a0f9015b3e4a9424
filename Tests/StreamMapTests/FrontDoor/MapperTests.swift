import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// One document, from bytes of any kind; and one mapper on many threads.
@Suite struct MapperTests {
  struct Item: Equatable, Sendable {
    let id: Int
    let tags: [String]
    let child: [Item]?
  }

  static let item: Mapping<Item> = .recursive { item in
    Mapping.object(Item.self) { field in
      field.make(
        Item.init, field("id", \.id), field("tags", \.tags),
        field("child", \.child, .array(of: item))
      )
    }
  }

  static let text = #"{"tags":["é","\n"],"child":[{"id":2,"tags":[]}],"id":1}"#
  static let value = Item(id: 1, tags: ["é", "\n"], child: [Item(id: 2, tags: [], child: nil)])

  @Test func `bytes of any collection decode to the same value`() throws {
    let mapper = try Mapper(Self.item)
    let bytes = Array(Self.text.utf8)
    #expect(try mapper.decode(Self.text.utf8).get() == Self.value)
    #expect(try mapper.decode(bytes).get() == Self.value)
    #expect(try mapper.decode(bytes[...]).get() == Self.value)
    #expect(try mapper.decode(Data(bytes)).get() == Self.value)
    #expect(try mapper.decode(([0, 0] + bytes).dropFirst(2)).get() == Self.value)
    #expect(try mapper.decode(bytes.lazy.map { $0 }).get() == Self.value)
    #expect(try mapper.decode([0xEF, 0xBB, 0xBF] + bytes).get() == Self.value)
    #expect(try mapper.decode((Self.text as NSString as String).utf8).get() == Self.value)
  }

  @Test func `an empty document fails as truncated`() throws {
    let record = try Mapper(Self.item).decode([UInt8]())
    #expect(record.error?.code == .truncated)
    #expect(record.value == nil)
    #expect(throws: MappingError.self) { try record.get() }
  }

  /// A mapper is used again and again, whatever came of the documents before.
  @Test func `a mapper decodes correctly after any failed document`() throws {
    let mapper = try Mapper(Self.item)
    for length in 0...Self.text.utf8.count {
      #expect(
        (mapper.decode(Self.text.utf8.prefix(length)).value != nil)
          == (length == Self.text.utf8.count))
      #expect(mapper.decode(Self.text.utf8).value == Self.value)
      #expect(mapper.decode("\(Self.text) x".utf8).value == nil)
      #expect(mapper.decode([0xFF, 0xFE, 0, 0]).error?.code == .invalidUTF8)
    }
  }

  @Test func `one mapper decodes and encodes on many threads`() async throws {
    let mapper = try Mapper(Self.item)
    await withTaskGroup(of: Int.self) { group in
      for worker in 0..<16 {
        group.addTask {
          var right = 0
          for round in 0..<200 {
            let id = worker * 1000 + round
            let tags = (0..<round % 7).map { "\"tag\($0)\"" }.joined(separator: ",")
            let text =
              #"{"x":[{}],"tags":[\#(tags)],"id":\#(id),"child":[{"id":\#(round),"tags":["t"]}]}"#
            let value = mapper.decode(text.utf8).value
            let bad = mapper.decode(#"{"id":\#(id).5,"tags":[\#(round)]}"#.utf8).error
            let isRight =
              value?.id == id && value?.tags.count == round % 7 && value?.child?.first?.id == round
              && bad?.underlying.count == 2
            let encoded = value.flatMap { try? mapper.encode($0) }
            if isRight, encoded.map({ mapper.decode($0).value == value }) == true { right += 1 }
          }
          return right
        }
      }
      for await right in group { #expect(right == 200) }
    }
  }

  /// Engines within engines: a conversion that decodes by the same mapper.
  @Test func `a conversion can decode by a mapper of its own`() throws {
    let inner = try Mapper(Self.item)
    let outer: Mapping<[Item]> = .array(
      of: .converted(
        from: .raw, { try inner.decode($0.bytes).get() },
        reverse: { RawJSON(unchecked: try inner.encode($0)) }))
    let mapper = try Mapper(outer)
    #expect(
      try mapper.decode("[\(Self.text),\(Self.text)]".utf8).get() == [Self.value, Self.value])
    #expect(mapper.decode("[{}]".utf8).error?.code == .conversionFailed)
  }

  @Test func `an output mapping cannot encode`() throws {
    let mapper = try Mapper(output: .raw)
    let value = try mapper.decode("[1]".utf8).get()
    let error = #expect(throws: MappingError.self) { try mapper.encode(value) }
    #expect(error?.code == .invalidDefinition)
  }
}
