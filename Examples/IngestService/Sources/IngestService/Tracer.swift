import Hummingbird
import Synchronization
import Tracing

/// Makes spans for OpenTelemetry, and keeps the finished ones until ``TraceExport`` sends them.
///
/// A request that has `traceparent` continues the caller's trace.
final class ServiceTracer: Tracer {
  /// Spans that wait to be sent; further ones are lost, so that a collector that is away costs no memory.
  private static let most = 4096

  private let finished = Mutex<(spans: [OTLP.Span], lost: Int)>(([], 0))

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> InstrumentationContext,
    ofKind kind: SpanKind, at instant: @autoclosure () -> Instant, function: String,
    file fileID: String, line: UInt
  ) -> ServiceSpan {
    let context = context()
    return ServiceSpan(
      operationName, kind, in: context, at: instant().nanosecondsSinceEpoch, tracer: self)
  }

  /// It is sent by ``TraceExport``, before the service ends.
  func forceFlush() {}

  func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {
    context.traceParent = extractor.extract(key: "traceparent", from: carrier).flatMap {
      TraceParent(header: $0)
    }
  }

  func inject<Carrier, Inject: Injector>(
    _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    guard let parent = context.traceParent else { return }
    injector.inject(parent.header, forKey: "traceparent", into: &carrier)
  }

  fileprivate func finish(_ span: OTLP.Span) {
    finished.withLock {
      if $0.spans.count < Self.most { $0.spans.append(span) } else { $0.lost += 1 }
    }
  }

  /// The finished spans, which it keeps no longer, and how many were lost.
  func take() -> (spans: [OTLP.Span], lost: Int) {
    finished.withLock { finished in
      defer { finished = ([], 0) }
      return finished
    }
  }
}

/// A span that is not over, or is.
final class ServiceSpan: Span {
  private struct State {
    var span: OTLP.Span
    var attributes: SpanAttributes = [:]
    var isOver = false
  }

  /// Events and links of one span, at the most.
  private static let most = 128

  let context: InstrumentationContext
  let isRecording: Bool
  private let state: Mutex<State>
  private let tracer: ServiceTracer

  fileprivate init(
    _ name: String, _ kind: SpanKind, in parent: InstrumentationContext, at start: UInt64,
    tracer: ServiceTracer
  ) {
    let place = TraceParent(in: parent.traceParent)
    var context = parent
    context.traceParent = place
    (self.context, self.tracer, isRecording) = (context, tracer, place.isSampled)
    state = Mutex(
      State(
        span: OTLP.Span(
          traceId: place.trace, spanId: place.span, parentSpanId: parent.traceParent?.span,
          name: name, kind: OTLP.kind(kind), startTimeUnixNano: "\(start)")))
  }

  var operationName: String {
    get { state.withLock { $0.span.name } }
    set { state.withLock { $0.span.name = newValue } }
  }

  var attributes: SpanAttributes {
    get { state.withLock { $0.attributes } }
    set { state.withLock { $0.attributes = newValue } }
  }

  func setStatus(_ status: SpanStatus) {
    state.withLock { $0.span.status = OTLP.Status(status) }
  }

  func addEvent(_ event: SpanEvent) {
    state.withLock {
      guard $0.span.events.count < Self.most else { return }
      $0.span.events.append(
        OTLP.Event(
          timeUnixNano: "\(event.nanosecondsSinceEpoch)", name: event.name,
          attributes: OTLP.attributes(event.attributes)))
    }
  }

  /// Notes the kind of an error; its text could have a value of a feed.
  func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) {
    var attributes = attributes
    attributes["exception.type"] = "\(type(of: error))"
    addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
  }

  func addLink(_ link: SpanLink) {
    guard let place = link.context.traceParent else { return }
    state.withLock {
      guard $0.span.links.count < Self.most else { return }
      $0.span.links.append(
        OTLP.Link(
          traceId: place.trace, spanId: place.span, attributes: OTLP.attributes(link.attributes)))
    }
  }

  func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    let end = instant().nanosecondsSinceEpoch
    let finished = state.withLock { state -> OTLP.Span? in
      guard !state.isOver else { return nil }
      state.isOver = true
      state.span.endTimeUnixNano = "\(end)"
      state.span.attributes = OTLP.attributes(state.attributes)
      return state.span
    }
    if let finished, isRecording { tracer.finish(finished) }
  }
}

/// Says in the log to which trace a request belongs.
struct TraceLogMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: ServiceContext,
    next: (Request, ServiceContext) async throws -> Response
  ) async throws -> Response {
    if let place = InstrumentationContext.current?.traceParent {
      context.log.note("trace", place.trace)
    }
    return try await next(request, context)
  }
}
