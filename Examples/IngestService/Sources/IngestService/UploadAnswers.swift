import Foundation
import HTTPTypes
import Hummingbird
import StreamMap
import StreamMapCompression
import StreamMapFiles

extension HTTPField.Name {
  static let uploadComplete = constant("Upload-Complete")
  static let uploadID = constant("Upload-ID")
  static let uploadLimit = constant("Upload-Limit")
  static let uploadOffset = constant("Upload-Offset")

  private static func constant(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else { fatalError("\(name) is no name of a field") }
    return name
  }
}

/// What `GET /uploads/{id}` answers: all parts together.
struct UploadStatus: Encodable {
  let id: String
  let mapping: String
  let offset: Int
  let complete: Bool
  /// Whether it was refused for its content, and does not continue.
  let refused: Bool
  let records: Int
  let mapped: Int
  let rejected: Int
  /// When a batch of it was stored last.
  let changed: Date
  /// When it is removed if it does not change until then; nil if it is kept for ever.
  let expires: Date?
  /// How the last request ended; nil in a list of uploads, which has the counts alone.
  let last: FeedSummary?

  init(_ upload: Upload, _ retention: RetentionTimes, isInList: Bool = false) {
    (id, mapping, offset) = (upload.name, upload.mapping, upload.offset)
    (complete, refused) = (upload.isComplete, upload.isRefused)
    (records, mapped, rejected) = (upload.records, upload.mapped, upload.rejected)
    (changed, expires) = (upload.changed, retention.end(of: upload))
    last = isInList ? nil : upload.summary
  }
}

extension Upload {
  var headers: HTTPFields {
    [
      .uploadID: name, .location: "/uploads/\(name)", .uploadOffset: "\(offset)",
      .uploadComplete: isComplete ? "?1" : "?0",
    ]
  }

  /// Whether the last request ended by what is in the feed: such an upload does not continue.
  ///
  /// The same bytes would end it again. And where they came out of an archive, they may be wrong because that is damaged.
  var isRefused: Bool {
    switch summary?.verdict {
    case .rejected?, .malformed?: true
    case .limit?: summary?.exceeded != .deadline
    default: false
    }
  }

  /// How a feed ended.
  ///
  /// - Throws: ``FeedAnswer`` if it did not come to its end, so that it is counted among the errors.
  func answer(_ summary: FeedSummary, hint: String? = nil) throws -> Response {
    let answer = FeedAnswer(summary: summary, hint: hint, headers: headers)
    guard summary.verdict == .complete else { throw answer }
    return try answer.response
  }
}

/// How a feed ended: its summary, with the status that says it in short.
struct FeedAnswer: HTTPResponseError, Encodable {
  let summary: FeedSummary
  /// What the client or the mapping file may have to change.
  let hint: String?
  let headers: HTTPFields

  private enum CodingKeys: String, CodingKey {
    case hint
  }

  var status: HTTPResponse.Status {
    switch summary.verdict {
    case .complete: .ok
    case .truncated, .malformed: .badRequest
    case .limit: summary.exceeded == .deadline ? .requestTimeout : .contentTooLarge
    case .rejected: .unprocessableContent
    case .stopped: .serviceUnavailable
    @unknown default: .serviceUnavailable
    }
  }

  var response: Response {
    get throws { try .json(self, status, headers: headers) }
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    try response
  }

  /// Writes the members of the summary, and the hint beside them.
  func encode(to encoder: any Encoder) throws {
    try summary.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(hint, forKey: .hint)
  }
}

extension MappingFile {
  /// What to change where the first record is an array, and the mapping takes the whole of it as a record.
  func hint(for summary: FeedSummary) -> String? {
    let reject = summary.firstRejects.first.flatMap { $0.record == 1 ? $0.error : nil }
    guard records.isEmpty, let error = reject ?? summary.reason else { return nil }
    let isArray =
      switch (error.code, error.path.components.first) {
      case (.wrongType, nil): error.found == "an array"
      case (.truncated, nil), (.syntax, nil): error.expected?.hasSuffix("]") ?? false
      case (.truncated, .index?), (.syntax, .index?): error.record == 1
      default: false
      }
    guard isArray else { return nil }
    return
      #"the feed begins with an array: where its elements are the records, the mapping file needs input: { records: "$[*]" }"#
      + " and no other format"
  }
}

extension Problem {
  /// Why a feed cannot begin.
  init(_ refusal: RunningFeeds.Refusal) {
    switch refusal {
    case .stopping:
      self.init(.serviceUnavailable, "the service stops", headers: [.retryAfter: "5"])
    case .tooMany:
      self.init(.serviceUnavailable, "too many feeds at once", headers: [.retryAfter: "1"])
    case .tooManyOfTenant:
      self.init(.tooManyRequests, "too many of your feeds at once", headers: [.retryAfter: "1"])
    case .uploadInUse:
      self.init(
        .conflict, "another request writes to this upload", headers: [.retryAfter: "1"])
    }
  }

  /// Why an upload does not continue.
  init(refused upload: Upload) {
    self.init(
      .conflict,
      "the upload '\(upload.name)' was refused: DELETE /uploads/\(upload.name), then send the corrected feed",
      headers: upload.headers)
  }

  /// Why a feed was not read to its end.
  init(_ error: any Error, _ stop: RunningFeed.Stop?) {
    switch (error, stop) {
    case (_, .uploadIsDeleted): self.init(.gone, "the upload is deleted")
    case (_, .clientIsSlow): self.init(.requestTimeout, "the body comes too slowly")
    case (_, .serviceStops):
      self.init(
        .serviceUnavailable, "the service stops; continue later", headers: [.retryAfter: "5"])
    case (let error as DecompressionError, _):
      let isFault = error.reason == .damaged || error.reason == .truncated
      self.init(isFault ? .badRequest : .contentTooLarge, "\(error)")
    default: self.init(error)
    }
  }
}
