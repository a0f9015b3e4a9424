import Foundation
import StreamMap

/// What the operator decides: one JSON file, in which every member is needed.
struct Settings: Decodable, Sendable {
  /// Where the service listens; 0 takes any free port.
  let host: String
  let port: Int
  /// The folder of mapping files: `acme/orders.map.yaml` is the mapping `acme/orders`.
  let mappings: String
  /// The database's file.
  let database: String
  /// Whether the page at `/` is there, with what it asks for.
  ///
  /// Turn it off where strangers come by.
  let page: Bool
  /// How many feeds may run at once.
  let feeds: Int
  /// How many threads map all of them; with 0, each is mapped where its request is read.
  ///
  /// Where many feeds come at once, 0 costs least. With threads, one large feed gets more than one core, and a mapping that takes long
  /// does not hold up other requests.
  let mappingThreads: Int
  /// How long running feeds may go on when the service is to stop.
  let graceSeconds: Double
  /// A client that sends fewer bytes a second than this, over a window of so many seconds, is dropped.
  let minimumPace: Int
  let paceSeconds: Double
  let tenants: [Tenant]

  init(contentsOf path: String) throws {
    let data = try Data(contentsOf: URL(filePath: path))
    self = try JSONDecoder().decode(Settings.self, from: data)
  }

  /// The tenant that a header `Authorization: Bearer …` names.
  func tenant(authorized header: String?) -> Tenant? {
    guard let header, header.lowercased().hasPrefix("bearer ") else { return nil }
    let token = Array(header.dropFirst(7).utf8)
    // Every tenant is compared, and every byte: how long it takes tells nothing about the tokens.
    return tenants.reduce(nil) { found, tenant in
      tenant.isToken(token) ? tenant : found
    }
  }
}

/// Whoever sends feeds, and what one feed of theirs may demand.
struct Tenant: Decodable, Sendable {
  let name: String
  let token: String
  /// The mappings that they may use: names, or folders that end with a slash.
  let mappings: [String]
  /// How many of their feeds may run at once.
  let feeds: Int
  /// Bytes of a feed, before compression.
  let maximumBytes: Int
  /// Records of a feed.
  let maximumRecords: Int
  /// How long one request may take.
  let maximumSeconds: Double

  func mayUse(_ mapping: String) -> Bool {
    mappings.contains { $0 == mapping || $0.hasSuffix("/") && mapping.hasPrefix($0) }
  }

  fileprivate func isToken(_ other: [UInt8]) -> Bool {
    let own = Array(token.utf8)
    if own.isEmpty || own.count != other.count { return false }
    return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
