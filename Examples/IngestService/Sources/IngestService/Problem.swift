import Foundation
import Hummingbird

/// An answer that says what is wrong (RFC 9457).
struct Problem: HTTPResponseError {
  let status: HTTPResponse.Status
  let detail: String
  var headers: HTTPFields = [:]
  /// One of the registered types of the draft on resumable uploads; nil where the status says it all.
  var kind: String?
  /// Where an upload is, and where the client thought that it is.
  var offsets: (expected: Int, provided: Int)?

  init(
    _ status: HTTPResponse.Status, _ detail: String, headers: HTTPFields = [:], kind: String? = nil,
    offsets: (expected: Int, provided: Int)? = nil
  ) {
    (self.status, self.detail, self.headers) = (status, detail, headers)
    (self.kind, self.offsets) = (kind, offsets)
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
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var headers = headers
    headers[.contentType] = type
    return Response(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
  }
}
