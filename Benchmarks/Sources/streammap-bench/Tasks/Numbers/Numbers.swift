import StreamMap

/// Outlines on a map: nearly nothing but doubles.
enum Numbers: BenchmarkTask {
  static let name = "numbers"
  static let summary = "nested arrays of doubles, as in canada.json"
  static let feed = "numbers.ndjson"

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    try YajlBaseline.contenders(feed) + [
      streamMap(feed), foundation(feed), Peers.simdjson(name, bench, feed.path),
    ] + Peers.serde(["slices"], name, bench, feed.path)
      + Peers.python(["msgspec", "orjson"], name, bench, feed.path)
  }

  private static func streamMap(_ feed: MappedFile) throws -> any Contender {
    StreamMapContender.contender(try Mapper(Outlines.mapping), feed)
  }

  private static func foundation(_ feed: MappedFile) -> any Contender {
    FoundationContender.contender(Outlines.self, feed)
  }
}

// The mappings are those that `@Mappable` generates, like serde's `derive` for the peer: see TweetUser.swift.

/// A collection of outlines in GeoJSON (RFC 7946).
struct Outlines: Mappable, Decodable {
  let features: [Feature]

  struct Feature: Mappable, Decodable {
    let geometry: Geometry

    static var mapping: Mapping<Feature> {
      var fields = _GeneratedFields<Feature>()
      fields.add("geometry", at: .key("geometry"), \.geometry) { $0.geometry }
      return Mapping(_generated: fields, storesOnlyFields: true) { slots in
        Feature(slots: &slots)
      }
    }

    private init(slots: inout _GeneratedSlots) {
      geometry = slots.take()
    }
  }

  struct Geometry: Mappable, Decodable {
    let coordinates: [[[Double]]]

    static var mapping: Mapping<Geometry> {
      var fields = _GeneratedFields<Geometry>()
      fields.add("coordinates", at: .key("coordinates"), \.coordinates) { $0.coordinates }
      return Mapping(_generated: fields, storesOnlyFields: true) { slots in
        Geometry(slots: &slots)
      }
    }

    private init(slots: inout _GeneratedSlots) {
      coordinates = slots.take()
    }
  }

  static var mapping: Mapping<Outlines> {
    var fields = _GeneratedFields<Outlines>()
    fields.add("features", at: .key("features"), \.features) { $0.features }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      Outlines(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    features = slots.take()
  }
}

extension Outlines: Digestible {
  func read(by digest: inout DigestBuilder) {
    for feature in features {
      for ring in feature.geometry.coordinates {
        for point in ring {
          for number in point { digest.add(number) }
        }
      }
    }
  }
}
