/// Makes values from outside the records, from what reading hands over.
protocol ContextTaker: AnyObject {
  /// The values that records have from here on.
  var values: ContextValues { get }
  /// Forgets the values of what the reader has left, before each part that it hands over.
  func follow(_ reader: FeedReader)
  /// Takes a part of a value; returns what is wrong with it, if anything.
  func take(from reader: FeedReader, isWhole: Bool) -> FeedReader.Fault?
  /// Says that the feed is malformed here.
  func abandon()
  /// Whether no value can change between the elements of a list that are records, with so many containers open around them.
  func isFixed(inList depth: Int) -> Bool
  /// The values so far, to be stored.
  var saved: FeedPosition.Context { get }
  /// Continues with what was stored.
  ///
  /// - Throws: ``MappingError`` if it does not belong to these values.
  func restore(_ context: FeedPosition.Context?) throws(MappingError)
}
