/// Where rejected records go.
final class RejectFile {
  private let file: OutputFile
  let omitsRaw: Bool
  private var pending: [UInt8] = []

  init(path: String, omitsRaw: Bool) throws(SystemError) {
    // Written in place: it is of use from its first line on.
    file = try OutputFile(path: path, isAtomic: false)
    self.omitsRaw = omitsRaw
  }

  func add(_ line: String) throws {
    pending += line.utf8
    pending.append(UInt8(ascii: "\n"))
    if pending.count >= 64 << 10 { try flush() }
  }

  func flush() throws {
    if pending.isEmpty { return }
    try pending.withUnsafeBytes { try file.write($0) }
    pending.removeAll(keepingCapacity: true)
  }
}
