/// Where a record is in the feed; its errors are reported with this.
protocol RecordLocation {
  /// Where the current record, or the one that is just over, is.
  var recordAddress: FeedToken { get }
  /// The path from the text's root to the record.
  var recordPath: JSONPath { get }
  /// The last step of that path; nil if the text itself is the record.
  var recordStep: JSONPath.Component? { get }
}
