/// What one feed may demand, and who watches it.
///
/// They belong to a feed, not to the mapper: making them costs nothing, and nothing is compiled again for them.
///
/// ```swift
/// var options = FeedOptions.untrusted
/// options.maximumBytes = 2 << 30
/// options.observer = metrics
/// for try await record in try mapper.records(in: Feed(request.body, options: options)) { … }
/// ```
///
/// A feed that demands more ends with a record whose error has the code `limitExceeded` and names the property, and with the
/// verdict ``FeedVerdict/limit``. All records before that place are handed over, and the position is the place after the last one
/// of them, so that the feed can be resumed with other options.
public struct FeedOptions: Sendable {
  /// The limits of this feed's records; nil for those of the mapper.
  public var limits: Limits?
  /// The most bytes that the feed may have, from its start, even if reading resumes inside it; nil for any number.
  ///
  /// Compressed feeds are counted as they are given: decompressed.
  public var maximumBytes: Int?
  /// The most records that the feed may have, with those that fail and those that a condition drops; nil for any number.
  ///
  /// They are counted from the feed's start, even if reading resumes inside it.
  public var maximumRecords: Int?
  /// When the feed has to be over; nil for never.
  ///
  /// It is checked whenever bytes are read: cancel a feed that sends nothing, or close its connection.
  public var deadline: ContinuousClock.Instant?
  /// Whether the feed ends where its bytes do (default); if not, they are a part of it, and the rest comes elsewhere.
  ///
  /// After a part, the verdict is ``FeedVerdict/stopped``, without a reason. A record that its end cuts in two is not a fault:
  /// it is not handed over, and the position is the place before it. The next part begins there. If a file is mapped in parts
  /// (``FeedPart``), this holds at the end of the file; the parts before are complete.
  public var endsHere: Bool
  /// Whether reading continues after a malformed record inside a document, at the next one (default false: the document ends there).
  ///
  /// Then the malformed record costs only itself, as a malformed line does: its error has the address of the fault, and its text is all that was
  /// passed over. Where it ends is a guess: brackets and strings are read as if nothing were wrong, and a line feed ends a string. So a bracket
  /// that is missing may cost the records after it, too; no part of a malformed record is taken for a record unless it has a bracket too many.
  /// A fault outside the records ends the feed as before. One thread maps such a feed, whatever `jobs` says.
  public var resynchronizes = false
  /// How many records come together in a batch.
  public var batch: BatchSize
  /// The clock that measures ``BatchSize/delay``; tests use another one than `ContinuousClock`.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// The observer of the feed, from its beginning to its end; nil if there is none.
  public var observer: (any FeedObserver)?
  /// Facts about the feed for observers, besides its name: its mapping, its tenant or its upload.
  ///
  /// ```swift
  /// options.labels = ["mapping": "orders", "upload": id]
  /// ```
  public var labels: [String: String] = [:]

  /// Makes options; by default a feed may be of any size, and its records have the mapper's limits.
  public init(
    limits: Limits? = nil, maximumBytes: Int? = nil, maximumRecords: Int? = nil,
    deadline: ContinuousClock.Instant? = nil, endsHere: Bool = true,
    batch: BatchSize = BatchSize(), observer: (any FeedObserver)? = nil
  ) {
    self.limits = limits
    self.maximumBytes = maximumBytes
    self.maximumRecords = maximumRecords
    self.deadline = deadline
    self.endsHere = endsHere
    self.batch = batch
    self.observer = observer
  }

  /// For feeds from any client that can reach a server.
  ///
  /// - ``limits``: ``Limits/untrusted``.
  /// - ``maximumBytes``: 1 GiB. A server for your own users may allow more: memory does not depend on it, only time.
  /// - ``maximumRecords``: 10,000,000. With records of a hundred bytes, that is the whole gibibyte; it bounds the cost of tiny
  ///   records in the sink.
  /// - ``deadline``: one hour from when it is asked for, so that a connection that sends a byte now and then does not stay for
  ///   ever.
  /// - ``batch``: the default, at most a thousand records or 4 MiB of the feed.
  public static var untrusted: FeedOptions {
    FeedOptions(
      limits: .untrusted, maximumBytes: 1 << 30, maximumRecords: 10_000_000,
      deadline: .now + .seconds(3600))
  }

  var demands: FeedDemands {
    FeedDemands(
      maximumBytes: max(maximumBytes ?? .max, 0), maximumRecords: max(maximumRecords ?? .max, 0),
      deadline: deadline)
  }
}

/// How many records come together in a batch: it ends when the first of these bounds is reached.
public struct BatchSize: Sendable, Hashable {
  /// Records that come out: values and rejects (default 1000).
  public var records: Int
  /// Bytes of the feed (default 4 MiB); a batch has at least one record.
  public var bytes: Int
  /// How long a batch waits for more records (default one second); nil for as long as it takes.
  ///
  /// It counts from when the batch is asked for, by ``FeedOptions/clock``. When it is over, the records so far are handed
  /// over, even if the feed sends nothing more. A batch has at least one record: without any, it keeps waiting.
  ///
  /// A separate task requests the buffers, so that waiting can be stopped. With nil, the task that takes the batches does.
  public var delay: Duration?
  /// Records that fail (default 100): their rejects may be large.
  public var rejects: Int

  /// Makes bounds; those below one count as one.
  public init(
    records: Int = 1000, bytes: Int = 4 << 20, delay: Duration? = .seconds(1), rejects: Int = 100
  ) {
    self.records = records
    self.bytes = bytes
    self.delay = delay
    self.rejects = rejects
  }
}
