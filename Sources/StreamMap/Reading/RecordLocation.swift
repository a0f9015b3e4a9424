/// Where a record is in the feed; its errors are reported with this.
protocol RecordLocation {
  /// Where the current record, or the one that is just over, is.
  var recordAddress: FeedToken { get }
  /// The path from the text's root to the record.
  var recordPath: JSONPath { get }
}
