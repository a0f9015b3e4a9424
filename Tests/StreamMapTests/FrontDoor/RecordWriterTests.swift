import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Values written as a feed.
@Suite struct RecordWriterTests {
  struct Item: Equatable {
    let n: Int
    var weight: Double?
  }

  private struct Full: Error {}

  private let mapper: Mapper<Item>
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    mapper = try Mapper(
      Mapping.object(Item.self) { field in
        field.make(Item.init, field("n", \.n), field("weight", \.weight))
      })
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: path(name), encoding: .utf8)
  }

  private func written(
    _ items: [Item], _ layout: FeedLayout, _ options: EncodingOptions = EncodingOptions()
  ) throws -> String {
    var bytes: [UInt8] = []
    try mapper.write(items, to: .buffers { bytes += $0 }, as: layout, options: options)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `values are lines, an array or a sequence of texts`() throws {
    let items = [Item(n: 1), Item(n: 2, weight: 0.5)]
    #expect(try written(items, .ndjson) == "{\"n\":1}\n{\"n\":2,\"weight\":0.5}\n")
    #expect(try written(items, .array) == "[\n{\"n\":1},\n{\"n\":2,\"weight\":0.5}\n]\n")
    #expect(
      try written(items, .sequence) == "\u{1E}{\"n\":1}\n\u{1E}{\"n\":2,\"weight\":0.5}\n")
    #expect(try written([], .ndjson) == "")
    #expect(try written([], .array) == "[]\n")
    #expect(try written([], .sequence) == "")
  }

  @Test(arguments: FeedLayout.allCases)
  func `what is written is read again`(layout: FeedLayout) throws {
    let items = (0..<20_000).map { Item(n: $0, weight: $0 % 3 == 0 ? nil : Double($0) / 4) }
    let file = path("items")
    defer { try? FileManager.default.removeItem(at: folder) }
    try mapper.write(items.lazy.map { $0 }, to: .file(file), as: layout)
    let records = try mapper.records(in: Feed(.file(file), at: layout == .array ? "$[*]" : []))
    #expect(try records.map { try $0.get() } == items)
    #expect(records.verdict == .complete)
    #expect(!FileManager.default.fileExists(atPath: file + ".partial"))
  }

  @Test func `options hold for each value`() throws {
    var options = EncodingOptions()
    options.nils = .null
    options.sortsKeys = true
    let items = [Item(n: 1), Item(n: 2)]
    #expect(
      try written(items, .ndjson, options)
        == "{\"n\":1,\"weight\":null}\n{\"n\":2,\"weight\":null}\n")
    options.indentation = 1
    #expect(
      try written(items, .array, options)
        == "[\n{\n \"n\": 1,\n \"weight\": null\n},\n{\n \"n\": 2,\n \"weight\": null\n}\n]\n")
    options.sortsKeys = false
    options.nils = EncodingOptions().nils
    #expect(try written(items, .array, options) == "[\n{\n \"n\": 1\n},\n{\n \"n\": 2\n}\n]\n")
    let error = #expect(throws: MappingError.self) { try written(items, .ndjson, options) }
    #expect(error?.code == .invalidDefinition)
  }

  @Test(arguments: FeedLayout.allCases)
  func `a value without JSON is an error with its number, and leaves nothing`(layout: FeedLayout)
    throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let items = [Item(n: 1), Item(n: 2, weight: .infinity), Item(n: 3)]
    let error = #expect(throws: MappingError.self) {
      try mapper.write(items, to: .file(path("items")), as: layout)
    }
    #expect(error?.record == 2)
    #expect(error?.path.description == "$.weight")
    #expect(text("items") == nil)
    let cut =
      switch layout {
      case .ndjson: "{\"n\":1}\n"
      case .array: "[\n{\"n\":1}"
      case .sequence: "\u{1E}{\"n\":1}\n"
      }
    #expect(text("items.partial") == cut)

    let writer = try mapper.writer(to: .file(path("items")), as: layout)
    for item in items { try? writer.write(item) }
    try writer.finish()
    #expect(writer.count == 2)
    #expect(text("items") == (try written([Item(n: 1), Item(n: 3)], layout)))
    #expect(text("items.partial") == nil)
    #expect(throws: MappingError.self) { try writer.write(Item(n: 4)) }
    #expect(throws: MappingError.self) { try writer.finish() }
  }

  @Test func `an indented value that fails leaves the next one as it should be`() throws {
    var options = EncodingOptions()
    options.indentation = 1
    var bytes: [UInt8] = []
    let writer = try mapper.writer(
      to: .buffers { bytes += $0 }, as: .sequence, options: options)
    #expect(throws: MappingError.self) { try writer.write(Item(n: 1, weight: .nan)) }
    try writer.write(Item(n: 2))
    try writer.finish()
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1E}{\n \"n\": 2\n}\n")
  }

  @Test func `a file replaces the one of its name when it is complete`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = path("items")
    try Data("old".utf8).write(to: URL(filePath: file))
    chmod(file, 0o600)
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: file)
    let writer = try mapper.writer(to: .file(URL(filePath: path("link"))))
    try writer.write(Item(n: 1))
    try writer.flush()
    #expect(text("items") == "old")
    #expect(text("items.partial") == "{\"n\":1}\n")
    try writer.finish()
    #expect(text("items") == "{\"n\":1}\n")
    #expect(text("items.partial") == nil)
    var status = stat()
    #expect(lstat(path("link"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    try mapper.write([Item(n: 1)], to: .file("/dev/null"))
  }

  @Test func `what cannot be opened or written is an error with the code io`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let missing = #expect(throws: MappingError.self) {
      try mapper.write([], to: .file(path("none/items")))
    }
    #expect(missing?.code == .io)
    let url = try #require(URL(string: "https://example.com/items"))
    #expect(throws: MappingError.self) { try mapper.write([], to: .file(url)) }
    let closed = #expect(throws: MappingError.self) {
      try mapper.write([Item(n: 1)], to: .descriptor(-1))
    }
    #expect(closed?.code == .io)
    let writer = try mapper.writer(to: .descriptor(-1))
    try writer.write(Item(n: 1))
    #expect(throws: MappingError.self) { try writer.flush() }
    #expect(throws: MappingError.self) { try writer.write(Item(n: 2)) }
    #expect(throws: MappingError.self) { try writer.finish() }
  }

  #if os(Linux)
  /// In a process of its own, because the bound on the sizes of files holds for the whole process.
  @Test func `a file on a descriptor is cut back to whole values when it cannot grow`() async {
    await #expect(processExitsWith: .success) {
      let mapper = try Mapper(.string)
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
      let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL, 0o600)
      defer { unlink(file) }
      signal(SIGXFSZ, SIG_IGN)
      // In the middle of the second buffer.
      var bound = rlimit(rlim_cur: 100_001, rlim_max: 100_001)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &bound) == 0)
      let error = #expect(throws: MappingError.self) {
        try mapper.write((0..<20_000).lazy.map { "\($0)" }, to: .descriptor(descriptor))
      }
      #expect(error?.code == .io)
      let kept = try String(contentsOfFile: file, encoding: .utf8)
      #expect(kept.utf8.count > 65_000 && kept.utf8.count < 66_000)
      #expect(kept.hasSuffix("\"\n"))
      let records = try mapper.records(in: Feed(kept.utf8, format: .ndjson))
      #expect(records.allSatisfy { $0.value != nil })
    }
  }
  #endif

  @Test func `an error of the caller's code is the underlying one, and buffers are whole values`()
    throws
  {
    var sizes: [Int] = []
    let error = #expect(throws: MappingError.self) {
      try mapper.write(
        (0..<100_000).lazy.map { Item(n: $0) },
        to: .buffers { buffer in
          #expect(buffer.last == UInt8(ascii: "\n"))
          sizes.append(buffer.count)
          if sizes.count == 3 { throw Full() }
        })
    }
    #expect(error?.code == .io)
    #expect(error?.underlying.first is Full)
    #expect(sizes.count == 3)
    #expect(sizes.allSatisfy { $0 >= 65_536 && $0 < 65_600 })
  }

  @Test func `values that come asynchronously are written, and those before a failure, too`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let numbers = AsyncStream<Item> { continuation in
      for number in 1...3 { continuation.yield(Item(n: number)) }
      continuation.finish()
    }
    try await mapper.write(numbers, to: .file(path("items")), as: .array)
    #expect(text("items") == "[\n{\"n\":1},\n{\"n\":2},\n{\"n\":3}\n]\n")

    let broken = AsyncThrowingStream<Item, any Error> { continuation in
      continuation.yield(Item(n: 1))
      continuation.finish(throwing: Full())
    }
    await #expect(throws: Full.self) {
      try await mapper.write(broken, to: .file(path("broken")))
    }
    #expect(text("broken") == nil)
    #expect(text("broken.partial") == "{\"n\":1}\n")
  }

  @Test func `a cancelled task does not complete a file`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (items, continuation) = AsyncStream<Item>.makeStream()
    continuation.yield(Item(n: 1))
    let (mapper, file) = (mapper, path("items"))
    let task = Task { try await mapper.write(items, to: .file(file)) }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(text("items") == nil)
  }

  @Test func `a mapping to output records writes nothing`() throws {
    let error = #expect(throws: MappingError.self) {
      try Mapper(output: .raw).write([], to: .standardOutput)
    }
    #expect(error?.code == .invalidDefinition)
  }
}
