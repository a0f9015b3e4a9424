import Foundation
import Hummingbird
import NIOCore
import StreamMap
import StreamMapFiles

/// `POST /try`: says what a mapping makes of a sample.
///
/// Nothing is stored.
struct TryOut: Sendable {
  let pool: WorkerPool?

  private struct Attempt: Decodable {
    let mapping: String
    let sample: String
  }

  private struct Failure: Encodable {
    let record: Int
    let code: String
    let path: String
    let message: String
    /// The bytes of the sample that are at fault.
    let start: Int?
    let end: Int?
    let line: Int?
    let column: Int?

    init(_ error: MappingError, record: Int, at place: SourcePosition?) {
      let place = error.position ?? place
      self.record = record
      code = error.code.rawValue
      path = "\(error.path)"
      message = error.message
      (start, end) = (place?.bytes.lowerBound, place?.bytes.upperBound)
      (line, column) = (place?.line, place?.column)
    }
  }

  private struct Result: Encodable {
    var mistakes: [MappingFile.Mistake] = []
    /// Each record as JSON.
    var mapped: [String] = []
    var failures: [Failure] = []
    var summary: FeedSummary?
    var hint: String?
  }

  /// A page shows no more than this of each.
  private static let most = 100

  @Sendable
  func run(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let attempt: Attempt
    do {
      let body = try await request.body.collect(upTo: context.maxUploadSize)
      attempt = try JSONDecoder().decode(Attempt.self, from: Data(body.readableBytesView))
    } catch is DecodingError {
      throw Problem(.badRequest, "the body is no JSON object with the texts mapping and sample")
    } catch is NIOTooManyBytesError {
      throw Problem(.contentTooLarge, "a mapping and a sample have \(context.maxUploadSize) bytes")
    } catch {
      throw BodyError.cutOff
    }
    do {
      return try .json(try await result(of: MappingFile(yaml: attempt.mapping), attempt.sample))
    } catch let error as MappingFile.Mistakes {
      return try .json(Result(mistakes: error.mistakes))
    }
  }

  private func result(of file: MappingFile, _ sample: String) async throws -> Result {
    var options = FeedOptions.untrusted
    options.deadline = .now + .seconds(2)
    var result = Result()
    let buffers = AsyncStream([UInt8].self) { continuation in
      continuation.yield(Array(sample.utf8))
      continuation.finish()
    }
    let summary = try await file.mapper().ingest(Feed(buffers, options: options), pool: pool) {
      batch in
      for value in batch.values where result.mapped.count < Self.most {
        result.mapped.append(String(decoding: value.bytes, as: UTF8.self))
      }
      for reject in batch.rejects where result.failures.count < Self.most {
        result.failures += reject.error.leaves.map {
          Failure($0, record: reject.record, at: reject.position)
        }
      }
    }
    // A fault that ends the sample early is one more finding, about the record that it begins.
    if let reason = summary.reason {
      result.failures.append(
        Failure(reason, record: reason.record ?? summary.records + 1, at: nil))
    }
    result.summary = summary
    result.hint = file.hint(for: summary)
    return result
  }
}
