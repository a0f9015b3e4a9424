import Hummingbird
import StreamMap

// The lists that a client turns the pages of.

extension Uploads {
  /// How many uploads, and how many rejected records, an answer has.
  private static let most = 100

  /// `GET /uploads`: the tenant's uploads, the newest first.
  func list(_ request: Request, _ context: ServiceContext, for tenant: Tenant) async throws
    -> Response
  {
    let before = try Self.number("before", of: request)
    let found = try await store.uploads(of: tenant.name, before: before, most: Self.most + 1)
    let shown = found.prefix(Self.most)
    return try .json(
      UploadList(
        uploads: shown.map { UploadStatus($0, retention, isInList: true) },
        next: found.count > shown.count ? shown.last.map { "/uploads?before=\($0.id)" } : nil),
      headers: [.cacheControl: "no-store"])
  }

  /// `GET /uploads/{id}/rejects`: the rejected records of an upload, in their order.
  func rejects(_ request: Request, _ context: ServiceContext, for tenant: Tenant) async throws
    -> Response
  {
    let upload = try await upload(context, of: tenant)
    let after = try Self.number("after", of: request)
    let found = try await store.rejects(of: upload, after: after ?? 0, most: Self.most)
    let last = found.rejects.last?.record
    return try .json(
      RejectList(
        rejects: found.rejects,
        next: found.isAll ? nil : last.map { "/uploads/\(upload.name)/rejects?after=\($0)" }),
      headers: [.cacheControl: "no-store"])
  }

  /// The number that a part of the query gives; nil without it.
  private static func number(_ name: String, of request: Request) throws -> Int64? {
    guard let text = request.uri.queryParameters[name[...]] else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw Problem(.badRequest, "\(name) is a number, as the answer before gives it")
    }
    return number
  }
}

/// What `GET /uploads` answers.
struct UploadList: Encodable {
  let uploads: [UploadStatus]
  /// Where the next ones are; nil after the last ones.
  let next: String?
}

/// What `GET /uploads/{id}/rejects` answers: rejected records in the form of `reject.schema.json`.
struct RejectList: Encodable {
  struct Record: Encodable, Sendable {
    let record: Int
    var errors: [Fault]
  }

  struct Fault: Encodable, Sendable {
    let line: Int?
    let column: Int?
    let offset: Int?
    let end: Int?
    let path: String
    let code: String
    let message: String
  }

  let rejects: [Record]
  /// Where the next ones are; nil after the last ones.
  let next: String?
}
