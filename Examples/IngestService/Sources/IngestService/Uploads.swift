import Foundation
import HTTPTypes
import Hummingbird
import Logging
import StreamMap
import StreamMapCompression
import StreamMapFiles
import StreamMapNIO
import StreamMapObservation

/// Feeds over HTTP, with the header fields of the draft *Resumable Uploads for HTTP* (draft-ietf-httpbis-resumable-upload).
///
/// One thing is not as in the draft: the client names the upload (`Upload-ID`), so it knows the name also when the connection breaks
/// before any answer. Offsets count the bytes of the feed before compression.
struct Uploads: Sendable {
  let store: Store
  let feeds: RunningFeeds
  let catalog: MappingCatalog
  /// Nil if each feed is mapped by the task that reads its request.
  let pool: WorkerPool?
  let metrics: FeedMetrics
  /// Nil if nothing is traced.
  let spans: TracingObserver?
  let retention: RetentionTimes

  /// `POST /ingest/{mapping}`: a feed, or the first part of one.
  func create(_ request: Request, _ context: ServiceContext, for tenant: Tenant) async throws
    -> Response
  {
    let mapping = try mappingName(context, for: tenant)
    // Without a name that the client knows before it sends, a feed that was cut off could only be sent again, and be there twice.
    guard let name = request.headers[.uploadID], Self.isName(name) else {
      throw Problem(
        .badRequest,
        "a feed needs a name: Upload-ID, 1 to 100 letters, digits, '-', '_' and '.'")
    }
    return try await run(request, context, tenant, name, mapping) {
      guard let upload = try await store.upload(name, of: tenant.name) else {
        return try await store.makeUpload(name, of: tenant.name, for: mapping)
      }
      guard upload.mapping == mapping else {
        throw Problem(.conflict, "the upload '\(name)' is one for the mapping '\(upload.mapping)'")
      }
      // A client that did not hear the answer may ask again: the feed is stored once.
      if upload.isComplete || upload.offset == 0 { return upload }
      if upload.isRefused { throw Problem(refused: upload) }
      throw Problem(
        .conflict,
        "part of the upload '\(name)' is there: continue with PATCH /uploads/\(name)",
        headers: upload.headers, kind: "mismatching-upload-offset", offsets: (upload.offset, 0))
    }
  }

  /// `PATCH /uploads/{id}`: the next part of a feed, or its rest.
  func append(_ request: Request, _ context: ServiceContext, for tenant: Tenant) async throws
    -> Response
  {
    let known = try await upload(context, of: tenant)
    let name = known.name
    guard let offset = request.headers[.uploadOffset].flatMap({ Int($0) }) else {
      throw Problem(.badRequest, "PATCH needs Upload-Offset, a number", headers: known.headers)
    }
    return try await run(request, context, tenant, name, known.mapping) {
      // Since it was looked up it may have been deleted, and another one begun under its name.
      let upload = try await self.upload(context, of: tenant)
      guard upload.mapping == known.mapping else {
        throw Problem(
          .conflict, "the upload '\(name)' is one for the mapping '\(upload.mapping)'",
          headers: upload.headers)
      }
      if upload.isComplete {
        throw Problem(
          .conflict, "the upload '\(name)' is complete", headers: upload.headers,
          kind: "completed-upload")
      }
      if upload.isRefused { throw Problem(refused: upload) }
      guard upload.offset == offset else {
        throw Problem(
          .conflict, "the upload '\(name)' continues at \(upload.offset)", headers: upload.headers,
          kind: "mismatching-upload-offset", offsets: (upload.offset, offset))
      }
      return upload
    }
  }

  /// `HEAD /uploads/{id}`, `GET /uploads/{id}`: where the client continues, and what is stored.
  func show(_ request: Request, _ context: ServiceContext, for tenant: Tenant) async throws
    -> Response
  {
    let upload = try await upload(context, of: tenant)
    var headers = upload.headers
    headers[.uploadLimit] = "max-size=\(tenant.maximumBytes)"
    if !upload.isComplete, let end = retention.end(of: upload) {
      headers[.uploadLimit]? += ", max-age=\(Int(max(end.timeIntervalSinceNow, 0)))"
    }
    headers[.cacheControl] = "no-store"
    if request.method == .head { return Response(status: .noContent, headers: headers) }
    return try .json(UploadStatus(upload, retention), headers: headers)
  }

  /// `DELETE /uploads/{id}`: the upload goes, with all that is stored of it.
  ///
  /// A request that writes to it is stopped first, and answered with 410.
  func delete(_ request: Request, _ context: ServiceContext, for tenant: Tenant) async throws
    -> Response
  {
    let name = try await upload(context, of: tenant).name
    while true {
      let isRemoved = try await feeds.holding(name, of: tenant.name) {
        try await store.remove(try await upload(context, of: tenant).id)
      }
      if isRemoved != nil { return Response(status: .noContent) }
      feeds.stop(name, of: tenant.name, .uploadIsDeleted)
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// The upload that a request's address names.
  func upload(_ context: ServiceContext, of tenant: Tenant) async throws -> Upload {
    let name = try context.parameters.require("id")
    guard let upload = try await store.upload(name, of: tenant.name) else {
      throw Problem(.notFound, "no upload \(name.debugDescription)")
    }
    context.log.note("upload", name)
    context.log.note("mapping", upload.mapping)
    return upload
  }

  private func begin(_ upload: String, of tenant: Tenant, _ mapping: String) throws -> RunningFeed {
    do {
      return try feeds.begin(upload, of: tenant, mapping: mapping)
    } catch {
      throw Problem(error)
    }
  }

  /// Reads a part of a feed while no other request reads one of the same upload.
  private func run(
    _ request: Request, _ context: ServiceContext, _ tenant: Tenant, _ name: String,
    _ mapping: String, _ open: () async throws -> Upload
  ) async throws -> Response {
    let encoding = try Self.encoding(of: request)
    let mappings = catalog.contents
    guard let mapper = mappings[mapping], let file = mappings.file(mapping) else {
      throw Problem(.notFound, "no mapping \(mapping.debugDescription)")
    }
    context.log.note("mapping", mapping)
    context.log.note("upload", name)
    let length = request.headers[.contentLength].flatMap { Int($0) }
    if let length, length > tenant.maximumBytes {
      throw Problem(.contentTooLarge, "a feed may have \(tenant.maximumBytes) bytes")
    }
    let feed = try begin(name, of: tenant, mapping)
    defer { feeds.end(feed) }
    var upload = try await open()
    if upload.isComplete, let summary = upload.summary {
      return try upload.answer(summary)
    }
    // Without the field the body is the whole feed, or its rest.
    let isLast = request.headers[.uploadComplete] != "?0"
    let body = CountedBody(body: request.body, length: length, feed: feed)
      .decompressed(
        from: encoding, limits: DecompressionLimits(expansion: tenant.maximumExpansion))
    do {
      upload = try await store.claim(upload)
      let claimed = upload
      return try await feed.run {
        try await read(
          body, isLast: isLast, into: claimed, mapper, file, tenant, feed, context.log.logger)
      }
    } catch let error as FeedAnswer {
      throw error
    } catch {
      if feed.stopReason == .uploadIsDeleted { throw Problem(error, feed.stopReason) }
      // Another service over the same database may have deleted it.
      if error is Store.Conflict, try await store.upload(name, of: tenant.name)?.id != upload.id {
        throw Problem(error, .uploadIsDeleted)
      }
      // Some of the feed may be stored: the client continues after that, whatever the fault was. But for one: what comes out of a
      // damaged archive may be wrong before the damage is seen.
      if let error = error as? DecompressionError, error.reason == .damaged {
        try await store.putBack(upload)
      }
      var problem = Problem(error, feed.stopReason)
      let stored = (try? await store.upload(name, of: tenant.name)) ?? upload
      for field in stored.headers { problem.headers[field.name] = field.value }
      throw problem
    }
  }

  private static func encoding(of request: Request) throws -> FeedEncoding {
    do {
      return try FeedEncoding(contentEncoding: request.headers[.contentEncoding])
    } catch {
      throw Problem(
        .unsupportedMediaType, "\(error)", headers: [.acceptEncoding: FeedEncoding.acceptedCodings])
    }
  }

  private static func isName(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  /// Maps a part of a feed and stores it, batch by batch.
  private func read<Buffers: AsyncSequence & Sendable>(
    _ buffers: Buffers, isLast: Bool, into start: Upload, _ mapper: Mapper<RawJSON>,
    _ file: MappingFile, _ tenant: Tenant, _ feed: RunningFeed, _ logger: Logger
  ) async throws -> Response where Buffers.Element: FeedBuffer {
    var upload = start
    var options = FeedOptions.untrusted
    options.maximumBytes = tenant.maximumBytes
    options.maximumRecords = tenant.maximumRecords
    options.deadline = .now + .seconds(tenant.maximumSeconds)
    // Many uploads at a time: what waits for the database is bounded, and so is the time that a transaction takes.
    options.batch = BatchSize(bytes: 1 << 20)
    // A record that the end of a part cuts in two comes again, as a whole, with the next part.
    options.endsHere = isLast
    let watchers = ObserverGroup(
      [metrics.observer(of: tenant.name, feed.mapping), LoggingObserver(logger)]
        + (spans.map { [$0] } ?? []))
    options.observer = ObserverGroup([feed, ClientFaults(observer: watchers)])
    // What the mapping file allows is for the whole upload, however many parts it comes in.
    var budget = file.errors.mode == .fail ? ErrorBudget(count: 0) : file.errors.budget
    budget.count = budget.count.map { max($0 - start.rejected, 0) }
    // A feed that is mostly wrong is another feed, or none: a page of HTML is one record that fails.
    budget.ratio = budget.ratio ?? 0.5
    // Over a pool a batch may end inside what was mapped together: it is stored with the next one, which has a position.
    var held: [FeedBatch<RawJSON>] = []
    let summary = try await mapper.ingest(
      Feed(buffers, from: start.position, named: start.name, options: options), pool: pool,
      rejections: budget
    ) { batch in
      held.append(batch)
      guard let position = batch.position else { return }
      try await store.add(held, to: &upload, until: position, offset: position.offset)
      held = []
    }
    let isPart = !isLast && summary.verdict == .stopped && summary.reason == nil
    let end = isPart ? nil : summary
    if summary.verdict == .complete {
      let offset = start.offset + summary.bytes
      try await store.add(held, to: &upload, until: nil, offset: offset, end)
    } else if let position = summary.position {
      try await store.add(held, to: &upload, until: position, offset: position.offset, end)
    } else {
      // Without a place after them, the records that are held come again.
      try await store.add([], to: &upload, until: upload.position, offset: upload.offset, end)
    }
    if isPart { return Response(status: .noContent, headers: upload.headers) }
    return try upload.answer(summary, hint: file.hint(for: summary))
  }
}
