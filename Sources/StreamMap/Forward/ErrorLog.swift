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
    /// How much of the paths may be shown; nil if all of them may.
    var visible: Visible?

    /// The lengths of the visible paths.
    struct Visible {
      let path: Int
      var target: Int
    }
  }

  private(set) var entries: [Entry] = []
  private(set) var omittedFatal = 0
  private(set) var omittedIssues = 0
  /// How many entries are kept.
  let limit: Int

  init(limit: Int) {
    self.limit = max(limit, 1)
  }

  // PERF: a plain word, because it is read at each key and container.
  private(set) var count = 0
  var isEmpty: Bool { count == 0 }

  /// Whether there may be as many entries as the limit keeps.
  var isFull: Bool { count >= limit }

  /// Whether as many of a severity are kept as the limit allows: further ones are only counted, so their paths need not be made.
  func isFull(of severity: MappingError.Severity) -> Bool {
    isFull && entries.count { $0.severity == severity } >= limit
  }

  func add(_ entry: Entry) {
    entries.append(entry)
    count += 1
  }

  /// Removes and returns the entries from `start` on.
  func take(from start: Int) -> [Entry] {
    guard entries.count > start else { return [] }
    let taken = Array(entries[start...])
    entries.removeSubrange(start...)
    count = entries.count
    return taken
  }

  /// Forgets the entries of a range.
  func remove(_ range: Range<Int>) {
    entries.removeSubrange(range.clamped(to: entries.indices))
    count = entries.count
  }

  /// Keeps those entries from `start` on whose flag in `isKept` is true; each entry has a flag.
  func keep(_ isKept: [Bool], from start: Int) {
    guard isKept.contains(false) else { return }
    entries.replaceSubrange(start..., with: zip(entries[start...], isKept).filter(\.1).map(\.0))
    count = entries.count
  }

  /// Puts the entries in an order; those that it does not tell apart stay as they are.
  func sort(by isBefore: (Entry, Entry) -> Bool) {
    // The library's sort is stable, but does not promise it.
    let sorted = entries.enumerated().sorted { a, b in
      isBefore(a.element, b.element) || !isBefore(b.element, a.element) && a.offset < b.offset
    }
    entries = sorted.map(\.element)
  }

  /// Gives each entry another address.
  func move(_ address: (FeedToken) -> FeedToken) {
    for index in entries.indices { entries[index].address = address(entries[index].address) }
  }

  func omit(_ severity: MappingError.Severity) {
    if severity == .fatal { omittedFatal += 1 } else { omittedIssues += 1 }
  }

  /// Sets where the value that these errors are about ends.
  func extend(_ range: Range<Int>, to end: UInt64) {
    for index in range.clamped(to: entries.indices) { entries[index].address.end = end }
  }

  /// Turns the errors from `start` on into issues, because an alternative was taken.
  // PERF: if it were inlined into the path of a value, the array's exclusive access would be checked there each time.
  @inline(never)
  func downgrade(from start: Int) {
    guard entries.count > start else { return }
    for index in start..<entries.count { entries[index].severity = .issue }
    if !isFull { return }
    // Some may have been left out that were errors then.
    if !isFull(of: .fatal) {
      omittedIssues += omittedFatal
      omittedFatal = 0
    }
    let surplus = entries.count { $0.severity == .issue } - limit
    if surplus > 0 {
      let left = min(surplus, entries.count - start)
      entries.removeLast(left)
      omittedIssues += left
      count = entries.count
    }
  }

  /// Forgets the errors of a value that a later duplicate of its key replaces.
  func removeAll(
    from start: Int, under path: JSONPath, where isMeant: (Entry) -> Bool = { _ in true }
  ) {
    guard count > start else { return }
    // PERF: runs at each key after an error, and is hardly ever true.
    let last = path.components.count - 1
    func isReplaced(_ entry: Entry) -> Bool {
      let components = entry.path.components
      if last >= 0, last >= components.count || components[last] != path.components[last] {
        return false
      }
      return isMeant(entry) && entry.path.starts(with: path)
    }
    guard let first = entries[start...].firstIndex(where: isReplaced) else { return }
    entries[first...].removeAll(where: isReplaced)
    count = entries.count
  }

  /// Forgets the errors from `start` on about a target and what is below it.
  func removeAll(from start: Int, about target: JSONPath) {
    guard count > start else { return }
    entries[start...].removeAll { $0.target.starts(with: target) }
    count = entries.count
  }

  /// Takes the last step of `target` out of the targets of the errors from `start` on that are about it and what is below it.
  func shorten(_ target: JSONPath, from start: Int) {
    guard count > start else { return }
    for index in start..<count { entries[index].shorten(target) }
  }

  // PERF: inlined without the rare part, because it runs before each record.
  @inline(__always)
  func clear() {
    if count | omittedFatal | omittedIssues != 0 { forgetAll() }
  }

  @inline(never)
  private func forgetAll() {
    entries.removeAll(keepingCapacity: true)
    count = 0
    omittedFatal = 0
    omittedIssues = 0
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

  /// The error, for a record at this path.
  func error(below prefix: JSONPath, record: Int?) -> MappingError {
    let path = path.components.prefix(visible?.path ?? .max)
    return MappingError(
      code, severity: severity, path: JSONPath(prefix.components + path),
      target: JSONPath(Array(target.components.prefix(visible?.target ?? .max))),
      position: address.position, record: record, expected: expected, found: found,
      rule: rule, underlying: underlying + inner.map { $0.error(below: prefix, record: record) })
  }
}
