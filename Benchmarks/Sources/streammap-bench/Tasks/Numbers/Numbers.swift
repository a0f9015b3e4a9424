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
    StreamMapContender.contender(try Mapper(Outlines.mapping), feed) { $1.add($0) }
  }

  private static func foundation(_ feed: MappedFile) -> any Contender {
    FoundationContender.contender(Outlines.self, feed) { $1.add($0) }
  }
}

/// A collection of outlines in GeoJSON (RFC 7946).
struct Outlines: Decodable {
  let features: [Feature]

  struct Feature: Decodable {
    let geometry: Geometry

    static let mapping = Mapping.object(Feature.self) { field in
      field.make(Feature.init, field("geometry", \.geometry, Geometry.mapping))
    }
  }

  struct Geometry: Decodable {
    let coordinates: [[[Double]]]

    static let mapping = Mapping.object(Geometry.self) { field in
      field.make(Geometry.init, field("coordinates", \.coordinates))
    }
  }

  static let mapping = Mapping.object(Outlines.self) { field in
    field.make(
      Outlines.init, field("features", \.features, .array(of: Feature.mapping)))
  }
}

extension DigestBuilder {
  mutating func add(_ outlines: Outlines) {
    for feature in outlines.features {
      for ring in feature.geometry.coordinates {
        for point in ring {
          for number in point { add(number) }
        }
      }
    }
  }
}
