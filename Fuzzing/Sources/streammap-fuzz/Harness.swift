import Foundation

@testable import StreamMap

/// A difference that must not occur: between two routes, or between us and a peer.
struct Finding {
  /// Inputs that fail in the same way have the same kind.
  let kind: String
  let details: String
  /// Whether the peers accept the input, if they are what differs.
  var peersAccept: Bool?
}

/// Runs inputs by all routes and peers.
final class Harness {
  private let json: [Reader]
  private let nothing: [Reader]
  private let some: [Reader]
  private let jsonMapper: Mapper<RawJSON>
  let python: PythonPeer?
  private(set) var accepted = 0
  private(set) var rejected = 0
  private(set) var known = [Int](repeating: 0, count: KnownDifference.all.count)

  init(python: PythonPeer?) throws {
    self.python = python
    jsonMapper = try Mapper(output: .raw)
    let nothing = try Mapper(
      output: .object([OutputField("x", from: "not there", .nullable(.any))]))
    let some = try Mapper(
      output: .object([
        OutputField("a", from: "a", .nullable(.any)),
        OutputField("b", from: "b.a", .string.default(.null, when: .missingOrInvalid)),
        OutputField("items", from: "items", .array(of: .number, omitsInvalid: true).default(.null)),
        OutputField("id", from: "id[1].a", .raw.default(.null)),
        OutputField("empty", from: "['']", .nullable(.double).default(.null)),
        OutputField("escaped", from: "['q\"q'].id", .any.default(.null)),
      ]))
    json = try Self.readers("all", jsonMapper)
    self.nothing = try Self.readers("nothing", nothing)
    self.some = try Self.readers("some", some)
  }

  private static func readers(_ name: String, _ mapper: Mapper<RawJSON>) throws -> [Reader] {
    try [(true, RecordParser.auto), (false, .auto), (true, .yajl)].map {
      try Reader(name, mapper, isProjected: $0, parser: $1)
    }
  }

  // MARK: One input

  /// The result of our reader for a document as a whole, with which the other routes and the peers are compared.
  private func document(_ bytes: [UInt8]) -> Row? {
    json[0].rows(bytes, .json, .whole, scanner: scanners[scanners.count - 1])?.first
  }

  /// Runs an input by our routes: a thorough check uses all of them, any other check the routes that its round picks.
  ///
  /// - Returns: A finding; for a single document, also its result, for the peers.
  func check(_ input: Case, isThorough: Bool) -> (finding: Finding?, row: Row?) {
    var random = Random(input.round, 1)
    let (bytes, format) = (input.bytes, input.format)
    guard let rows = json[0].rows(bytes, format, .whole, scanner: scanners[scanners.count - 1])
    else { return (Finding(kind: "engine: no end", details: ""), nil) }
    let addresses = rows.map(\.address)
    func run(_ reader: Reader, _ cuts: Cuts, _ scanner: String, against expected: [Row]?)
      -> Finding?
    {
      guard let found = reader.rows(bytes, format, cuts, scanner: scanner) else {
        return Finding(kind: "engine: no end", details: "\(reader.name), \(cuts), \(scanner)")
      }
      let isSame = expected.map { $0 == found } ?? (found.map(\.address) == addresses)
      if isSame { return nil }
      return Finding(
        kind: "routes differ",
        details: """
          \(reader.name), \(cuts), scanner \(scanner)
          \(found.map(\.text).joined(separator: "\n"))
          against
          \((expected ?? rows).map(\.text).joined(separator: "\n"))
          """)
    }
    let cuts: [Cuts] =
      isThorough
      ? [.whole] + (1...max(32, min(bytes.count, 200))).map { .every($0) }
      : [
        random.below(2) == 0
          ? .every(1 + random.below(32)) : .random(random, most: 1 + random.below(40))
      ]
    for cut in cuts {
      for scanner in isThorough ? scanners : [random.one(of: scanners)] {
        for reader in isThorough ? json : [random.one(of: json)] {
          if let finding = run(reader, cut, scanner, against: rows) { return (finding, nil) }
        }
        for reader in isThorough ? nothing : [random.one(of: nothing)] {
          if let finding = run(reader, cut, scanner, against: nil) { return (finding, nil) }
        }
      }
    }
    // A mapping of some fields: the results with and without its projection must be the same.
    guard let whole = some[1].rows(bytes, format, .whole, scanner: "portable") else {
      return (Finding(kind: "engine: no end", details: some[1].name), nil)
    }
    if whole.map(\.address) != addresses {
      return (
        Finding(kind: "mappings differ", details: "\(whole.map(\.address))\n\(addresses)"), nil
      )
    }
    let projected = [some[0], some[2]]
    for cut in cuts {
      for reader in isThorough ? projected : [random.one(of: projected)] {
        if let finding = run(reader, cut, random.one(of: scanners), against: whole) {
          return (finding, nil)
        }
      }
    }
    if let finding = Framing.check(rows, bytes, format, document) { return (finding, nil) }
    if rows.contains(where: { $0.code != nil }) { rejected += 1 } else { accepted += 1 }
    return (nil, format == .json ? rows.first : nil)
  }

  // MARK: Peers

  /// Compares documents with the peers; returns a finding for each document that has one.
  func findings(_ batch: [(input: Case, row: Row)]) throws -> [(Case, Finding)] {
    let answers = try python?.verdicts(batch.map { ($0.input.bytes, $0.row.value) })
    var findings: [(Case, Finding)] = []
    for (index, (input, row)) in batch.enumerated() {
      var verdicts: [(Peer, PeerVerdict)] = [
        (.foundation, LocalPeers.foundation(input.bytes, row.value))
      ]
      // yajl knows no byte-order mark; our reader skips it.
      let text =
        input.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(input.bytes.dropFirst(3)) : input.bytes
      verdicts.append((.yajl, LocalPeers.yajl(text, row.value)))
      if let answer = answers?[index] {
        verdicts.append((.python, PeerVerdict(answer)))
        if python?.hasOrjson == true { verdicts.append((.orjson, PeerVerdict(answer >> 2))) }
      }
      for (peer, theirs) in verdicts {
        let difference = Difference(peer: peer, bytes: input.bytes, ours: row, theirs: theirs)
        if difference.isAcceptedHere == theirs.accepts, !theirs.accepts || theirs.isSame {
          continue
        }
        if let index = KnownDifference.index(of: difference) {
          known[index] += 1
          continue
        }
        let what =
          row.message.map { "accepts, we say: \($0)" }
          ?? (theirs.accepts ? "reads another value" : "rejects")
        findings.append(
          (
            input,
            Finding(
              kind: "\(peer.rawValue) \(what)", details: "ours: \(row.text)",
              peersAccept: theirs.accepts)
          ))
        break
      }
    }
    return findings
  }

  /// Runs one input by everything, for minimizing.
  func examine(_ input: Case) throws -> Finding? {
    let (finding, row) = check(input, isThorough: true)
    if let finding { return finding }
    guard let row else { return nil }
    return try findings([(input, row)]).first?.1
  }

  // MARK: Jobs

  /// A feed of many inputs, mapped by one thread and by several.
  func checkJobs(_ bytes: [UInt8], _ format: FeedFormat) throws -> Finding? {
    let one = try jsonMapper.records(in: Feed(bytes, format: format)).map(Row.init)
    for jobs in [2, 3] {
      let several = try jsonMapper.records(in: Feed(bytes, format: format), jobs: jobs).map(
        Row.init)
      if several == one { continue }
      let first = zip(one, several).first { $0 != $1 }
      return Finding(
        kind: "jobs differ",
        details: "\(jobs) jobs: \(several.count) records against \(one.count)\n"
          + "\(first?.1.text ?? "")\nagainst\n\(first?.0.text ?? "")")
    }
    return nil
  }
}

extension Row {
  var text: String {
    "#\(number) [\(position.map { "\($0)" } ?? "-")] "
      + (value.map { String(decoding: $0, as: UTF8.self) } ?? "-") + " " + (error ?? "")
  }
}

extension PeerVerdict {
  init(_ bits: UInt8) {
    accepts = bits & 1 != 0
    isSame = bits & 2 != 0
  }
}
