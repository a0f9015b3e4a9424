import StreamMap

/// Records of 60 bytes: the cost of a record, rather than the cost of a byte.
enum Tiny: BenchmarkTask {
  static let name = "tiny"
  static let summary = "records of 60 bytes, all three fields"
  static let feed = "tiny.ndjson"

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    try YajlBaseline.contenders(feed) + [
      streamMap(feed), foundation(feed), Peers.simdjson(name, bench, feed.path),
    ] + Peers.serde(["slices", "stream", "reader"], name, bench, feed.path)
      + Peers.python(["msgspec"], name, bench, feed.path) + [streamMapCommand(feed, bench)]
  }

  private static func streamMap(_ feed: MappedFile) throws -> any Contender {
    StreamMapContender.contender(try Mapper(TinyRecord.mapping), feed)
  }

  private static func foundation(_ feed: MappedFile) -> any Contender {
    FoundationContender.contender(TinyRecord.self, feed)
  }

  private static func streamMapCommand(_ feed: MappedFile, _ bench: Workbench) -> any Contender {
    CommandContender(
      "stream-map", [bench.streamMap, "-m", bench.mapping("tiny.map.yaml"), feed.path],
      read: { try FoundationContender.digest(TinyRecord.self, $0) })
  }
}

struct TinyRecord: Mappable, Decodable {
  let id: Int
  let name: String
  let ok: Bool

  // As `@Mappable` generates it, like serde's `derive` for the peer: see TweetUser.swift.
  static var mapping: Mapping<TinyRecord> {
    var fields = _GeneratedFields<TinyRecord>()
    fields.add("id", at: .key("id"), \.id) { $0.id }
    fields.add("name", at: .key("name"), \.name) { $0.name }
    fields.add("ok", at: .key("ok"), \.ok) { $0.ok }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      TinyRecord(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    id = slots.take()
    name = slots.take()
    ok = slots.take()
  }
}

extension TinyRecord: Digestible {
  func read(by digest: inout DigestBuilder) {
    digest.add(id, salt: 1)
    digest.add(name, salt: 1)
    digest.add(ok ? 1 : 0, salt: 3)
  }
}
