import CStreamMap
import StreamMap
import StreamMapFiles
import StreamMapPlatform

/// An error on its way to C.
struct BindingError: Error {
  var code: String
  var message: String
  var path: String?
  var record = 0
  var position: SourcePosition?
  var json: String

  /// What is wrong with a mapping, with options, or with the use of the interface.
  init(code: String = "mapping", _ message: String, json: String? = nil) {
    self.code = code
    self.message = message
    self.json =
      json
      ?? JSONValue.object([.init("code", .string(code)), .init("message", .string(message))])
      .description
  }

  /// The error of a record; `raw` is its text, where that may be shown.
  init(_ error: MappingError, of record: Record<Void>?, file: String?, raw: String? = nil) {
    let owner = record.flatMap { Reject($0) }
    let first = error.leaves[0]
    code = first.code.rawValue
    message = error.description
    path = first.path.description
    let number = owner?.record ?? error.record ?? 0
    self.record = number
    position = first.position ?? owner?.position
    let reject = owner ?? Reject(record: number, position: error.position, error: error)
    json = reject.json(file: file, raw: raw).description
  }

  init(_ mistakes: MappingFile.Mistakes) {
    let all = mistakes.mistakes.map { mistake -> JSONValue in
      var members: [JSONValue.Member] = [
        .init("file", .string(mistake.file)), .init("line", .number("\(mistake.line)")),
        .init("column", .number("\(mistake.column)")), .init("message", .string(mistake.message)),
      ]
      if let suggestion = mistake.suggestion {
        members.append(.init("suggestion", .string(suggestion)))
      }
      return .object(members)
    }
    self.init(mistakes.description, json: JSONValue.array(all).description)
  }

  init(_ error: any Error) {
    switch error {
    case let error as BindingError: self = error
    case let error as MappingFile.Mistakes: self.init(error)
    case let error as MappingError: self.init(error, of: nil, file: nil)
    case let error as MappingFile.FieldChoiceError: self.init("option 'fields': \(error)")
    case let error as DefinitionError: self.init(error.description)
    default: self.init(code: "io", "\(error)")
    }
  }

  /// As C sees it, with texts of its own.
  var memory: streammap_error {
    streammap_error(
      code: Self.copy(code), message: Self.copy(message), path: path.map(Self.copy) ?? nil,
      record: Int64(record), offset: Int64(position?.bytes.lowerBound ?? -1),
      end: Int64(position?.bytes.upperBound ?? -1), line: Int64(position?.line ?? 0),
      column: Int64(position?.column ?? 0), json: Self.copy(json))
  }

  private static func copy(_ text: String) -> UnsafePointer<CChar>? {
    UnsafePointer(strdup(text))
  }

  static func free(_ error: streammap_error) {
    for text in [error.code, error.message, error.path, error.json] {
      StreamMapPlatform.free(UnsafeMutablePointer(mutating: text))
    }
  }
}

/// Where a function puts its error.
typealias ErrorPlace = UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?

/// Calls `body`; its error goes to the place, and `failed` is returned.
func reporting<Result>(
  to place: ErrorPlace, or failed: Result, _ body: () throws -> Result
) -> Result {
  do {
    return try body()
  } catch {
    if let place {
      let memory = UnsafeMutablePointer<streammap_error>.allocate(capacity: 1)
      memory.initialize(to: BindingError(error).memory)
      place.pointee = memory
    }
    return failed
  }
}
