/// A place in a feed of lines where a line starts.
struct LineStart {
  var offset: Int
  /// The line's number.
  var line: Int
  /// How many records came before.
  var recordCount: Int
}
