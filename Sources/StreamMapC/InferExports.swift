// What `streammap.h` declares of mappings that are inferred.

import CStreamMap
import StreamMap
import StreamMapCompression
import StreamMapFiles
import StreamMapPlatform

@_cdecl("streammap_infer")
public func streammapInfer(
  _ read: (@convention(c) (UnsafeMutableRawPointer?) -> UnsafePointer<streammap_piece>?)?,
  _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
  _ options: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<streammap_error>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) {
    guard let read else { throw BindingError(code: "usage", "there is no callback") }
    let options = try InferOptions(MappingExports.text(options))
    let input = CallbackInput(PieceSource(read, context).read)
    do {
      let name = try MappingExports.text(name)
      let mapping = try options.infer(
        from: DecompressedInput(input, named: name), named: name)
      return strdup(mapping.yaml)
    } catch let error as MappingError where input.hasFailed {
      var made = BindingError(error)
      made.code = "callback"
      throw made
    }
  }
}

@_cdecl("streammap_text_free")
public func streammapTextFree(_ text: UnsafeMutablePointer<CChar>?) { free(text) }

/// The options of an inference: a JSON object.
private struct InferOptions {
  private var records: PathPattern?
  private var format: InputFormat?
  private var most = FeedSample.mostRecords

  /// Reads them.
  ///
  /// - Throws: ``BindingError`` if there is no such option, or its value is wrong.
  init(_ text: String?) throws {
    for member in try OptionReading.members(text) {
      let (name, value) = (member.key, member.value)
      switch name {
      case "records": records = try OptionReading.path(name, try OptionReading.text(name, value))
      case "format": format = try OptionReading.format(name, value)
      case "sample_records": most = try OptionReading.number(name, value, 1...Int.max)
      default:
        let names = ["format", "records", "sample_records"]
        throw OptionReading.unknown("option", name, among: names)
      }
    }
  }

  func infer(from input: any FeedInput, named name: String?) throws -> InferredMapping {
    let window = FeedWindow()
    var sample = FeedSample(at: records)
    try sample.add(
      format: (format?.format ?? .auto).ofFeed(named: name.map(CompressionFormat.plainName)),
      most: most
    ) { try window.fill(from: input) }
    if sample.count == 0 {
      throw sample.takeFaults().first.map { BindingError($0) }
        ?? BindingError(code: "noRecords", "there are no records to infer a mapping from")
    }
    return InferredMapping(
      of: sample, format: format.map(\.rawValue), feed: name ?? "a feed", InferChoices())
  }
}
