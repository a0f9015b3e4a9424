/// Where rejected records go.
final class RejectFile {
  private let file: OutputFile
  let omitsRaw: Bool
  /// The gate of the file.
  var gate: WriteGate { file.gate }
  private var pending: [UInt8] = []
  private var hasFailed = false

  init(path: String, omitsRaw: Bool, _ mode: OutputFile.Mode) throws(SystemError) {
    // Written in place, because it is useful from its first line on.
    file = try OutputFile(path: path, isAtomic: false, mode)
    self.omitsRaw = omitsRaw
  }

  func add(_ line: String) throws {
    pending += line.utf8
    pending.append(UInt8(ascii: "\n"))
    if pending.count >= 64 << 10 { try flush() }
  }

  func flush() throws {
    if pending.isEmpty || hasFailed { return }
    do {
      try pending.withUnsafeBytes { try file.write($0) }
    } catch {
      hasFailed = true
      throw error
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// No more records come, however the run ends: all rejected records are forced to the disk.
  func end() throws {
    if hasFailed { return }
    try flush()
    try file.sync()
  }

  // MARK: Kept files

  /// Whether the file still begins with what was written to it.
  func has(_ beginning: Fingerprint, extending whole: inout WholeDigest?) throws(SystemError)
    -> Bool
  {
    try file.has(beginning, extending: &whole)
  }

  /// Keeps the first `count` bytes, and continues after them.
  func start(after count: Int) throws(SystemError) { try file.start(after: count) }

  /// The fingerprint of everything that was written, after it is on the disk.
  func savedFingerprint(extending whole: inout WholeDigest?) throws(SystemError) -> Fingerprint {
    try file.fingerprint(extending: &whole)
  }
}
