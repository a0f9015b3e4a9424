import Foundation
import StreamMap
import StreamMapFiles
import Testing

/// A folder of mapping files, with real files.
@Suite struct MappingCatalogTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  private func mapping(_ field: String) -> String { "streammap: 1\nrecord: { \(field): n }\n" }

  private func mapped(_ mapper: Mapper<RawJSON>?) -> String? {
    mapper?.decode(#"{"n":7,"s":"7"}"#.utf8).value.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  private func path(_ name: String) -> String { folder.url.appending(path: name).path }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path(name))
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  private func catalog() throws -> MappingCatalog { try MappingCatalog(folder: folder.url.path) }

  /// The messages of mistakes, by the files' names.
  private func messages(_ catalog: MappingCatalog) -> [String] {
    catalog.mistakes.map { file in
      let name = file.file.dropFirst(folder.url.path.count + 1)
      return "\(name): \(file.mistakes.map(\.message).joined(separator: "; "))"
    }
  }

  // MARK: Names

  @Test func `names are paths without their endings`() throws {
    try folder.write(mapping("a"), to: "a.map.yaml")
    try folder.write(mapping("b"), to: "acme/orders.map.yml")
    try folder.write(#"{"streammap":1,"record":{"c":"n"}}"#, to: "acme/deep/er/ü x.map.json")
    for name in [
      "part.yaml", "a.map.yaml~", ".hidden.map.yaml", ".map.yaml", ".git/x.map.yaml", "A.MAP.YAML",
    ] {
      try folder.write("nonsense", to: name)
    }
    let catalog = try MappingCatalog(folder: folder.url.path + "//")
    #expect(catalog.contents.names == ["a", "acme/deep/er/ü x", "acme/orders"])
    #expect(catalog.mistakes.isEmpty)
    #expect(mapped(catalog["a"]) == #"{"a":7}"#)
    #expect(mapped(catalog["acme/orders"]) == #"{"b":7}"#)
    #expect(mapped(catalog["acme/deep/er/ü x"]) == #"{"c":7}"#)
    #expect(catalog.contents.file("a")?.files == [path("a.map.yaml")])
    for name in [
      "", "/", "/a", "a/", "./a", "../a", "acme/../a", "acme//orders", "acme", "acme/Orders", "A",
      "a\u{0}", "a.map.yaml", "part", ".hidden", "../\(folder.url.lastPathComponent)/a",
    ] {
      #expect(catalog[name] == nil && catalog.contents.file(name) == nil, "\(name)")
    }
  }

  @Test func `two files with one name are a mistake, and the last good one stays`() throws {
    try folder.write(mapping("a"), to: "x.map.yaml")
    try folder.write(mapping("e"), to: "y\u{301}.map.yaml")
    // Another name, though Swift takes the two for one.
    try folder.write(mapping("e"), to: "\u{FD}.map.yaml")
    let catalog = try catalog()
    try folder.write(#"{"streammap":1,"record":{"b":"n"}}"#, to: "x.map.json")
    #expect(catalog.refresh())
    #expect(mapped(catalog["x"]) == #"{"a":7}"#)
    #expect(mapped(catalog["\u{FD}"]) != nil && mapped(catalog["y\u{301}"]) != nil)
    #expect(messages(catalog).count == 1)
    #expect(
      messages(catalog).first
        == "x.map.yaml: 'x' is \(path("x.map.json")), too; a name belongs to one file")
    #expect(!catalog.refresh())
    try remove("x.map.yaml")
    #expect(catalog.refresh())
    #expect(mapped(catalog["x"]) == #"{"b":7}"#)
    #expect(messages(catalog).isEmpty)
  }

  @Test func `names that cannot be shown are a mistake`() throws {
    try folder.write(mapping("a"), to: "a\nb.map.yaml")
    let bytes = Array((folder.url.path + "/").utf8) + [0xFF, 0x78] + Array(".map.yaml".utf8) + [0]
    let file = bytes.withUnsafeBufferPointer { path in
      path.withMemoryRebound(to: CChar.self) { fopen($0.baseAddress, "w") }
    }
    // Some file systems refuse such names.
    if let file { fclose(file) }
    let catalog = try catalog()
    #expect(catalog.contents.names.isEmpty)
    #expect(messages(catalog).first == "a?b.map.yaml: the name has a control character")
    if file != nil {
      #expect(messages(catalog).last == "\u{FFFD}x.map.yaml: the name is not UTF-8")
    }
  }

  @Test func `arguments are given by name`() throws {
    try folder.write(
      "streammap: 1\nargs: { day: string }\nrecord: { day: { arg: day } }\n", to: "a/b.map.yaml")
    #expect(
      messages(try catalog()).first?.contains(
        "argument 'day' needs a value: give it in 'arguments', or a default here") == true)
    let catalog = try MappingCatalog(folder: folder.url.path) { ["day": "of \($0)"] }
    #expect(catalog.mistakes.isEmpty)
    #expect(mapped(catalog["a/b"]) == #"{"day":"of a/b"}"#)
  }

  // MARK: Changes

  @Test func `files that are changed, added and removed are so after a refresh`() throws {
    try folder.write(mapping("a"), to: "a.map.yaml")
    try folder.write(mapping("b"), to: "b.map.yaml")
    let catalog = try catalog()
    let before = catalog.contents
    #expect(!catalog.refresh())
    try folder.write(mapping("c"), to: "a.map.yaml")
    try remove("b.map.yaml")
    try folder.write(mapping("d"), to: "d/d.map.yaml")
    // Nothing changes by itself.
    #expect(mapped(catalog["a"]) == #"{"a":7}"#)
    #expect(catalog.refresh())
    #expect(catalog.contents.names == ["a", "d/d"])
    #expect(mapped(catalog["a"]) == #"{"c":7}"#)
    // A holder of the earlier ones keeps them.
    #expect(before.names == ["a", "b"])
    #expect(mapped(before["a"]) == #"{"a":7}"#)
    #expect(!catalog.refresh())
  }

  @Test func `a change that leaves size and time of a file alone is seen`() throws {
    let file = try folder.write(mapping("a"), to: "a.map.yaml")
    let date = try #require(
      FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date)
    let catalog = try catalog()
    try folder.write(mapping("b"), to: "a.map.yaml")
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
    #expect(catalog.refresh())
    #expect(mapped(catalog["a"]) == #"{"b":7}"#)
  }

  @Test func `after a mistake the last good one stays, and the place is told`() throws {
    try folder.write(mapping("a"), to: "a.map.yaml")
    let catalog = try catalog()
    try folder.write("streammap: 1\nrecord: { a: { from: n, tpye: int } }\n", to: "a.map.yaml")
    try folder.write("{", to: "new.map.json")
    #expect(catalog.refresh())
    #expect(mapped(catalog["a"]) == #"{"a":7}"#)
    #expect(catalog["new"] == nil)
    #expect(catalog.contents.names == ["a"])
    #expect(
      "\(try #require(catalog.mistakes.first))"
        == "\(path("a.map.yaml")):2:25: error: unknown key 'tpye' in field 'a'; did you mean 'type'?"
    )
    #expect(catalog.mistakes.count == 2)
    #expect(!catalog.refresh())
    try folder.write(mapping("b"), to: "a.map.yaml")
    try remove("new.map.json")
    #expect(catalog.refresh())
    #expect(catalog.mistakes.isEmpty)
    #expect(mapped(catalog["a"]) == #"{"b":7}"#)
  }

  @Test func `a file that cannot be read keeps the last good one`() throws {
    try folder.write(mapping("a"), to: "a.map.yaml")
    let catalog = try catalog()
    try remove("a.map.yaml")
    try link("a.map.yaml", to: "nowhere")
    #expect(catalog.refresh())
    #expect(mapped(catalog["a"]) == #"{"a":7}"#)
    let mistakes = try #require(catalog.mistakes.first)
    #expect(mistakes.isUnreadable)
    #expect(
      mistakes.mistakes.map(\.message) == [
        "cannot open \(path("a.map.yaml")): No such file or directory"
      ])
  }

  @Test func `what a mapping file uses and looks up counts as the file`() throws {
    try folder.write("streammap: 1\nrecord: { x: n }\n", to: "parts/part.yaml")
    try folder.write("code,name\n7,seven\n", to: "tables/names.csv")
    try folder.write(
      """
      streammap: 1
      use: { part: ../parts/part.yaml }
      record:
        inner: { from: $, use: part }
        name: { from: s, lookup: { file: ../tables/names.csv, key: code, value: name } }
      """, to: "a/b.map.yaml")
    let catalog = try catalog()
    #expect(messages(catalog) == [])
    #expect(mapped(catalog["a/b"]) == #"{"inner":{"x":7},"name":"seven"}"#)
    try folder.write("code,name\n7,sieben\n", to: "tables/names.csv")
    #expect(catalog.refresh())
    #expect(mapped(catalog["a/b"]) == #"{"inner":{"x":7},"name":"sieben"}"#)
    try folder.write("streammap: 1\nrecord: { y: n }\n", to: "parts/part.yaml")
    #expect(catalog.refresh())
    #expect(mapped(catalog["a/b"]) == #"{"inner":{"y":7},"name":"sieben"}"#)
    // Also where a mistake in it is corrected, and where it is missing for a while.
    try folder.write("streammap: 1\nrecord: { y: { form: n } }\n", to: "parts/part.yaml")
    #expect(catalog.refresh())
    #expect(catalog.mistakes.first?.mistakes.first?.file.hasSuffix("parts/part.yaml") == true)
    try remove("parts/part.yaml")
    #expect(catalog.refresh())
    #expect(mapped(catalog["a/b"]) == #"{"inner":{"y":7},"name":"sieben"}"#)
    try folder.write("streammap: 1\nrecord: { z: n }\n", to: "parts/part.yaml")
    #expect(catalog.refresh())
    #expect(mapped(catalog["a/b"]) == #"{"inner":{"z":7},"name":"sieben"}"#)
    #expect(catalog.mistakes.isEmpty)
  }

  @Test func `a folder that is away leaves everything as it was`() throws {
    try folder.write(mapping("a"), to: "m/a.map.yaml")
    let catalog = try MappingCatalog(folder: path("m"))
    try FileManager.default.moveItem(atPath: path("m"), toPath: path("n"))
    #expect(catalog.refresh())
    #expect(mapped(catalog["a"]) == #"{"a":7}"#)
    #expect(messages(catalog) == ["m: cannot open \(path("m")): No such file or directory"])
    #expect(!catalog.refresh())
    try FileManager.default.moveItem(atPath: path("n"), toPath: path("m"))
    #expect(catalog.refresh())
    #expect(catalog.mistakes.isEmpty && catalog.contents.names == ["a"])
    let error = #expect(throws: MappingFile.Mistakes.self) {
      try MappingCatalog(folder: path("none"))
    }
    #expect(error?.isUnreadable == true)
    #expect(throws: MappingFile.Mistakes.self) { try MappingCatalog(folder: path("m/a.map.yaml")) }
    #expect(throws: MappingFile.Mistakes.self) { try MappingCatalog(folder: path("m") + "\u{0}") }
  }

  // MARK: Links

  @Test func `nothing outside the folder is read`() throws {
    try folder.write(mapping("secret"), to: "outside/a.map.yaml")
    try folder.write("code,name\n7,seven\n", to: "outside/names.csv")
    try folder.write(mapping("a"), to: "m/real.map.yaml")
    try link("m/inside.map.yaml", to: "real.map.yaml")
    try link("m/file.map.yaml", to: "../outside/a.map.yaml")
    try link("m/folder", to: "../outside")
    try link("m/chain.map.yaml", to: "file.map.yaml")
    // A neighbour whose path starts alike.
    try folder.write(mapping("secret"), to: "m2/a.map.yaml")
    try link("m/alike.map.yaml", to: path("m2/a.map.yaml"))
    try link("m/table.csv", to: "../outside/names.csv")
    for (name, table) in [
      ("up", "../outside/names.csv"), ("root", path("outside/names.csv")), ("linked", "table.csv"),
    ] {
      try folder.write(
        """
        streammap: 1
        record: { n: { from: n, lookup: { file: \(table), key: code, value: name }, type: string } }
        """, to: "m/\(name).map.yaml")
    }
    try folder.write(
      "streammap: 1\nuse: { a: ../outside/a.map.yaml }\nrecord: { n: { from: n, use: a } }\n",
      to: "m/used.map.yaml")
    try folder.write(
      "streammap: 1\nuse: { a: \"real.map.yaml\\0\" }\nrecord: { n: { from: n, use: a } }\n",
      to: "m/zero.map.yaml")
    let catalog = try MappingCatalog(folder: path("m"))
    #expect(catalog.contents.names == ["inside", "real"])
    let messages = messages(catalog)
    for name in ["file", "chain", "alike", "up", "root", "linked", "used"] {
      let message = messages.first { $0.hasPrefix("m/\(name).map.yaml: ") }
      #expect(message?.hasSuffix("it lies outside the catalog's folder") == true, "\(name)")
    }
    #expect(messages.contains("m/folder: a link to a folder is not followed"))
    #expect(messages.contains { $0.hasPrefix("m/zero.map.yaml: ") && $0.contains("U+0000") })
    #expect(messages.count == 9)
    #expect(!messages.joined().contains("secret"))
  }

  @Test func `a pipe in the folder does not hold a refresh up`() throws {
    #expect(mkfifo(path("a.map.yaml"), 0o600) == 0)
    #expect(
      messages(try catalog()) == ["a.map.yaml: cannot read \(path("a.map.yaml")): not a file"])
  }

  @Test func `a link to another folder exchanges all mappings at once`() throws {
    for (release, field) in [("1", "a"), ("2", "b")] {
      try folder.write(mapping(field), to: "\(release)/x.map.yaml")
      try folder.write(mapping(field), to: "\(release)/y.map.yaml")
    }
    try link("current", to: "1")
    let catalog = try MappingCatalog(folder: path("current"))
    #expect(mapped(catalog["x"]) == #"{"a":7}"#)
    try link("next", to: "2")
    #expect(rename(path("next"), path("current")) == 0)
    #expect(catalog.refresh())
    #expect(mapped(catalog["x"]) == #"{"b":7}"#)
    #expect(mapped(catalog["y"]) == #"{"b":7}"#)
    #expect(catalog.mistakes.isEmpty)
  }

  // MARK: Watching

  // The time is that of all tests that wait for a thread, too.
  @Test(.timeLimit(.minutes(30)))
  func `a watch takes changes, leaves half a file alone, and ends with its task`() async throws {
    try folder.write(mapping("a"), to: "a.map.yaml")
    let catalog = try catalog()
    let (changes, change) = AsyncStream<MappingCatalog.Contents>.makeStream()
    let task = Task {
      await catalog.watch(every: .milliseconds(30)) { change.yield($0) }
      change.finish()
    }
    // A writer that continues every few milliseconds: what is there meanwhile is good, and shorter than what was meant.
    let file = try #require(FileHandle(forWritingAtPath: path("a.map.yaml")))
    try file.truncate(atOffset: 0)
    for line in ["streammap: 1\n", "record:\n", "  b: n\n"] {
      try file.write(contentsOf: Data(line.utf8))
      try await Task.sleep(for: .milliseconds(5))
    }
    for number in 0..<20 {
      try file.write(contentsOf: Data("  f\(number): n\n".utf8))
      try await Task.sleep(for: .milliseconds(5))
    }
    try file.close()
    var taken: [String?] = []
    for await contents in changes {
      taken.append(mapped(contents["a"]))
      if taken.last??.contains("f19") == true { break }
    }
    // A machine under load may make the writer pause for longer; never are there more states than pauses.
    #expect(taken.last??.hasPrefix(#"{"b":7,"f0":7"#) == true)
    try remove("a.map.yaml")
    for await contents in changes where contents.names.isEmpty { break }
    #expect(catalog["a"] == nil)
    task.cancel()
    await task.value
  }

  // The time is that of all tests that wait for a thread, too.
  @Test(.timeLimit(.minutes(30)))
  func `readers during exchanges see one moment each`() async throws {
    let names = (0..<8).map { "n\($0)" }
    func write(_ release: String, _ field: String) throws {
      for name in names { try folder.write(mapping(field), to: "\(release)/\(name).map.yaml") }
    }
    try write("r0", "f0")
    try link("current", to: "r0")
    let catalog = try MappingCatalog(folder: path("current"))
    let mixed = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var mixed = 0
          while !Task.isCancelled {
            let contents = catalog.contents
            if Set(names.map { self.mapped(contents[$0]) ?? "" }).count != 1 { mixed += 1 }
            // Readers must not take all threads of the tasks: the writer needs one.
            await Task.yield()
          }
          return mixed
        }
      }
      group.addTask {
        for number in 1...60 {
          try write("r\(number)", "f\(number)")
          try self.link("next", to: "r\(number)")
          #expect(rename(self.path("next"), self.path("current")) == 0)
          #expect(catalog.refresh())
          #expect(self.mapped(catalog["n3"]) == "{\"f\(number)\":7}")
        }
        return 0
      }
      // The writer is the first to end.
      _ = try await group.next()
      group.cancelAll()
      return try await group.reduce(0, +)
    }
    #expect(mixed == 0)
    #expect(catalog.mistakes.isEmpty)
  }
}
