/// The errors of one record, in the order in which they were met: as many as the limit keeps, the rest counted.
///
/// Issues, whose values were replaced, have the same limit for themselves: they do not hide what rejects the record.
final class ErrorLog {
  /// An error before its text and position are made.
  struct Entry {
    var severity: MappingError.Severity
    let code: ErrorCode
    let path: JSONPath
    var target: JSONPath
    var address: FeedToken
    let expected: String?
    let found: String?
    var underlying: [any Error] = []
    /// The errors of the machine that led to this one.
    var inner: [Entry] = []
    /// The rule that was broken.
    var rule: String?
    /// For one that a row has.
    var moment = Moment()
    /// How much of the paths may be shown; nil if all of them may.
    var visible: Visible?

    /// The lengths of the visible paths.
    struct Visible {
      let path: Int
      var target: Int
    }
  }

  /// When an error of a row is known, if the parts of the record are given to its fields one after the other.
  struct Moment {
    /// The ends of the parts that several fields take and that the error is in, from outside inwards, each with the field's rank in it.
    var held: [UInt64] = []
    /// Where that ends with which it is known.
    var end: UInt64 = 0
    /// The rank of the field for which it is known there.
    var rank: UInt64 = 0

    /// Whether it is before another one; nil if it is the same.
    fileprivate func comes(before other: Moment) -> Bool? {
      if held.isEmpty, other.held.isEmpty, end != other.end { return end < other.end }
      let (own, others) = (held + [end, rank], other.held + [other.end, other.rank])
      return own == others ? nil : own.lexicographicallyPrecedes(others)
    }
  }

  /// How many errors there were at some time, also of those that were only counted: what comes after it can be forgotten or become an issue.
  struct Mark {
    fileprivate var entries: Int32
    fileprivate var omitted: Int32

    /// A time when so many were kept, and none was only counted.
    init(_ count: Int = 0) {
      entries = Int32(truncatingIfNeeded: count)
      omitted = 0
    }

    /// How many were kept.
    var count: Int { Int(entries) }
  }

  private(set) var entries: [Entry] = []
  /// How many fatal errors were only counted; 2^31 - 1 stands for more, too.
  private var omitted: Int32 = 0
  var omittedFatal: Int { Int(omitted) }
  /// How many entries are kept.
  let limit: Int

  init(limit: Int) {
    self.limit = max(limit, 1)
  }

  // PERF: a plain word, because it is read at each key and container.
  private(set) var count = 0
  var isEmpty: Bool { count == 0 }

  /// How many errors there are now.
  // PERF: read at each container.
  @inline(__always)
  var mark: Mark {
    var mark = Mark(count)
    mark.omitted = omitted
    return mark
  }

  /// Whether there may be as many entries as the limit keeps.
  var isFull: Bool { count >= limit }

  /// Whether as many of a severity are kept as the limit allows: further ones are only counted, so their paths need not be made.
  func isFull(of severity: MappingError.Severity) -> Bool {
    isFull && count(of: severity) >= limit
  }

  /// How many entries of a severity are kept.
  // PERF: by their indices, because an entry is large: copies of all took most of the time of a record with many errors.
  private func count(of severity: MappingError.Severity) -> Int {
    var found = 0
    for index in entries.indices where entries[index].severity == severity { found += 1 }
    return found
  }

  func add(_ entry: Entry) {
    entries.append(entry)
    count += 1
  }

  /// Removes and returns the entries from `start` on, and forgets those that were only counted since.
  func take(from start: Mark) -> [Entry] {
    let taken = Array(entries[min(start.count, count)...])
    remove(from: start)
    return taken
  }

  /// Forgets the errors from `start` on.
  func remove(from start: Mark) {
    if count > start.count {
      entries.removeSubrange(start.count...)
      count = entries.count
    }
    omitted = start.omitted
  }

  /// Forgets the errors between two times.
  func remove(from start: Mark, to end: Mark) {
    entries.removeSubrange((start.count..<end.count).clamped(to: entries.indices))
    count = entries.count
    omitted -= end.omitted - start.omitted
  }

  /// Keeps those entries from `start` on whose flag in `isKept` is true; each entry has a flag.
  func keep(_ isKept: [Bool], from start: Mark) {
    guard isKept.contains(false) else { return }
    entries.replaceSubrange(
      start.count..., with: zip(entries[start.count...], isKept).filter(\.1).map(\.0))
    count = entries.count
  }

  /// Puts the entries from `start` on in the order in which they are known; those that it does not tell apart stay as they are.
  func sort(from start: Mark = Mark()) {
    guard count > start.count + 1 else { return }
    // PERF: most are in order already.
    let isSorted = (start.count + 1..<count).allSatisfy {
      entries[$0].moment.comes(before: entries[$0 - 1].moment) != true
    }
    if isSorted { return }
    // The library's sort is stable, but does not promise it.
    let sorted = entries[start.count...].enumerated().sorted { a, b in
      a.element.moment.comes(before: b.element.moment) ?? (a.offset < b.offset)
    }
    entries.replaceSubrange(start.count..., with: sorted.map(\.element))
  }

  /// Says that the entries from `start` on are only known at a moment.
  func hold(from start: Mark, until moment: Moment) {
    for index in start.count..<max(start.count, count) { entries[index].moment = moment }
  }

  /// Gives each entry another address.
  func move(_ address: (FeedToken) -> FeedToken) {
    for index in entries.indices { entries[index].move(address) }
  }

  func omit(_ severity: MappingError.Severity) {
    if severity == .fatal, omitted < .max { omitted += 1 }
  }

  /// Sets where the value that these errors are about ends.
  func extend(_ range: Range<Int>, to end: UInt64) {
    for index in range.clamped(to: entries.indices) { entries[index].address.end = end }
  }

  /// Turns the errors from `start` on into issues, because an alternative was taken.
  // PERF: if it were inlined into the path of a value, the array's exclusive access would be checked there each time.
  @inline(never)
  func downgrade(from start: Mark) {
    for index in start.count..<max(start.count, count) { entries[index].severity = .issue }
    omitted = start.omitted
    if !isFull { return }
    let surplus = count(of: .issue) - limit
    if surplus > 0 {
      let left = min(surplus, count - start.count)
      entries.removeLast(left)
      count = entries.count
    }
  }

  /// Forgets the errors of a value that a later duplicate of its key replaces.
  func removeAll(
    from start: Mark, under path: JSONPath, where isMeant: (Entry) -> Bool = { _ in true }
  ) {
    guard count > start.count else { return }
    // PERF: runs at each key after an error, and is hardly ever true.
    let last = path.components.count - 1
    func isReplaced(_ entry: Entry) -> Bool {
      let components = entry.path.components
      if last >= 0, last >= components.count || components[last] != path.components[last] {
        return false
      }
      return isMeant(entry) && entry.path.starts(with: path)
    }
    guard let first = entries[start.count...].firstIndex(where: isReplaced) else { return }
    entries[first...].removeAll(where: isReplaced)
    count = entries.count
  }

  /// Forgets the errors from `start` on about a target and what is below it.
  func removeAll(from start: Mark, about target: JSONPath) {
    guard count > start.count else { return }
    entries[start.count...].removeAll { $0.target.starts(with: target) }
    count = entries.count
  }

  /// Takes the last step of `target` out of the targets of the errors from `start` on that are about it and what is below it.
  func shorten(_ target: JSONPath, from start: Mark) {
    guard count > start.count else { return }
    for index in start.count..<count { entries[index].shorten(target) }
  }

  // PERF: inlined without the rare part, because it runs before each record.
  @inline(__always)
  func clear() {
    if count != 0 || omitted != 0 { forgetAll() }
  }

  @inline(never)
  private func forgetAll() {
    entries.removeAll(keepingCapacity: true)
    count = 0
    omitted = 0
  }
}

extension ErrorLog.Entry {
  fileprivate mutating func shorten(_ long: JSONPath) {
    guard target.starts(with: long) else { return }
    let step = long.components.count - 1
    target.components.remove(at: step)
    if let shown = visible?.target, shown > step { visible?.target = shown - 1 }
    for index in inner.indices { inner[index].shorten(long) }
  }

  fileprivate mutating func move(_ address: (FeedToken) -> FeedToken) {
    self.address = address(self.address)
    for index in inner.indices { inner[index].move(address) }
  }

  /// The error, for a record at this path.
  func error(below prefix: JSONPath, record: Int?) -> MappingError {
    var (path, target) = (path, target)
    if let visible {
      path = JSONPath(Array(path.components.prefix(visible.path)))
      target = JSONPath(Array(target.components.prefix(visible.target)))
    }
    // PERF: records of lines have no steps to them.
    if !prefix.components.isEmpty { path = JSONPath(prefix.components + path.components) }
    return MappingError(
      code, severity: severity, path: path, target: target, position: address.position,
      record: record, expected: expected, found: found, rule: rule,
      underlying: underlying + inner.map { $0.error(below: prefix, record: record) })
  }
}
