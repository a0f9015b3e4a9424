import Foundation
import HTTPTypes
import Hummingbird
import StreamMap
import StreamMapCompression

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
  let records: Int
  let mapped: Int
  let rejected: Int
  /// How the last request ended.
  let last: FeedSummary?

  init(_ upload: Upload) {
    (id, mapping, offset) = (upload.name, upload.mapping, upload.offset)
    (complete, last) = (upload.isComplete, upload.summary)
    (records, mapped, rejected) = (upload.records, upload.mapped, upload.rejected)
  }
}

extension Upload {
  var headers: HTTPFields {
    [
      .uploadID: name, .location: "/uploads/\(name)", .uploadOffset: "\(offset)",
      .uploadComplete: isComplete ? "?1" : "?0",
    ]
  }

  /// How a feed ended, with the status that says it in short.
  func answer(_ summary: FeedSummary) throws -> Response {
    let status: HTTPResponse.Status =
      switch summary.verdict {
      case .complete: .ok
      case .truncated, .malformed: .badRequest
      case .limit: summary.exceeded == .deadline ? .requestTimeout : .contentTooLarge
      case .rejected: .unprocessableContent
      case .stopped: .serviceUnavailable
      }
    return try .json(summary, status, headers: headers)
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

  /// Why a feed was not read to its end; nil where that is the service's own fault.
  init?(_ error: any Error, _ stop: RunningFeed.Stop?) {
    switch (error, stop) {
    case (_, .clientIsSlow): self.init(.requestTimeout, "the body comes too slowly")
    case (_, .serviceStops): self.init(.serviceUnavailable, "the service stops; go on later")
    case (is Store.Conflict, _): self.init(.conflict, "another request wrote to this upload")
    case (BodyError.cutOff, _): self.init(.badRequest, "the body ends before its length")
    case (let error as DecompressionError, _):
      let isFault = error.reason == .damaged || error.reason == .truncated
      self.init(isFault ? .badRequest : .contentTooLarge, "\(error)")
    default: return nil
    }
  }
}
