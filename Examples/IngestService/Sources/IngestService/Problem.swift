import Foundation
import HTTPTypes
import Hummingbird

/// An answer that says what is wrong (RFC 9457).
struct Problem: HTTPResponseError {
  let status: HTTPResponse.Status
  let detail: String
  var headers: HTTPFields = [:]
  /// One of the registered types of the draft on resumable uploads; nil if the status says it all.
  var kind: String?
  /// Where an upload is, and where the client thought that it is.
  var offsets: (expected: Int, provided: Int)?
  /// The fault of the service that caused it, for its log, without values of a feed; or nil.
  var cause: String?

  init(
    _ status: HTTPResponse.Status, _ detail: String, headers: HTTPFields = [:], kind: String? = nil,
    offsets: (expected: Int, provided: Int)? = nil, cause: String? = nil
  ) {
    (self.status, self.detail, self.headers) = (status, detail, headers)
    (self.kind, self.offsets, self.cause) = (kind, offsets, cause)
  }

  /// The answer to any error: one that nothing is known of is a fault of the service.
  init(_ error: any Error) {
    switch error {
    case let error as Problem: self = error
    case let fault as DatabaseFault: self.init(fault)
    case is Store.Conflict:
      self.init(
        .conflict, "another request wrote to this upload", headers: [.retryAfter: "1"])
    case is BodyError: self.init(.badRequest, "the body ends before its length")
    case is CancellationError: self.init(.serviceUnavailable, "the service stops")
    case let error as any HTTPResponseError:
      let isUnknown = error.status == .notFound
      self.init(error.status, isUnknown ? "nothing is at this address" : error.status.reasonPhrase)
    default:
      self.init(
        .internalServerError, "a fault of the service; its log says more",
        cause: "\(type(of: error))")
    }
  }

  /// What a client may do where the database fails.
  private init(_ fault: DatabaseFault) {
    switch fault.kind {
    case .busy:
      self.init(
        .serviceUnavailable, "the database is busy; continue later", headers: [.retryAfter: "1"],
        cause: fault.cause)
    case .full:
      self.init(
        .init(code: 507, reasonPhrase: "Insufficient Storage"),
        "the disk of the database is full; continue later", headers: [.retryAfter: "10"],
        cause: fault.cause)
    case .unavailable:
      self.init(
        .serviceUnavailable, "the database cannot be written; continue later",
        headers: [.retryAfter: "10"], cause: fault.cause)
    case .other:
      self.init(
        .internalServerError, "the database has failed; the log says more", cause: fault.cause)
    }
  }

  private struct Body: Encodable {
    let type: String
    let title: String
    let status: Int
    let detail: String
    let expected: Int?
    let provided: Int?

    enum CodingKeys: String, CodingKey {
      case type, title, status, detail
      case expected = "expected-offset"
      case provided = "provided-offset"
    }
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    let type = kind.map { "https://iana.org/assignments/http-problem-types#\($0)" }
    let body = Body(
      type: type ?? "about:blank", title: status.reasonPhrase, status: status.code, detail: detail,
      expected: offsets?.expected, provided: offsets?.provided)
    return try .json(body, status, headers: headers, type: "application/problem+json")
  }
}

extension Response {
  /// A value as JSON.
  static func json(
    _ value: some Encodable, _ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:],
    type: String = "application/json"
  ) throws -> Response {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var headers = headers
    headers[.contentType] = type
    return Response(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
  }
}
