import StreamMap
import StreamMapFiles

extension Conversion {
  /// What a conversion does with records.
  struct Order {
    let converter: OutputConverter
    let settings: MappingFile
    let target: RunTarget
    /// Where rejected records go.
    var rejects: String?
    var checkpoint: CheckpointKeeper?
    /// The mapping's name in messages; nil if the run has no other one.
    var name: String?
  }
}
