/// Passes the events of a value on, without those of its dropped parts.
final class DroppingSink: EventSink {
  private struct Level {
    /// Nil if all of it is kept.
    let parts: DroppedParts?
    /// Nil in an object.
    var index: Int?
  }

  private var target: EventSink?
  /// The open containers.
  private var levels: [Level] = []
  /// The dropped parts of the value that comes next.
  private var next: DroppedParts?
  /// How many containers are open of a dropped part.
  private var skipped = 0

  /// Begins another value.
  func begin(_ parts: DroppedParts, to target: EventSink) -> EventSink {
    self.target = target
    levels.removeAll(keepingCapacity: true)
    next = parts
    skipped = 0
    return self
  }

  override var size: Int { target?.size ?? 0 }

  /// Whether the value that comes is dropped; sets what is dropped of it.
  private func passesOver() -> Bool {
    if skipped > 0 { return true }
    if let last = levels.indices.last, let index = levels[last].index {
      next = levels[last].parts?.element(index)
      levels[last].index = index + 1
    }
    return next?.isWhole == true
  }

  override func null() { if !passesOver() { target?.null() } }
  override func bool(_ value: Bool) { if !passesOver() { target?.bool(value) } }
  override func number(_ text: UnsafeBufferPointer<UInt8>) {
    if !passesOver() { target?.number(text) }
  }
  override func string(_ text: UnsafeBufferPointer<UInt8>) {
    if !passesOver() { target?.string(text) }
  }

  override func key(_ text: UnsafeBufferPointer<UInt8>) {
    if skipped > 0 { return }
    next = levels.last?.parts?.member(text)
    if next?.isWhole != true { target?.key(text) }
  }

  override func beginObject() { if opens(isArray: false) { target?.beginObject() } }
  override func beginArray() { if opens(isArray: true) { target?.beginArray() } }
  override func endObject() { if closes() { target?.endObject() } }
  override func endArray() { if closes() { target?.endArray() } }

  private func opens(isArray: Bool) -> Bool {
    if passesOver() {
      skipped += 1
      return false
    }
    levels.append(Level(parts: next, index: isArray ? 0 : nil))
    return true
  }

  private func closes() -> Bool {
    if skipped > 0 {
      skipped -= 1
      return false
    }
    levels.removeLast()
    return true
  }
}
