import Hummingbird
import Logging
import Metrics
import ServiceLifecycle
import StreamMap
import StreamMapFiles
import StreamMapObservation

/// Takes JSON feeds over HTTP, maps them and stores them: `IngestService [settings.json]`.
@main
struct IngestService {
  static func main() async throws {
    let settings = try Settings(
      contentsOf: CommandLine.arguments.dropFirst().first ?? "settings.json")
    let logger = Logger(label: "ingest")
    let prometheus = PrometheusFactory()
    MetricsSystem.bootstrap(prometheus)

    let feeds = RunningFeeds(settings)
    let catalog = try MappingCatalog(folder: settings.mappings)
    let uploads = Uploads(
      store: try Store(path: settings.database), feeds: feeds, catalog: catalog,
      pool: settings.mappingThreads > 0 ? WorkerPool(threads: settings.mappingThreads) : nil,
      metrics: MetricsObserver())
    let application = Application(
      router: makeRouter(settings, uploads, prometheus),
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port)),
      onServerRunning: { channel in
        logger.info("listening", metadata: ["port": "\(channel.localAddress?.port ?? 0)"])
      }, logger: logger)

    // Ended in the opposite order: first no feed may begin and the running ones come to their ends, then the server stops.
    var configuration = ServiceGroupConfiguration(
      services: [CatalogService(catalog: catalog, logger: logger), application, feeds],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(settings.graceSeconds + 10)
    try await ServiceGroup(configuration: configuration).run()
  }
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
