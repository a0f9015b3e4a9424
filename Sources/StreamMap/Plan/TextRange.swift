/// A range of the bytes of an output record: the slot of a field in a plan for output records.
struct TextRange: BitwiseCopyable {
  var start: Int
  var end: Int
}
