import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Lines and elements that no window holds are mapped the same with any number of jobs.
@Suite struct LargePieceTests {
  private struct Item: Sendable { let number: Int }

  private struct Shelf: Sendable {
    let items: [Item]
    let name: String?
  }

  private static let shelf = Mapping.object(Shelf.self) { field in
    field.make(
      Shelf.init,
      field(
        "items", \.items,
        .array(of: .object(Item.self) { $0.make(Item.init, $0("n", \.number)) }, omitsInvalid: true)
      ),
      field("name", \.name))
  }

  /// A record of about so many bytes; `separator` stands between its elements.
  private static func record(_ size: Int, _ separator: String = ",", isOdd: Bool = false) -> String
  {
    let element = #"{"n":1234567,"other":[1,2,{"a":"b\\n"}]}"#
    let count = max((size - 40) / (element.utf8.count + separator.utf8.count), 0)
    var elements = [String](repeating: element, count: count)
    if isOdd, count > 0 { elements[count / 2] = #"{"n":"x"}"# }
    let start = #"{"name":"é","items":[\#(elements.joined(separator: separator))"#
    let rest = max(size - start.utf8.count - 2, 0)
    return start + String(repeating: " ", count: rest) + "]}"
  }

  private func outcome(
    _ feed: [UInt8], _ paths: RecordPaths, _ format: FeedFormat, _ options: FeedOptions, jobs: Int
  ) throws -> String {
    let mapper = try Mapper(Self.shelf)
    let records = try mapper.records(
      in: Feed(feed, at: paths, format: format, options: options), jobs: jobs)
    var found: [Record<Shelf>] = []
    while let record = records.next() { found.append(record) }
    let text = Routes.describe(found) { "\($0.items.count) \($0.name ?? "-")" }
    return "\(text)\n\(records.verdict) \(records.offset)"
  }

  /// The first lines that differ; nil if none do.
  private func difference(_ found: String, _ expected: String) -> String? {
    if found == expected { return nil }
    let (lines, others) = (found.split(separator: "\n"), expected.split(separator: "\n"))
    let first = zip(lines, others).prefix { $0 == $1 }.count
    return
      "\(lines.dropFirst(first).first ?? "nothing") for \(others.dropFirst(first).first ?? "nothing")"
  }

  private func check(
    _ feed: String, at path: String? = nil, _ options: FeedOptions = FeedOptions(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let bytes = Array(feed.utf8)
    let paths = path.map { RecordPaths($0) } ?? []
    let format: FeedFormat = path == nil ? .ndjson : .json
    let expected = try outcome(bytes, paths, format, options, jobs: 1)
    for jobs in [2, 3] {
      let found = try outcome(bytes, paths, format, options, jobs: jobs)
      if let difference = difference(found, expected) {
        Issue.record("\(jobs) jobs: \(difference)", sourceLocation: sourceLocation)
      }
      var later: [Record<Shelf>] = []
      let records = try Mapper(Self.shelf).records(
        in: Feed(FeedRoutes.buffers(bytes, 300_000), at: paths, format: format, options: options),
        jobs: jobs)
      for try await record in records { later.append(record) }
      let text = Routes.describe(later) { "\($0.items.count) \($0.name ?? "-")" }
      if let difference = difference(text, String(expected.dropLastLine)) {
        Issue.record("\(jobs) jobs, asynchronous: \(difference)", sourceLocation: sourceLocation)
      }
      #expect(
        expected.contains("\n\(records.verdict) "), "\(jobs) jobs, asynchronous",
        sourceLocation: sourceLocation)
    }
  }

  private static let small = record(300)
  private static let large = record(3_500_000)
  private static let odd = record(2_200_000, isOdd: true)

  @Test(.long) func `lines that no window holds`() async throws {
    let lines = [Self.small, Self.large, Self.small, Self.odd, Self.odd, "", Self.small]
    try await check(lines.joined(separator: "\n"))
    try await check(lines.joined(separator: "\n") + "\n")
    // The last one is not whole.
    try await check(lines.joined(separator: "\n") + "\n" + Self.large)
    try await check(lines.joined(separator: "\n") + "\n" + Self.large.dropLast(1))
    // One in between ends too early, or has a fault, or is no JSON at all.
    try await check([String(Self.large.dropLast(9)), Self.small, Self.odd].joined(separator: "\n"))
    let broken = Self.large.prefix(1_500_000) + "!" + Self.large.dropFirst(1_500_000)
    try await check([Self.small, String(broken), Self.small, Self.odd].joined(separator: "\n"))
    let blank = String(repeating: " ", count: 3_000_000)
    try await check(
      [Self.small, blank, Self.small, blank + "1", Self.small].joined(separator: "\n"))
  }

  @Test(.long) func `lines as long as windows are`() async throws {
    for size in [1 << 20, 2 << 20, (1 << 20) + (1 << 18)] {
      let lines = (-2...2).map { Self.record(size + $0) }
      try await check(lines.joined(separator: "\n") + "\n")
      // The feed ends where the window does.
      for line in lines { try await check(line) }
    }
  }

  @Test(.long) func `elements that no window holds`() async throws {
    // Lists are split after 64 KiB.
    let first = [String](repeating: Self.small, count: 300)
    let lines = Self.record(2_500_000, ",\n ")
    for list in [
      [Self.large, Self.small, Self.odd], [lines, Self.small, lines, "7", Self.small],
      ["1", "2", Self.large, Self.small],
      [Self.small, "\"\(String(repeating: "x", count: 1_500_000))\"", Self.small],
    ] {
      let text = (first + list).joined(separator: ",\n")
      try await check("[\(text)]", at: "$[*]")
      try await check(#"{"list":[\#(text)],"after":[1]}"#, at: "$.list[*]")
      try await check("[\(text)", at: "$[*]")
      try await check("[\(text.dropLast(2))", at: "$[*]")
      try await check("[\(text)}", at: "$[*]")
    }
  }

  @Test func `bounds of a feed are met inside what no window holds`() async throws {
    var options = FeedOptions()
    options.maximumBytes = 2_000_000
    let lines = [Self.small, Self.large, Self.small].joined(separator: "\n")
    try await check(lines, options)
    let first = [String](repeating: Self.small, count: 300)
    try await check("[\((first + [Self.large]).joined(separator: ","))]", at: "$[*]", options)
    options = FeedOptions()
    options.maximumRecords = 2
    try await check(lines, options)
  }
}

extension String {
  /// Without the last line.
  fileprivate var dropLastLine: Substring { self[..<(lastIndex(of: "\n") ?? startIndex)] }
}
