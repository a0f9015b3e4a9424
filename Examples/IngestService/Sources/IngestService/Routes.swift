import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// What a request brings along; the channel is for closing the connection.
struct ServiceContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel
  let log: RequestLog

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
    log = RequestLog(source.logger)
  }
}

/// The service's addresses.
func makeRouter(
  _ current: CurrentSettings, _ uploads: Uploads, _ prometheus: PrometheusFactory
) -> Router<ServiceContext> {
  let router = Router(context: ServiceContext.self)
  router.addMiddleware {
    AnswerMiddleware()
    // They see the errors that are thrown.
    MetricsMiddleware()
    TracingMiddleware()
    TraceLogMiddleware()
    ProblemMiddleware()
  }
  /// A route for those who have a token.
  func authorized(
    _ use: @escaping @Sendable (Request, ServiceContext, Tenant) async throws -> Response
  ) -> @Sendable (Request, ServiceContext) async throws -> Response {
    { request, context in
      guard let tenant = current.settings.tenant(authorized: request.headers[.authorization]) else {
        throw Problem(
          .unauthorized, "a known token is needed", headers: [.wwwAuthenticate: "Bearer"])
      }
      context.log.note("tenant", tenant.name)
      return try await use(request, context, tenant)
    }
  }
  router.post("ingest/**", use: authorized(uploads.create))
  router.patch("uploads/{id}", use: authorized(uploads.append))
  router.get("uploads/{id}", use: authorized(uploads.show))
  router.head("uploads/{id}", use: authorized(uploads.show))
  router.delete("uploads/{id}", use: authorized(uploads.delete))
  router.get("uploads", use: authorized(uploads.list))
  router.get("uploads/{id}/rejects", use: authorized(uploads.rejects))
  router.get("mappings", use: authorized(uploads.mappings))
  router.get("mappings/**", use: authorized(uploads.mapping))
  router.get(
    "feeds",
    use: authorized { _, _, tenant in
      try .json(uploads.feeds.all.filter { $0.tenant == tenant.name }.map(\.figures))
    })

  router.get("health/live") { _, _ in HTTPResponse.Status.noContent }
  router.get("health/ready") { _, _ in
    if uploads.feeds.isStopping { throw Problem(.serviceUnavailable, "the service stops") }
    try await uploads.store.check()
    return HTTPResponse.Status.noContent
  }
  router.get("metrics") { _, _ in
    Response(
      status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: prometheus.text())))
  }
  if current.settings.page {
    router.get("") { _, _ in Page.html }
    router.get("page.css") { _, _ in Page.css }
    router.get("page.js") { _, _ in Page.script }
    router.get("feeds.js") { _, _ in Page.feedsScript }
    router.post("try", use: TryOut(pool: uploads.pool).run)
  }
  return router
}
