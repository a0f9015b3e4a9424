import Foundation
import Hummingbird
import Logging
import Metrics
import NIOCore
import ServiceLifecycle
import StreamMap
import StreamMapFiles
import StreamMapObservation
import Tracing

/// Takes JSON feeds over HTTP, maps them and stores them: `IngestService [settings.json]`.
///
/// `IngestService token` makes a token: one line for the client, and one for the settings.
///
/// The exit status is 0 after SIGTERM, 2 where the settings have mistakes, and 1 where something else is in the way: the folder of
/// mappings, the database, the port.
@main
struct IngestService {
  static func main() async {
    // Until it is waited for, it ends nothing.
    signal(SIGHUP, SIG_IGN)
    let argument = CommandLine.arguments.dropFirst().first
    if argument == "token" {
      let token = Token.make()
      print("token: \(token)\nsettings: \(TokenHash(of: token.utf8).written)")
      return
    }
    do {
      try await serve {
        try Settings(
          contentsOf: argument ?? "settings.json",
          environment: ProcessInfo.processInfo.environment)
      }
    } catch {
      FileHandle.standardError.write(Data("IngestService: \(error)\n".utf8))
      exit(error is Settings.Mistakes ? 2 : 1)
    }
  }

  private static func serve(_ read: @escaping @Sendable () throws -> Settings) async throws {
    let settings = try read()
    let current = CurrentSettings(settings)
    LoggingSystem.bootstrap { logHandler(settings, label: $0) }
    let logger = Logger(label: "ingest")
    let prometheus = PrometheusFactory()
    MetricsSystem.bootstrap(prometheus)
    let tracer = settings.traces.isEmpty ? nil : ServiceTracer()
    if let tracer { InstrumentationSystem.bootstrap(tracer) }

    let feeds = RunningFeeds(settings)
    let catalog = try MappingCatalog(folder: settings.mappings)
    let uploads = Uploads(
      store: try await Store(
        settings.database, patience: .seconds(settings.databaseSeconds)),
      feeds: feeds, catalog: catalog,
      pool: settings.mappingThreads > 0 ? WorkerPool(threads: settings.mappingThreads) : nil,
      metrics: FeedMetrics(), spans: tracer.map { TracingObserver($0) },
      retention: RetentionTimes(settings))
    let application = Application(
      router: makeRouter(current, uploads, prometheus),
      server: .http1(
        configuration: .init(idleTimeout: .nanoseconds(Int64(settings.idleSeconds * 1e9)))),
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port),
        availableConnectionsDelegate: .maximum(settings.connections, logger: logger)),
      onServerRunning: { channel in
        logger.info("listening", metadata: ["port": "\(channel.localAddress?.port ?? 0)"])
      }, logger: logger)

    // Ended in the opposite order: first no feed may begin and the running ones come to their ends, then the server stops, and the last
    // spans are sent at the end.
    let export = tracer.map {
      TraceExport(tracer: $0, collector: settings.traces, logger: logger)
    }
    var configuration = ServiceGroupConfiguration(
      services: (export.map { [$0] } ?? []) + [
        SettingsReload(current: current, read: read, logger: logger),
        CatalogService(catalog: catalog, logger: logger),
        Retention(times: uploads.retention, store: uploads.store, feeds: feeds, logger: logger),
        application, feeds,
      ],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(settings.graceSeconds + 10)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch let error as IOError {
      let reason = String(cString: strerror(error.errnoCode))
      throw StartFailure("cannot listen on \(settings.host):\(settings.port): \(reason)")
    }
  }

  private static func logHandler(_ settings: Settings, label: String) -> any LogHandler {
    var handler: any LogHandler =
      settings.logFormat == "json"
      ? JSONLogHandler(label: label) : StreamLogHandler.standardError(label: label)
    handler.logLevel = Logger.Level(rawValue: settings.logLevel) ?? .info
    return handler
  }
}

/// Why the service cannot run.
struct StartFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Reads the mapping files again when they change.
struct CatalogService: Service {
  let catalog: MappingCatalog
  let logger: Logger

  func run() async throws {
    tell(catalog.contents)
    await cancelWhenGracefulShutdown {
      await catalog.watch(every: .seconds(2)) { tell($0) }
    }
  }

  private func tell(_ contents: MappingCatalog.Contents) {
    for mistakes in contents.mistakes { logger.error("\(mistakes)") }
  }
}
