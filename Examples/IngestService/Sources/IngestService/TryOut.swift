import Foundation
import Hummingbird
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

    init(_ reject: Reject, _ error: MappingError) {
      let place = error.position ?? reject.position
      record = reject.record
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
  }

  /// A page shows no more than this of each.
  private static let most = 100

  @Sendable
  func run(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let attempt = try await request.decode(as: Attempt.self, context: context)
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
    result.summary = try await file.mapper().ingest(buffers, pool: pool, options: options) {
      batch in
      for value in batch.values where result.mapped.count < Self.most {
        result.mapped.append(String(decoding: value.bytes, as: UTF8.self))
      }
      for reject in batch.rejects where result.failures.count < Self.most {
        result.failures += Self.faults(of: reject.error).map { Failure(reject, $0) }
      }
    }
    return result
  }

  /// Several errors of one record, each with its own place.
  private static func faults(of error: MappingError) -> [MappingError] {
    guard error.code == .severalErrors else { return [error] }
    let parts = error.underlying.compactMap { $0 as? MappingError }
    return parts.filter { $0.severity == .fatal }.flatMap(faults)
  }
}
