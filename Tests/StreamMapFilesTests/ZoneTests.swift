import Foundation
import StreamMap
import Testing

@testable import StreamMapFiles

/// Time zones of mapping files.
@Suite struct ZoneTests {
  // MARK: Rules

  private func rule(_ text: String) -> ZoneRule? { ZoneRule(Array(text.utf8)[...]) }

  private func seconds(_ text: String) throws -> Int64 {
    try Conversion<String, Instant>(.rfc3339).forward(text).seconds
  }

  @Test(arguments: [
    // A rule, a second of UTC, and the minutes by which the clocks are ahead of UTC before it and from it on.
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-03-27T01:00:00Z", 60, 120),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-10-30T01:00:00Z", 120, 60),
    ("EST5EDT,M3.2.0,M11.1.0", "2050-03-13T07:00:00Z", -300, -240),
    ("EST5EDT,M3.2.0,M11.1.0", "2050-11-06T06:00:00Z", -240, -300),
    // In the south summer lasts over the end of the year.
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2050-04-02T16:00:00Z", 660, 600),
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2050-10-01T16:00:00Z", 600, 660),
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2051-01-01T00:00:00Z", 660, 660),
    // Half an hour, names in brackets, times before the day and after it.
    ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2050-10-01T15:30:00Z", 630, 660),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2050-03-27T01:00:00Z", -120, -60),
    ("IST-2IDT,M3.4.4/26,M10.5.0", "2050-03-25T00:00:00Z", 120, 180),
    // Winter is a change back in Ireland.
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2050-03-27T01:00:00Z", 0, 60),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2050-10-30T01:00:00Z", 60, 0),
    // Days of the year, with 29 February and without.
    ("AAA0BBB,J60/0,J300/0", "2048-03-01T00:00:00Z", 0, 60),
    ("AAA0BBB,J60/0,J300/0", "2049-03-01T00:00:00Z", 0, 60),
    ("AAA0BBB,59/0,300/0", "2048-02-29T00:00:00Z", 0, 60),
    ("AAA0BBB,59/0,300/0", "2049-03-01T00:00:00Z", 0, 60),
    // Summer for ever.
    ("XXX3EDT4,0/0,J365/23", "2050-01-01T03:00:00Z", -240, -240),
    ("CST6", "9999-12-31T23:59:59Z", -360, -360),
    ("<+0545>-5:45:30", "0000-01-01T00:00:00Z", 345, 345),
  ])
  func `a rule says the offset at each second`(
    text: String, second: String, before: Int64, after: Int64
  ) throws {
    let found = try #require(rule(text))
    let change = try seconds(second)
    #expect(found.offset(at: change - 1) / 60 == before)
    #expect(found.offset(at: change) / 60 == after)
  }

  @Test(arguments: [
    "", "CE", "CET", "CET-", "CET25", "CET-1:60", "CET-1CEST", "CET-1CEST,M3.5.0",
    "CET-1CEST,M3.5.0,", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
    "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J365", "CET-1CEST,366,1", "CET-1CEST,M3.5.0/168,J1",
    "CET-1CEST,M3.5.0,M10.5.0,", "CET-1CEST,M3.5.0,M10.5.0 ", "<>-1", "<CET-1", "-1", "CET-0001",
  ])
  func `a text that is not a rule is refused`(text: String) {
    #expect(rule(text) == nil)
  }

  // MARK: Tables

  /// A file with times, each with the type that begins there, and the seconds of the types.
  private func file(
    version: UInt8 = UInt8(ascii: "2"), _ times: [(Int64, UInt8)], types: [Int32], leaps: Int = 0,
    rule: String = ""
  ) -> [UInt8] {
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
    func part(_ width: Int) -> [UInt8] {
      var part = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
      for count in [0, 0, leaps, times.count, types.count, 4] { part += bytes(UInt32(count)) }
      for (time, _) in times {
        part += width == 4 ? bytes(Int32(truncatingIfNeeded: time)) : bytes(time)
      }
      part += times.map(\.1)
      for type in types { part += bytes(type) + [0, 0] }
      return part + Array("LMT\0".utf8) + [UInt8](repeating: 0, count: leaps * (width + 4))
    }
    return version == 0 ? part(4) : part(4) + part(8) + Array("\n\(rule)\n".utf8)
  }

  @Test func `a table says the offset at each second`() throws {
    let times: [(Int64, UInt8)] = [(-5_000_000_000, 1), (0, 2), (1000, 1)]
    let table = try ZoneTable(file(times, types: [900, 3600, 7200], rule: "AAA-3"))
    let found = [-5_000_000_001, -5_000_000_000, -1, 0, 999, 1000, 9_000_000_000].map {
      table.offset(at: $0)
    }
    #expect(found == [900, 3600, 3600, 7200, 7200, 10_800, 10_800])
    // Without a rule the last offset stays; without times the rule, or the first type, is all.
    #expect(try ZoneTable(file(times, types: [900, 3600, 7200])).offset(at: 2000) == 3600)
    #expect(try ZoneTable(file([], types: [900], rule: "AAA-3")).offset(at: -5) == 10_800)
    #expect(try ZoneTable(file([], types: [900])).offset(at: -5) == 900)
    // The first version has 32 bits, and no rule.
    let old = try ZoneTable(file(version: 0, [(0, 1)], types: [900, 3600]))
    #expect([-1, 0].map { old.offset(at: $0) } == [900, 3600])
  }

  private func fault(_ bytes: [UInt8]) -> String? {
    do throws(ZoneTable.Fault) {
      _ = try ZoneTable(bytes)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `damaged tables are refused, wherever the damage is`() throws {
    let good = file([(0, 1), (1000, 0)], types: [900, 3600], rule: "CET-1CEST,M3.5.0,M10.5.0/3")
    #expect(fault(good) == nil)
    for count in 0..<good.count {
      #expect(fault(Array(good[..<count])) != nil, "\(count) bytes")
    }
    #expect(fault([]) == "it is cut off")
    #expect(fault(Array("#!/bin/sh\n".utf8)) == "it does not begin with TZif")
    #expect(fault(file([], types: [])) == "it has no type of local time")
    #expect(fault(file([], types: [0], leaps: 1)) == "it counts leap seconds")
    #expect(
      fault(file([(0, 2)], types: [0, 0]))
        == "it names a type of local time that it does not have")
    #expect(
      fault(file([(5, 0), (5, 0)], types: [0])) == "its times are not in their order")
    #expect(fault(file([], types: [90_000_000])) == "an offset of 90000000 seconds from UTC")
    #expect(fault(file([], types: [0], rule: "CET")) == "its rule for later years is 'CET'")
    // Counts that no file has bytes for.
    var large = good
    for index in 20..<44 { large[index] = 0xFF }
    #expect(fault(large) == "it is cut off")
  }

  @Test func `changed bytes are refused or give an offset`() {
    let good = file([(0, 1), (1000, 0)], types: [900, 3600], rule: "CET-1CEST,M3.5.0,M10.5.0/3")
    for index in good.indices {
      for byte in [0, 1, 0x30, 0x7F, 0x80, 0xFF] as [UInt8] {
        var bytes = good
        bytes[index] = byte
        guard let table = try? ZoneTable(bytes) else { continue }
        for second in [-62_167_219_200, 0, 500, 4_000_000_000, 253_402_300_799] as [Int64] {
          #expect(abs(table.offset(at: second)) <= 93_600, "byte \(index) is \(byte)")
        }
      }
    }
  }

  // MARK: Names

  @Test(arguments: [
    ("UTC", 0), ("GMT", 0), ("UTC+2", 120), ("GMT-11", -660), ("GMT+05:45", 345),
    ("UTC-0330", -210),
    ("UTC+18:00", 1080),
  ])
  func `an offset is a zone without a file`(name: String, minutes: Int64) throws {
    let zone = try Zone(name, in: ZoneFolder(path: "/nowhere"))
    #expect(zone.offset(at: 0) == minutes * 60)
  }

  private func problem(_ name: String, _ folder: ZoneFolder = .system) -> ZoneProblem? {
    do throws(ZoneProblem) {
      _ = try Zone(name, in: folder)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "", "Berlin", "Europe", "Europe/", "/Europe/Berlin", "../zoneinfo/UTC", "Europe/../UTC",
    "tzdata.zi",
    "UTC+19", "UTC+1:5", "UTC+01:60", "UTC+", "Europe//Berlin", "Europe/Berlin\0", "Europe/Bérlin",
  ])
  func `a name without a zone is unknown`(name: String) {
    #expect(problem(name) == .unknown)
  }

  @Test func `a folder that is not there, and a damaged file, are reported`() throws {
    #expect(problem("Europe/Berlin", ZoneFolder(path: "/nowhere")) == .noFolder("/nowhere"))
    let path = FileManager.default.temporaryDirectory.path + "/zones-\(UUID())"
    try FileManager.default.createDirectory(atPath: path + "/X", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("TZif".utf8).write(to: URL(fileURLWithPath: path + "/X/Cut"))
    try Data(file([], types: [900])).write(to: URL(fileURLWithPath: path + "/X/Good"))
    let folder = ZoneFolder(path: path)
    #expect(
      problem("X/Cut", folder)
        == .unreadable("\(path)/X/Cut is not a table of a time zone: it is cut off"))
    #expect(try Zone("X/Good", in: folder).offset(at: 0) == 900)
    #expect(folder.names == ["X/Cut", "X/Good"])
  }

  @Test func `a zone and the names of a folder are read once for a mapping file`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/zones-\(UUID())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(file([], types: [900])).write(to: URL(fileURLWithPath: path + "/Good"))
    let zones = ZoneTables(in: ZoneFolder(path: path))
    #expect(try zones.zone("Good").offset(at: 0) == 900)
    #expect(throws: ZoneProblem.unknown) { try zones.zone("God") }
    #expect(zones.nearest(to: "God") == "Good")
    try FileManager.default.removeItem(atPath: path)
    #expect(try zones.zone("Good").offset(at: 0) == 900)
    #expect(throws: ZoneProblem.unknown) { try zones.zone("God") }
    #expect(zones.nearest(to: "God") == "Good")
    #expect(throws: ZoneProblem.noFolder(path)) { try zones.zone("Other") }
  }

  // MARK: The system's tables

  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "America/St_Johns", "Asia/Kolkata", "Asia/Kathmandu",
    "Australia/Sydney", "Australia/Lord_Howe", "Europe/Dublin", "America/Santiago", "UTC",
    "Etc/GMT+5", "Asia/Tokyo", "America/Los_Angeles", "Europe/London",
  ])
  func `offsets are those of Foundation`(name: String) throws {
    let zone = try Zone(name, in: .system)
    let other = try #require(TimeZone(identifier: name))
    func theirs(_ second: Int64) -> Int64 {
      Int64(other.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
    }
    // Each half hour, and both seconds at a change. 2038 is after the last time of the longest tables.
    for year in [1975, 2001, 2024, 2038] {
      let start = try seconds("\(year)-01-01T00:00:00Z")
      var last = theirs(start)
      for second in stride(from: start, to: start + 366 * 86_400, by: 1800) {
        let offset = theirs(second)
        #expect(zone.offset(at: second) == offset, "second \(second)")
        if offset == last { continue }
        // The change is within this half hour.
        var (before, after) = (second - 1800, second)
        while after - before > 1 {
          let middle = (before + after) / 2
          if theirs(middle) == last { before = middle } else { after = middle }
        }
        #expect([before, after].map(zone.offset(at:)) == [last, offset], "second \(after)")
        last = offset
      }
    }
  }
}
