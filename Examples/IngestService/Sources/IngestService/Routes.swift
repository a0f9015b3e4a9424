import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// What a request brings along; the channel is for closing the connection.
struct ServiceContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

/// The service's addresses.
func makeRouter(
  _ settings: Settings, _ uploads: Uploads, _ prometheus: PrometheusFactory
) -> Router<ServiceContext> {
  let router = Router(context: ServiceContext.self)
  router.addMiddleware {
    MetricsMiddleware()
    ClosingMiddleware()
  }
  /// A route for whoever has a token.
  func authorized(
    _ use: @escaping @Sendable (Request, ServiceContext, Tenant) async throws -> Response
  ) -> @Sendable (Request, ServiceContext) async throws -> Response {
    { request, context in
      guard let tenant = settings.tenant(authorized: request.headers[.authorization]) else {
        throw Problem(
          .unauthorized, "a known token is needed", headers: [.wwwAuthenticate: "Bearer"])
      }
      var context = context
      context.logger[metadataKey: "tenant"] = "\(tenant.name)"
      return try await use(request, context, tenant)
    }
  }
  router.post("ingest/**", use: authorized(uploads.create))
  router.patch("uploads/{id}", use: authorized(uploads.append))
  router.get("uploads/{id}", use: authorized(uploads.show))
  router.head("uploads/{id}", use: authorized(uploads.show))

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
  if settings.page {
    router.get("") { _, _ in Page.html }
    router.get("page.css") { _, _ in Page.css }
    router.get("page.js") { _, _ in Page.script }
    router.get("feeds") { _, _ in try Response.json(uploads.feeds.all.map(\.figures)) }
    router.post("try", use: TryOut(pool: uploads.pool).run)
  }
  return router
}

/// Ends the connection of a request that is refused, because the rest of its body may be endless.
///
/// A moment passes before, in which what comes is read and thrown away: a client that is still sending could not read the answer
/// otherwise.
struct ClosingMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: ServiceContext,
    next: (Request, ServiceContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch let error as any HTTPResponseError {
      response = try error.response(from: request, context: context)
    }
    let hasBody = request.method == .post || request.method == .patch
    if hasBody, response.status.kind != .successful {
      response.headers[.connection] = "close"
      let channel = context.channel
      channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
    }
    return response
  }
}
