/// Where rejected records go.
final class RejectFile {
  private let file: OutputFile
  let omitsRaw: Bool
  /// The way to the file.
  var gate: WriteGate { file.gate }
  private var pending: [UInt8] = []
  private var hasFailed = false

  init(path: String, omitsRaw: Bool, _ mode: OutputFile.Mode) throws(SystemError) {
    // Written in place: it is of use from its first line on.
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

  /// Nothing more comes, however the run ends: all that was rejected is on the disk.
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

  /// Keeps the first so many bytes, and goes on behind them.
  func start(behind count: Int) throws(SystemError) { try file.start(behind: count) }

  /// That of all that was written, which is on the disk then.
  func savedFingerprint(extending whole: inout WholeDigest?) throws(SystemError) -> Fingerprint {
    try file.savedFingerprint(extending: &whole)
  }
}
