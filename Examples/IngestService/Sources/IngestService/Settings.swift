import Foundation
import StreamMap

/// What the operator decides: one JSON file, in which every member is needed, and variables of the environment that take the place of some.
///
/// StreamMap itself reads it: each mistake has its line, and all of them are reported at once.
struct Settings: Sendable, Equatable {
  /// Where the service listens; port 0 takes any free one.
  let host: String
  let port: Int
  /// The folder of mapping files: `acme/orders.map.yaml` is the mapping `acme/orders`.
  let mappings: String
  /// The database: a file of SQLite, or an address of PostgreSQL without a password.
  let database: String
  /// How long a writer waits where another program holds the database, or it is just not there.
  let databaseSeconds: Double
  /// How long a complete upload is kept, with its records and rejects; 0 keeps it for ever.
  let keepDays: Double
  /// How long an upload is kept that is not complete, counted from its last change; 0 keeps it for ever.
  let keepUnfinishedDays: Double
  /// Whether the page at `/` is there, with what it asks for.
  ///
  /// Turn it off where strangers come by.
  let page: Bool
  /// The least level that is logged, from `trace` to `critical`.
  let logLevel: String
  /// `text` for people, `json` for programs.
  let logFormat: String
  /// The collector of OpenTelemetry that gets the traces, such as `http://localhost:4318`; empty for none.
  let traces: String
  /// How many connections there may be at once; further ones wait until the kernel's queue is full.
  let connections: Int
  /// How long a connection may stay without a byte of a request.
  let idleSeconds: Double
  /// How many feeds may run at once.
  let feeds: Int
  /// How many threads map all of them; with 0, each is mapped where its request is read.
  ///
  /// Where many feeds come at once, 0 costs least. With threads, one large feed gets more than one core, and a mapping that takes long
  /// does not hold up other requests.
  let mappingThreads: Int
  /// How long running feeds may continue when the service is to stop.
  let graceSeconds: Double
  /// A client that sends fewer bytes a second than this, over a window of so many seconds, is dropped.
  let minimumPace: Int
  let paceSeconds: Double
  /// Who may send feeds; these change without a restart.
  var tenants: [Tenant]
}

extension Settings {
  /// What is wrong with the file, one mistake a line.
  struct Mistakes: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads the file, and the environment.
  ///
  /// - Throws: ``Mistakes``.
  init(contentsOf path: String, environment: [String: String]) throws {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw Mistakes(description: "\(path): cannot be read")
    }
    try self.init(bytes, named: path, environment: environment)
  }

  /// Reads the text of a file, and the environment.
  ///
  /// - Throws: ``Mistakes``.
  init(_ bytes: some FeedBuffer, named name: String, environment: [String: String] = [:]) throws {
    let variables = environment.filter { $0.key.hasPrefix(Self.prefix) }
    // The rules about several members are for what the environment leaves of them.
    switch try Mapper(variables.isEmpty ? Self.mapping : Self.members).decode(bytes).result {
    case .success(let settings):
      self = variables.isEmpty ? settings : try settings.replacing(by: variables, named: name)
    case .failure(let error):
      let lines = error.leaves.map { fault in
        let place = fault.position.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(name)\(place): \(fault.path): \(fault.message)"
      }
      throw Mistakes(description: lines.joined(separator: "\n"))
    }
  }

  /// The tenant that a header `Authorization: Bearer …` names.
  func tenant(authorized header: String?) -> Tenant? {
    guard let header, header.lowercased().hasPrefix("bearer ") else { return nil }
    let hash = TokenHash(of: header.dropFirst(7).utf8)
    // All tokens of all tenants are compared: how long it takes does not tell whose token is nearly right.
    return tenants.reduce(nil) { found, tenant in
      tenant.tokens.reduce(false) { $1.isSame(as: hash) || $0 } ? tenant : found
    }
  }
}

/// Who sends feeds, and what one feed of theirs may demand.
struct Tenant: Sendable, Equatable {
  let name: String
  /// The hashes of the tokens that are theirs; two while a new one takes the place of an old one.
  let tokens: [TokenHash]
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
  /// How many times as large as what is sent a compressed feed may become.
  let maximumExpansion: Int

  /// Whether the tenant may use a mapping; names are compared by their bytes.
  func mayUse(_ mapping: String) -> Bool {
    mappings.contains { own in
      own.hasSuffix("/")
        ? mapping.utf8.starts(with: own.utf8) : mapping.utf8.elementsEqual(own.utf8)
    }
  }
}

// MARK: How the file is read

extension Settings {
  /// A time, in seconds: no more than a month.
  fileprivate static let seconds = Mapping.double.validated(.in(0...31 * 86_400))
  /// A time, in days: no more than a hundred years.
  private static let days = Mapping.double.validated(.in(0...36_525))
  fileprivate static let text = Mapping.string.validated(.minLength(1))
  fileprivate static let count = Mapping.int.validated(.min(1))

  private static let database = text.validated(
    Rule(
      "database",
      expecting:
        "a path, or postgres://user@host/database as libpq reads it, with the password elsewhere"
    ) { !PostgresAddress.isOne($0) || PostgresAddress($0) != nil })

  private static let collector = Mapping.string.validated(
    Rule("collector", expecting: "nothing, or the address of a collector, as http://localhost:4318")
    {
      $0.isEmpty
        || ["http", "https"].contains(URL(string: $0)?.scheme)
          && URL(string: $0)?.host()?.isEmpty == false
    })
  private static let levels = [
    "trace", "debug", "info", "notice", "warning", "error", "critical",
  ]

  /// Each member by itself.
  static let members = Mapping.object(Settings.self) { field in
    let host = field("host", \.host, text)
    let port = field("port", \.port, .int.validated(.in(0...65_535)))
    let mappings = field("mappings", \.mappings, text)
    let database = field("database", \.database, database)
    let databaseSeconds = field("databaseSeconds", \.databaseSeconds, seconds)
    let keepDays = field("keepDays", \.keepDays, days)
    let keepUnfinishedDays = field("keepUnfinishedDays", \.keepUnfinishedDays, days)
    let page = field("page", \.page, .bool)
    let logLevel = field("logLevel", \.logLevel, .string.validated(.oneOf(levels)))
    let logFormat = field("logFormat", \.logFormat, .string.validated(.oneOf(["text", "json"])))
    let traces = field("traces", \.traces, collector)
    let connections = field("connections", \.connections, count)
    let idleSeconds = field("idleSeconds", \.idleSeconds, seconds)
    let feeds = field("feeds", \.feeds, count)
    let threads = field("mappingThreads", \.mappingThreads, .int.validated(.in(0...256)))
    let graceSeconds = field("graceSeconds", \.graceSeconds, seconds)
    let minimumPace = field("minimumPace", \.minimumPace, .int.validated(.min(0)))
    let paceSeconds = field("paceSeconds", \.paceSeconds, seconds)
    let tenants = field("tenants", \.tenants, .array(of: Tenant.mapping).validated(.minCount(1)))
    return field.make(
      Settings.init, host, port, mappings, database, databaseSeconds, keepDays, keepUnfinishedDays,
      page, logLevel, logFormat, traces, connections, idleSeconds, feeds, threads, graceSeconds,
      minimumPace, paceSeconds, tenants)
  }
  .unknownKeys(.fail).duplicateKeys(.fail)

  /// The members, and what they have to be to each other.
  static let mapping = members.validated(
    // A slow client is to hear why it is dropped, and one that waits for the database is not to be dropped.
    Rule("idle", expecting: "idleSeconds above paceSeconds and databaseSeconds") {
      $0.idleSeconds > max($0.paceSeconds, $0.databaseSeconds)
    },
    Rule("names", expecting: "tenants with a name of their own each") { settings in
      Set(settings.tenants.map { Array($0.name.utf8) }).count == settings.tenants.count
    },
    Rule("tokens", expecting: "tokens that are each listed once, for one tenant") { settings in
      let tokens = settings.tenants.flatMap(\.tokens)
      return Set(tokens).count == tokens.count
    })
}

extension Tenant {
  private static let token: Mapping<TokenHash> = .converted(
    from: .string,
    { text in
      guard let hash = TokenHash(written: text) else {
        throw ConversionFailure(expected: "the hash of a token, as IngestService token writes it")
      }
      return hash
    }, reverse: { $0.written })

  fileprivate static let mapping = Mapping.object(Tenant.self) { field in
    field.make(
      Tenant.init, field("name", \.name, Settings.text),
      field("tokens", \.tokens, .array(of: token).validated(.minCount(1))),
      field("mappings", \.mappings, .array(of: Settings.text)),
      field("feeds", \.feeds, Settings.count),
      field("maximumBytes", \.maximumBytes, Settings.count),
      field("maximumRecords", \.maximumRecords, Settings.count),
      field("maximumSeconds", \.maximumSeconds, Settings.seconds),
      field("maximumExpansion", \.maximumExpansion, Settings.count))
  }
  .unknownKeys(.fail).duplicateKeys(.fail)
}
