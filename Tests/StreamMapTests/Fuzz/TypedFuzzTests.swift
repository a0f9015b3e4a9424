import Foundation
import StreamMapFoundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Random typed mappings: what they write they read again, and what is hostile they refuse with an address, by every route;
/// the reference interpreter makes the same of both.
///
/// STREAMMAP_FUZZ_COUNT and STREAMMAP_FUZZ_SEED: see ``MappingFuzzTests``.
@Suite(.long) struct TypedFuzzTests {
  /// A million values in a long run.
  @Test func `a random typed mapping reads again what it writes`() throws {
    let (mappings, values) = TestExtent.isLong ? (50_000, 20) : (300, 3)
    for seed in FuzzCount.seeds(mappings, and: [353, 798, 890]) {
      var cases = RandomCases(seed: seed &+ 2 << 32)
      let random = cases.typedCase()
      guard let mapper = compiled(random, seed) else { continue }
      for _ in 0..<values {
        let value = random.value(&cases)
        do {
          try checkRoundTrip(value, mapper, random)
        } catch {
          Issue.record("seed \(seed): \(error)\n\(value)\n\(mapper.plan)")
        }
      }
    }
  }

  @Test func `a random dispatch encodes only what it decodes as the same`() throws {
    var (same, refused, mistaken) = (0, 0, 0)
    for seed in FuzzCount.seeds(300) {
      var cases = RandomCases(seed: seed &+ 5 << 32)
      let (mapping, choices) = cases.anyDispatch()
      guard let mapper = try? Mapper(mapping) else {
        mistaken += 1
        continue
      }
      for choice in choices {
        let value = choice.value(&cases)
        guard let text = try? mapper.encode(value) else {
          refused += 1
          continue
        }
        let decoded = mapper.decode(text)
        // Its case alone may change it, too: a date has another of several forms, what was absent has its default.
        let alone = try? Mapper(choice.mapping)
        let expected = try alone.flatMap { try? $0.decode($0.encode(value)).value }
        let isSame = decoded.value == value || decoded.value != nil && decoded.value == expected
        let reason = "\(value) is \(decoded) from \(String(decoding: text, as: UTF8.self))"
          .debugDescription
        #expect(isSame, "seed \(seed): \(reason)\n\(mapper.plan)")
        same += 1
      }
    }
    #expect(same > 100 && refused > 20 && mistaken > 20)
  }

  @Test func `a hostile document gets the same verdict by every route`() throws {
    var (taken, refused) = (0, 0)
    for seed in FuzzCount.seeds(200) {
      var cases = RandomCases(seed: seed &+ 3 << 32)
      let random = cases.typedCase()
      guard let mapper = compiled(random, seed) else { continue }
      var documents: [String] = []
      for _ in 0..<3 {
        guard let written = try? mapper.encode(random.value(&cases)) else { continue }
        let document = cases.damaged(String(decoding: written, as: UTF8.self))
        documents.append(document)
        do {
          let record = try checkRoutes(Array(document.utf8), mapper, &cases)
          try checkMeaning(document, record, random)
          if record.value == nil { refused += 1 } else { taken += 1 }
          if let value = record.value { try checkRoundTrip(value, mapper, random) }
        } catch {
          Issue.record("seed \(seed): \(error)\n\(document)\n\(mapper.plan)")
        }
      }
      try checkJobs(documents, mapper, seed)
    }
    #expect(taken > 50 && refused > 50)
  }

  @Test
  func `what is wrong with the last of two equal keys stays, if a field was given both before`()
    throws
  {
    // Found by this seed: its mapping gives whole objects to fields without names, around a dispatch.
    var cases = RandomCases(seed: 81933 &+ 3 << 32)
    let random = cases.typedCase()
    let mapper = try Mapper(random.mapping)
    #expect(mapper.plan.description.contains("rest['se.cond']: by kind: a is from ErasedRow"))
    let rest = #""rest":{"se.cond":{"kind":"a","c":3}}"#
    let text = #"{"first":[{"first":{},\#(rest),\#(rest)}],"rest":{"se.cond":"x"}}"#
    for parser in [RecordParser.auto, .index, .yajl] {
      var mapper = mapper
      mapper.parser = parser
      let record = mapper.decode(text)
      let unknown = record.issues.filter { $0.code == .unknownKey }
      #expect(unknown.map { $0.position?.bytes } == [90..<93])
      try checkMeaning(text, record, random)
    }
  }

  private struct Difference: Error, CustomStringConvertible { let description: String }

  private func compiled(_ random: TypedCase, _ seed: UInt64) -> Mapper<Erased>? {
    do {
      var limits = Limits()
      limits.errorsPerRecord = 100_000
      return try Mapper(random.mapping, limits: limits)
    } catch {
      Issue.record("seed \(seed): \(error)")
      return nil
    }
  }

  // MARK: Round trips

  private func checkRoundTrip(_ value: Erased, _ mapper: Mapper<Erased>, _ random: TypedCase)
    throws
  {
    let written = try mapper.encode(value)
    let text = String(decoding: written, as: UTF8.self)
    let record = mapper.decode(written)
    if let error = record.error { throw Difference(description: "\(error) in \(text)") }
    try checkMeaning(text, record, random)
    let decoded = try record.get()
    guard decoded == value else {
      throw Difference(description: "\(decoded) from \(text), \(record.issues)")
    }
    let again = String(decoding: try mapper.encode(decoded), as: UTF8.self)
    if !random.hasSets, again != text {
      throw Difference(description: "\(again) for \(text)")
    }
    let converted = try mapper.convert(value, to: mapper).get()
    guard converted == value else { throw Difference(description: "converted: \(converted)") }
  }

  // MARK: Hostile documents

  /// The reference interpreter makes the same value, or the same errors, of a document.
  private func checkMeaning(_ document: String, _ record: Record<Erased>, _ random: TypedCase)
    throws
  {
    guard let json = NaiveJSON(Array(document.utf8)) else { return }
    let expected = ReferenceInterpreter.map(json, by: random.mapping.definition)
    if let difference = Routes.difference(record, expected) {
      throw Difference(description: "by the reference interpreter: \(difference)\nof \(document)")
    }
  }

  /// What all routes make of a document.
  private func checkRoutes(
    _ document: [UInt8], _ mapper: Mapper<Erased>, _ cases: inout RandomCases
  ) throws -> Record<Erased> {
    let sizes = [1, 1 + cases.below(8), 1 + cases.below(40)]
    let records = try Routes.run(mapper, document, at: [], format: .json, pieceSizes: sizes) {
      "\($0)"
    }
    let record = try #require(records.first)
    let errors = record.issues + (record.error.map { [$0] } ?? [])
    for error in errors {
      guard let position = error.position, error.record == 1,
        MarkedFeed.position(position.bytes, in: document) == position
      else { throw Difference(description: "no true address: \(error)") }
      if record.value == nil, error.severity == .issue, record.error == nil {
        throw Difference(description: "no value, and only issues: \(error)")
      }
    }
    try checkFoundation(document, mapper, record)
    return record
  }

  /// Through Foundation's values there are no positions; all else is the same.
  private func checkFoundation(
    _ document: [UInt8], _ mapper: Mapper<Erased>, _ record: Record<Erased>
  ) throws {
    guard let json = NaiveJSON(document), let value = json.foundation else { return }
    let other = mapper.decode(foundationObject: value)
    let (found, expected) = (Self.outcome(of: other), Self.outcome(of: record))
    if found != expected {
      throw Difference(description: "through Foundation:\n\(found)\nfor:\n\(expected)")
    }
  }

  private static func outcome(of record: Record<Erased>) -> String {
    var errors = record.issues
    if let error = record.error {
      errors +=
        error.leaves
    }
    return
      ([record.value == nil ? "no value" : "a value"]
      + errors.map { "\($0.severity) \($0.code) \($0.path) → \($0.target ?? JSONPath())" }.sorted())
      .joined(separator: "\n")
  }

  /// Several jobs make the same records as one.
  private func checkJobs(_ documents: [String], _ mapper: Mapper<Erased>, _ seed: UInt64) throws {
    let feed = documents.joined(separator: "\n").utf8
    func records(_ jobs: Int) throws -> String {
      Routes.describe(
        Array(try mapper.records(in: Feed(feed, format: .concatenated), jobs: jobs)), { "\($0)" })
    }
    let (one, three) = (try records(1), try records(3))
    if one != three { Issue.record("seed \(seed): several jobs\n\(three)\nfor:\n\(one)") }
  }
}

extension NaiveJSON {
  /// The value in Foundation's types; nil if these cannot hold it: they have no equal keys and no digits as written.
  fileprivate var foundation: Any? {
    switch value {
    case .null: return NSNull()
    case .bool(let value): return value
    case .string(let text): return text
    case .number(let text):
      if let integer = Int64(text), "\(integer)" == text { return integer }
      guard let number = Double(text), number.isFinite, "\(number)" == text else { return nil }
      return number
    case .array(let elements):
      let values = elements.compactMap(\.foundation)
      return values.count == elements.count ? values : nil
    case .object(let members):
      let pairs = members.compactMap { member in member.value.foundation.map { (member.key, $0) } }
      guard pairs.count == members.count, Set(pairs.map(\.0)).count == pairs.count else {
        return nil
      }
      return Dictionary(uniqueKeysWithValues: pairs)
    }
  }
}
