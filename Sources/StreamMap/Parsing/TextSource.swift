/// What makes events of JSON text.
typealias TextSource = any EventSource<RecordChunk.Text>

/// The source of events over JSON text, where the build has one: yajl, by the package's trait `Yajl`.
///
/// Without it nothing asks for text to be mapped, since ``RecordParser`` has no case that does.
enum TextSources {
  static func make(into sink: EventSink) -> TextSource? {
    #if canImport(CYajl)
    YajlSource(sink: sink)
    #else
    nil
    #endif
  }
}
