import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import Tracing

/// Sends the finished spans to a collector of OpenTelemetry, as JSON over HTTP (OTLP 1).
final class TraceExport: Service {
  private let tracer: ServiceTracer
  private let collector: String
  private let logger: Logger
  /// Whether the collector took the last spans: that it does not is said once.
  private let isTaking = Mutex(true)

  /// Sends what a tracer has finished to a collector, such as `http://localhost:4318`.
  init(tracer: ServiceTracer, collector: String, logger: Logger) {
    (self.tracer, self.collector, self.logger) = (tracer, collector, logger)
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while (try? await Task.sleep(for: .seconds(2))) != nil { await self.send() }
    }
    // What ended while the service did.
    await send()
  }

  /// What a collector does not take is lost: a service that traces must not fail, or grow, by it.
  private func send() async {
    let (spans, lost) = tracer.take()
    if spans.isEmpty { return }
    do {
      var request = HTTPClientRequest(
        url: collector + (collector.hasSuffix("/") ? "v1/traces" : "/v1/traces"))
      request.method = .POST
      request.headers.add(name: "Content-Type", value: "application/json")
      request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(OTLP(spans))))
      let response = try await HTTPClient.shared.execute(request, timeout: .seconds(5))
      _ = try? await response.body.collect(upTo: 1 << 16)
      guard (200..<300).contains(response.status.code) else {
        throw StartFailure("it answers \(response.status.code)")
      }
      isTaking.withLock { $0 = true }
      if lost > 0 {
        logger.warning("spans are lost: too many at once", metadata: ["lost": "\(lost)"])
      }
    } catch {
      let wasTaking = isTaking.withLock { isTaking in
        defer { isTaking = false }
        return isTaking
      }
      if wasTaking {
        logger.warning(
          "the collector takes no spans",
          metadata: ["collector": "\(collector)", "cause": "\(error)"])
      }
    }
  }
}

/// What is sent: the part of OTLP's JSON that the service uses.
struct OTLP: Encodable {
  struct Span: Encodable, Sendable {
    let traceId: String
    let spanId: String
    let parentSpanId: String?
    var name: String
    let kind: Int
    /// Numbers of 64 bits are texts there.
    let startTimeUnixNano: String
    var endTimeUnixNano = ""
    var attributes: [Attribute] = []
    var events: [Event] = []
    var links: [Link] = []
    var status: Status?
  }

  struct Event: Encodable, Sendable {
    let timeUnixNano: String
    let name: String
    let attributes: [Attribute]
  }

  struct Link: Encodable, Sendable {
    let traceId: String
    let spanId: String
    let attributes: [Attribute]
  }

  struct Status: Encodable, Sendable {
    let code: Int
    let message: String?

    init(_ status: SpanStatus) {
      code =
        switch status.code {
        case .ok: 1
        case .error: 2
        }
      message = status.message
    }
  }

  struct Attribute: Encodable, Sendable {
    let key: String
    let value: Value
  }

  /// Exactly one of them is there.
  struct Value: Encodable, Sendable {
    var stringValue: String?
    var intValue: String?
    var doubleValue: Double?
    var boolValue: Bool?
  }

  private struct Scope: Encodable {
    let name: String
  }

  private struct ScopeSpans: Encodable {
    let scope: Scope
    let spans: [Span]
  }

  private struct Resource: Encodable {
    let attributes: [Attribute]
  }

  private struct ResourceSpans: Encodable {
    let resource: Resource
    let scopeSpans: [ScopeSpans]
  }

  private let resourceSpans: [ResourceSpans]

  init(_ spans: [Span]) {
    let name = Attribute(key: "service.name", value: Value(stringValue: "IngestService"))
    resourceSpans = [
      ResourceSpans(
        resource: Resource(attributes: [name]),
        scopeSpans: [ScopeSpans(scope: Scope(name: "IngestService"), spans: spans)])
    ]
  }

  static func kind(_ kind: SpanKind) -> Int {
    switch kind {
    case .internal: 1
    case .server: 2
    case .client: 3
    case .producer: 4
    case .consumer: 5
    }
  }

  static func attributes(_ attributes: SpanAttributes) -> [Attribute] {
    var found: [Attribute] = []
    func add(_ key: String, _ attribute: SpanAttribute) {
      found.append(Attribute(key: key, value: value(attribute)))
    }
    attributes.forEach(add)
    return found.sorted { $0.key < $1.key }
  }

  private static func value(_ attribute: SpanAttribute) -> Value {
    switch attribute {
    case .string(let text): Value(stringValue: text)
    case .int32(let number): Value(intValue: "\(number)")
    case .int64(let number): Value(intValue: "\(number)")
    // JSON has no number for these.
    case .double(let number) where number.isFinite: Value(doubleValue: number)
    case .bool(let flag): Value(boolValue: flag)
    case .stringConvertible(let value): Value(stringValue: "\(value)")
    // Lists, as texts; and the enum says that it may get more cases.
    default: Value(stringValue: "\(attribute)")
    }
  }
}
