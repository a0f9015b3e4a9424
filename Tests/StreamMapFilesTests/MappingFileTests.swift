import Foundation
import StreamMap
import StreamMapFiles
import Testing

/// What a program learns of a mapping file.
@Suite struct MappingFileTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  @Test
  func `all settings of a file are available as data`() throws {
    let file = try MappingFile(
      yaml: """
        streammap: 1
        name: orders
        input: { format: seq, records: ["$.a[*]", $.b], limits: { depth: 9, string: 1KiB } }
        record: { id: { from: x.id, type: int8, redact: true }, c: { const: 1 }, t: t }
        errors: { mode: reject, max: 7, max_ratio: 0.5, rejects: r.ndjson }
        output: { format: json, nulls: omit }
        """)
    #expect(file.name == "orders")
    #expect(file.files == [])
    #expect(file.format == .sequence)
    #expect(file.records.map(\.description) == ["$.a[*]", "$.b"])
    #expect(file.limits.depth == 9)
    #expect(file.limits.string == 1024)
    #expect(file.limits.key == Limits().key)
    #expect(file.errors.mode == .reject)
    #expect(file.errors.budget == ErrorBudget(count: 7, ratio: 0.5))
    #expect(file.errors.rejects == "r.ndjson")
    #expect(file.output.format == .json)
    #expect(file.output.omitsNulls)
    #expect(file.hidesValues)
    #expect(file.explanation.contains("x.id → id: int8"))
  }

  @Test
  func `settings that a file omits have the command's defaults`() throws {
    let file = try MappingFile(json: #"{"streammap":1,"record":{"a":"a"}}"#)
    #expect(file.name == nil)
    #expect(file.records.isEmpty)
    #expect(file.format == .auto)
    #expect(file.limits == Limits())
    #expect(file.errors == MappingFile.Errors())
    #expect(file.errors.mode == .fail)
    #expect(file.output == MappingFile.Output())
    #expect(!file.hidesValues)
  }

  @Test
  func `the files that were read are known by their paths`() throws {
    let path = try folder.write(
      "streammap: 1\nuse: { b: parts/b.yaml }\nrecord: { b: { from: b, use: b } }\n", to: "a.yaml")
    let part = try folder.write(
      "streammap: 1\nuse: { c: ./c.json }\nrecord: { c: { from: c, use: c } }\n",
      to: "parts/b.yaml")
    let inner = try folder.write(
      #"{"streammap":1,"record":{"d":"e"}}"#, to: "parts/c.json")
    let file = try MappingFile(contentsOf: path)
    #expect(file.files == [path, part, inner])
    let mapped = try file.mapper().records(in: Feed(#"{"b":{"c":{"e":5}}}"#.utf8))
    #expect(try mapped.map { try $0.get().description } == [#"{"b":{"c":{"d":5}}}"#])
  }

  @Test(arguments: ["none.yaml", "."])
  func `an unreadable file is a mistake of its own kind`(name: String) throws {
    let path = folder.path(name)
    let error = #expect(throws: MappingFile.Mistakes.self) { try MappingFile(contentsOf: path) }
    #expect(error?.isUnreadable == true)
    #expect(error?.file == path)
    #expect(error?.mistakes.map(\.file) == [path])
    #expect(
      error?.mistakes.first?.message
        == (name == "."
          ? "cannot read \(path): Is a directory"
          : "cannot open \(path): No such file or directory"))
  }

  @Test
  func `a far too large file is not read to its end`() throws {
    let error = #expect(throws: MappingFile.Mistakes.self) {
      try MappingFile(contentsOf: "/dev/zero")
    }
    #expect(error?.mistakes.map(\.message) == ["cannot read /dev/zero: File too large"])
  }

  @Test
  func `a mapping given as text opens no file`() throws {
    let part = try folder.write("streammap: 1\nrecord: { a: a }\n", to: "part.yaml")
    let error = #expect(throws: MappingFile.Mistakes.self) {
      try MappingFile(yaml: "streammap: 1\nuse: { p: \(part) }\nrecord: { a: a }\n")
    }
    #expect(
      error?.mistakes.map(\.description) == [
        "mapping.yaml:2:11: error: use: a mapping that is given as text cannot use files"
      ])
    #expect(error?.isUnreadable == false)
  }

  @Test
  func `a text is read in the form it is given as`() throws {
    let json = #"{"streammap":1,"record":{"a":"a"}}"#
    #expect(try MappingFile(json: json, named: "x.yaml").explanation.contains("a → a"))
    #expect(throws: MappingFile.Mistakes.self) {
      try MappingFile(json: "streammap: 1\nrecord: { a: a }\n", named: "x.yaml")
    }
    #expect(try MappingFile(yaml: json, named: "x.json").explanation.contains("a → a"))
  }
}
