import Foundation
import Testing

@testable import StreamMap

/// Feeds that are pulled, from memory, files and descriptors.
@Suite struct RecordSequenceTests {
  struct Item: Equatable {
    let n: Int
  }

  static let item = Mapping.object(Item.self) { field in field.make(Item.init, field("n", \.n)) }

  private func lines(_ count: Int) -> [UInt8] {
    Array((0..<count).map { "{\"x\":[\"é\",{}],\"n\":\($0)}\n" }.joined().utf8)
  }

  private func withFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws
    -> Result
  {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString).ndjson")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(url.path)
  }

  @Test func `records of bytes in memory come in order`() throws {
    let mapper = try Mapper(Self.item)
    let values = try mapper.records(in: Feed(lines(50_000))).map { try $0.get().n }
    #expect(values == Array(0..<50_000))
  }

  @Test func `records of a file come in order`() throws {
    let mapper = try Mapper(Self.item)
    try withFile(lines(20_000)) { path in
      let iterator = try mapper.records(in: Feed(.file(path), format: .ndjson))
      var count = 0
      while let record = iterator.next() {
        #expect(record.number == count + 1)
        #expect(record.value == Item(n: count))
        count += 1
      }
      #expect(count == 20_000)
      #expect(iterator.offset == lines(20_000).count)
      #expect(iterator.next() == nil)
    }
  }

  @Test func `paths in a file select records, and unseen ones are known`() throws {
    let mapper = try Mapper(Self.item)
    try withFile(Array(#"{"a":{"l":[{"n":1},{"n":"x"},{"n":3}]},"b":[]}"#.utf8)) { path in
      let iterator = try mapper.records(in: Feed(.file(path), at: ["$.a.l[*]", "$.c[*]"]))
      var values: [Int?] = []
      while let record = iterator.next() { values.append(record.value?.n) }
      #expect(values == [1, nil, 3])
      #expect(iterator.unseenPaths.map(\.description) == ["$.c[*]"])
    }
  }

  @Test func `records of a pipe come, and its descriptor stays open`() throws {
    let mapper = try Mapper(Self.item)
    let pipe = Pipe()
    let bytes = lines(3000)
    Thread.detachNewThread {
      for start in stride(from: 0, to: bytes.count, by: 777) {
        pipe.fileHandleForWriting.write(Data(bytes[start..<min(start + 777, bytes.count)]))
      }
      try? pipe.fileHandleForWriting.close()
    }
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let values = try mapper.records(in: Feed(.descriptor(descriptor), format: .ndjson)).map {
      try $0.get().n
    }
    #expect(values == Array(0..<3000))
    #expect(fcntl(descriptor, F_GETFD) != -1, "the descriptor stays open")
  }

  @Test func `an input that cannot be read is an error`() throws {
    let mapper = try Mapper(Self.item)
    let missing = #expect(throws: MappingError.self) {
      try mapper.records(in: Feed(.file("/not/there.json")))
    }
    #expect(missing?.code == .io)
    #expect(
      missing?.description
        == "fatal io at $: cannot open /not/there.json: No such file or directory")
    let folder = NSTemporaryDirectory()
    let records = Array(try mapper.records(in: Feed(.file(folder))))
    #expect(records.map { $0.error?.code } == [.io])
    #expect(records.first?.error?.description.contains("Is a directory") == true)
    #expect(records.first?.number == 0)
    let closed = Array(try mapper.records(in: Feed(.descriptor(-1))))
    #expect(closed.map { $0.error?.code } == [.io])
  }

  @Test func `a second loop over a sequence continues after the first`() throws {
    let sequence = try Mapper(Self.item).records(in: Feed(lines(5)))
    for _ in sequence { break }
    #expect(sequence.map(\.number) == [2, 3, 4, 5])
  }

  @Test func `an empty file has no records but is no document`() throws {
    try withFile([]) { path in
      let mapper = try Mapper(Self.item)
      let records = Array(try mapper.records(in: Feed(.file(path))))
      #expect(records.isEmpty)
      let document = Array(try mapper.records(in: Feed(.file(path), format: .json)))
      #expect(document.first?.error?.code == .truncated)
    }
  }
}
