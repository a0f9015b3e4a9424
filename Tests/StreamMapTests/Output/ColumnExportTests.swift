import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Columns as the structs of the Arrow C Data Interface: who owns what, and when it ends.
@Suite struct ColumnExportTests {
  private let layout = ColumnLayout(
    "",
    .object(
      [
        ColumnLayout("s", .string, isNullable: true),
        ColumnLayout("l", .list(ColumnLayout("item", .int32))),
        ColumnLayout("m", .map(ColumnLayout("value", .json, isNullable: true)), isNullable: true),
      ], isOpen: false))

  private func makeColumns() throws -> RecordColumns {
    try RecordColumns(layout, isValue: false) { Array("\"\($0)\":".utf8) }
  }

  private func columns(_ records: [String]) throws -> RecordColumns {
    let columns = try makeColumns()
    for record in records {
      #expect(Array(record.utf8).withUnsafeBufferPointer { columns.add($0) } == nil)
    }
    return columns
  }

  private let records = [#"{"s":"a","l":[1,2],"m":{"k":[1]}}"#, #"{"s":null,"l":[],"m":null}"#]

  @Test
  func `an array lives on without its columns, and is released once, however often it is asked to`()
    throws
  {
    var array = ArrowMemory()
    do {
      let columns = try columns(records)
      try columns.take(into: &array)
      #expect(columns.rows == 0 && columns.bytes == 0)
    }
    let texts = try ArrowRows(layout: layout).texts(array)
    #expect(texts == [#"{s="a" l=[1 2] m=<"k"=json [1]>}"#, "{s=null l=[] m=null}"])
    let release = try #require(array.release)
    release(&array)
    #expect(array.release == nil)
    release(&array)
  }

  @Test func `a child that is moved out outlives its parent`() throws {
    var array = ArrowMemory()
    try columns(records).take(into: &array)
    let place = try #require(array.children?[1])
    var child = place.pointee
    place.pointee.release = nil
    array.release?(&array)
    let element = ColumnLayout("l", .list(ColumnLayout("item", .int32)))
    #expect(try ArrowRows.text(child, element, 0) == "[1 2]")
    child.release?(&child)
    #expect(child.release == nil)
  }

  @Test func `an array that is moved is released from its new place, on another thread`()
    async throws
  {
    var array = ArrowMemory()
    try columns(records).take(into: &array)
    let place = UnsafeMutablePointer<ArrowMemory>.allocate(capacity: 1)
    place.initialize(to: array)
    array.release = nil
    let address = UInt(bitPattern: place)
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        let place = UnsafeMutablePointer<ArrowMemory>(bitPattern: address)
        place?.pointee.release?(place)
        place?.deallocate()
        done.resume()
      }
    }
  }

  @Test func `columns are filled again after they are taken`() throws {
    let columns = try columns(records)
    for _ in 0..<3 {
      var array = ArrowMemory()
      try columns.take(into: &array)
      #expect(try ArrowRows(layout: layout).texts(array).count == 2)
      array.release?(&array)
      for record in records {
        #expect(Array(record.utf8).withUnsafeBufferPointer { columns.add($0) } == nil)
      }
    }
  }

  @Test func `empty columns are an array without rows, with all its buffers`() throws {
    var array = ArrowMemory()
    try makeColumns().take(into: &array)
    #expect(array.length == 0 && array.childCount == 3)
    #expect(array.children?[0]?.pointee.buffers?[1] != nil)
    #expect(array.children?[0]?.pointee.buffers?[2] != nil)
    array.release?(&array)
  }

  @Test func `what fails leaves no trace`() throws {
    let columns = try columns(records)
    for bad in [
      #"{"s":1,"l":[],"m":null}"#, #"{"s":"x","l":[1,2,"y"],"m":null}"#,
      #"{"s":"x","l":null,"m":{}}"#,
      #"{"s":"x","l":[7],"m":{"a":1,"b":}}"#, #"{"s":"x","l":[7]"#, #"{"s":"x","#, "{", "", "[",
      "7",
      #"{"s":"x","l":[1],"m":{},"z":1}"#, #"{"s":"x","s":"y","l":[1]}"#, #"{"s":"\ud800","l":[1]}"#,
    ] {
      #expect(Array(bad.utf8).withUnsafeBufferPointer { columns.add($0) } != nil, "\(bad)")
    }
    #expect(Array(records[0].utf8).withUnsafeBufferPointer { columns.add($0) } == nil)
    var array = ArrowMemory()
    try columns.take(into: &array)
    let texts = try ArrowRows(layout: layout).texts(array)
    #expect(
      texts == [
        #"{s="a" l=[1 2] m=<"k"=json [1]>}"#, "{s=null l=[] m=null}",
        #"{s="a" l=[1 2] m=<"k"=json [1]>}"#,
      ])
    array.release?(&array)
  }

  @Test func `damaged text never reads outside itself, and leaves no trace`() throws {
    let columns = try columns([])
    var random = RandomCases(seed: 11)
    var added = 0
    for _ in 0..<4000 {
      let bytes = random.mutated(Array(records[0].utf8))
      // In memory of its own, so that reading beyond it is seen by a sanitizer.
      let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = copy.initialize(from: bytes)
      if columns.add(UnsafeBufferPointer(copy)) == nil { added += 1 }
      copy.deallocate()
    }
    #expect(columns.rows == added)
    var array = ArrowMemory()
    try columns.take(into: &array)
    #expect(array.length == Int64(added))
    array.release?(&array)
  }

  @Test func `the schema tells types, names and what may be null`() throws {
    var schema = ArrowSchemaMemory()
    try makeColumns().schema(into: &schema)
    func texts(_ schema: ArrowSchemaMemory) -> String {
      let format = schema.format.map { String(cString: $0) } ?? ""
      let name = schema.name.map { String(cString: $0) } ?? ""
      let children = (0..<Int(schema.childCount)).compactMap { schema.children?[$0]?.pointee }
      let inside = children.isEmpty ? "" : "(\(children.map(texts).joined(separator: " ")))"
      return "\(name):\(format)\(schema.flags == 2 ? "?" : "")\(inside)"
    }
    #expect(
      texts(schema)
        == ":+s(s:u? l:+l(item:i) m:+m?(entries:+s(key:u value:u?)))")
    var child = try #require(schema.children?[0]).pointee
    schema.children?[0]?.pointee.release = nil
    let release = try #require(schema.release)
    release(&schema)
    release(&schema)
    #expect(child.name.map { String(cString: $0) } == "s")
    child.release?(&child)
  }
}
