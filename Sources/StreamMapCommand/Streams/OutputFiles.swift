import StreamMap
import StreamMapCompression
import StreamMapFiles
import StreamMapPlatform

/// Several files in the place of one: by size, or by what is in the records.
///
/// Each is written next to its final name, as a single file is. Not thread-safe.
final class OutputFiles {
  /// How the records are shared out.
  enum Division {
    /// Files with numbers, each of at most so many bytes before they are compressed; a larger record has a file of its own.
    case size(Int)
    /// Files whose paths come with the records, and begin with a folder that does not.
    case paths(below: String)
  }

  /// How many files there may be by default.
  static let defaultMost = 10_000
  /// How many files are open at a time.
  private static let mostOpen = 64
  /// What is kept back of a file, and of all.
  private static let pieceSize = 64 << 10
  private static let mostKept = 16 << 20

  private final class Part {
    let file: OutputFile
    var kept: [UInt8] = []
    /// The bytes so far, before they are compressed.
    var size = 0
    var isEmpty = true
    var lastUse = 0

    init(_ file: OutputFile) {
      self.file = file
    }
  }

  /// What is asked for, as it is written.
  private let path: String
  private let division: Division
  private let layout: OutputLayout
  private let mostFiles: Int
  /// Whether messages must not show the paths, because values are in them.
  private let hidesValues: Bool
  /// What outputs of the run have made.
  private let taken: TakenFiles.OfOutput
  /// Says why a file must not be written; nil if it may.
  private let refusal: (String) -> String?
  /// The folders that records name; nil if they name none.
  private let tree: FolderTree?
  private let gate = WriteGate(-1)
  private let compressor: Compressor?
  /// By their paths: two may lead to one file, where names that differ only in case do.
  private var parts: [ExactText: Part] = [:]
  private var known: [FilePlace.Identity: Part] = [:]
  /// All that are not complete, in the order of their first records; of files with numbers only the last one.
  private var all: [Part] = []
  private var open: [Part] = []
  private var number = 0
  private var kept = 0
  private var uses = 0
  private var failure: (any Error)?
  private(set) var bytesWritten = 0

  /// - Parameters:
  ///   - path: The path of the numbered files without their numbers, or the template of the paths.
  ///   - division: How the records are shared out.
  ///   - layout: How the records follow each other in each file.
  ///   - mostFiles: How many files there may be.
  ///   - hidesValues: Whether messages must not show values.
  ///   - taken: What outputs of the run have made.
  ///   - refusal: Says why a file must not be written; nil if it may.
  /// - Throws: ``SystemError`` if memory runs out.
  init(
    _ path: String, _ division: Division, _ layout: OutputLayout, mostFiles: Int,
    hidesValues: Bool, taken: TakenFiles.OfOutput, refusal: @escaping (String) -> String?
  ) throws(SystemError) {
    self.path = path
    self.division = division
    self.layout = layout
    self.mostFiles = mostFiles
    self.hidesValues = hidesValues
    self.taken = taken
    self.refusal = refusal
    tree = if case .paths(let folder) = division { FolderTree(folder) } else { nil }
    compressor = try OutputFile.compressor(path)
  }

  /// The path of a numbered file: `out-0001.ndjson.gz` for `out.ndjson.gz`.
  static func path(_ path: String, number: Int) -> String {
    let digits = String(number)
    return self.path(path, digits: String(repeating: "0", count: max(4 - digits.count, 0)) + digits)
  }

  private static func path(_ path: String, digits: String) -> String {
    let folder = PathTarget.folder(of: path)
    let name = path.dropFirst(folder.count)
    var stem = name
    func dropExtension() {
      if let dot = stem.lastIndex(of: "."), dot > stem.startIndex { stem = stem[..<dot] }
    }
    if CompressionFormat(fileName: path) != nil { dropExtension() }
    dropExtension()
    return folder + stem + "-" + digits + name.dropFirst(stem.count)
  }

  private func add(_ text: UnsafeRawBufferPointer, at path: UnsafeRawBufferPointer) throws {
    let part =
      switch division {
      case .size(let most): try numberedPart(for: text.count, most)
      case .paths: try part(at: String(decoding: path, as: UTF8.self))
      }
    let before = part.kept.count
    if part.isEmpty {
      part.kept += layout.opening
      part.kept += text.dropFirst(layout.separatorLength)
      part.isEmpty = false
    } else {
      part.kept += text
    }
    part.size += part.kept.count - before
    kept += part.kept.count - before
    uses += 1
    part.lastUse = uses
    if part.kept.count >= Self.pieceSize {
      try write(part)
    } else if kept >= Self.mostKept {
      try writeAll()
    }
  }

  /// The file with the last number, or the next one where a record does not fit any more.
  private func numberedPart(for count: Int, _ most: Int) throws -> Part {
    let path = Self.path(path, number: max(number, 1))
    if let part = parts[ExactText(path)] {
      let end = layout.closing(isEmpty: false).count
      if part.isEmpty || part.size + count + end <= most { return part }
      try complete(part)
      try syncFolders()
      parts = [:]
      known = [:]
      all = []
    }
    number += 1
    return try part(at: Self.path(self.path, number: number))
  }

  private func part(at path: String) throws -> Part {
    if let part = parts[ExactText(path)] { return part }
    if parts.count >= mostFiles {
      throw SystemError(
        "write \(title(of: path))",
        "there are \(mostFiles) files already (--limit-files); are there so many values?",
        status: .limit)
    }
    if let reason = refusal(path) ?? clash(of: path) {
      throw SystemError("write \(title(of: path))", reason, status: .usage)
    }
    let final = place(of: path)
    let draft = final.adding(OutputFile.partialEnding)
    if let part = try draft.identity().flatMap({ known[$0] }) {
      parts[ExactText(path)] = part
      return part
    }
    try makeRoom()
    let file = try taken.make(final, draft) { () throws(SystemError) in
      try OutputFile(part: draft, final, gate, compressor)
    }
    guard let file else {
      throw SystemError(
        "write \(title(of: path))", "another output of this run writes it", status: .usage)
    }
    let part = Part(file)
    parts[ExactText(path)] = part
    if let identity = part.file.identity { known[identity] = part }
    all.append(part)
    open.append(part)
    return part
  }

  /// Why the file would be another one that is not complete yet; nil if it would not.
  private func clash(of path: String) -> String? {
    let ending = OutputFile.partialEnding
    let isClash =
      parts[ExactText(path + ending)] != nil
      || path.hasSuffix(ending) && parts[ExactText(String(path.dropLast(ending.count)))] != nil
    return isClash ? "another file has that name until it is complete" : nil
  }

  private func place(of path: String) -> FilePlace {
    guard let tree, case .paths(let folder) = division else {
      return FilePlace(path, below: nil, title: title(of: path))
    }
    // By their bytes: a value may begin with a character that joins the folder's last one.
    let name = String(decoding: path.utf8.dropFirst(folder.utf8.count), as: UTF8.self)
    return FilePlace(name, below: tree, title: title(of: path))
  }

  private func title(of path: String) -> String { hidesValues ? self.path : ShownText.of(path) }

  /// What is left of a path where fields differ.
  private static func remains(of template: String) -> String {
    let pieces = template.split(separator: "{", omittingEmptySubsequences: false)
    return pieces.dropFirst().reduce(String(pieces[0])) { text, piece in
      guard let end = piece.firstIndex(of: "}") else { return text + "{" + piece }
      return text + "*" + piece[piece.index(after: end)...]
    }
  }

  /// Closes the file that was used least recently, where there are enough open ones.
  private func makeRoom() throws {
    guard open.count >= Self.mostOpen,
      let oldest = open.indices.min(by: { open[$0].lastUse < open[$1].lastUse })
    else { return }
    let part = open.remove(at: oldest)
    try flush(part)
    part.file.suspend()
  }

  private func write(_ part: Part) throws {
    if part.file.isSuspended {
      try makeRoom()
      try part.file.resume()
      open.append(part)
    }
    try flush(part)
  }

  /// Writes what is kept of an open file.
  private func flush(_ part: Part) throws {
    if part.kept.isEmpty { return }
    let before = part.file.bytesWritten
    defer { bytesWritten += part.file.bytesWritten - before }
    try part.kept.withUnsafeBytes { try part.file.write($0) }
    kept -= part.kept.count
    part.kept.removeAll(keepingCapacity: part.kept.count >= Self.pieceSize)
  }

  private func writeAll() throws {
    for part in all where !part.kept.isEmpty { try write(part) }
  }

  private func complete(_ part: Part) throws {
    let end = (part.isEmpty ? layout.opening : []) + layout.closing(isEmpty: part.isEmpty)
    part.kept += end
    kept += end.count
    part.isEmpty = false
    if part.file.isSuspended {
      try makeRoom()
      try part.file.resume()
      open.append(part)
    }
    try flush(part)
    try part.file.takeName()
    part.file.suspend()
    open.removeAll { $0 === part }
  }
}

extension OutputFiles: RunOutput {
  var needsThread: Bool { compressor != nil }
  var waits: Bool { false }
  var preparation: OutputPreparation? { nil }
  var gates: [WriteGate] { [gate] }
  var batchSize: Int? { nil }
  var hasUncommitted: Bool { false }
  var showsBatches: Bool { false }
  var hasEnd: Bool { false }

  /// The names of all that may be there.
  var partialName: String? {
    switch division {
    case .size: Self.path(path, digits: "*") + ".partial"
    case .paths: Self.remains(of: path) + ".partial"
    }
  }

  func write(_ piece: OutputPiece) throws {
    // What is written again after a failure is there in part.
    if let failure { throw failure }
    do {
      try OutputFrames.forEach(in: UnsafeRawBufferPointer(piece.bytes)) { path, text in
        try add(text, at: path)
      }
    } catch {
      failure = error
      throw error
    }
  }

  func rest() throws { try writeAll() }

  func commit() throws {
    // A run without records has a file, too.
    if case .size = division, all.isEmpty { _ = try numberedPart(for: 0, .max) }
    for part in all { try complete(part) }
    try syncFolders()
  }

  /// Forces the names of the complete files to the disk.
  // PERF: once a folder, since it takes as long as for a file.
  private func syncFolders() throws(SystemError) {
    var done: Set<[UInt8]> = []
    for case let place? in all.map(\.file.finalPlace) where done.insert(place.folderKey).inserted {
      try place.syncFolder()
    }
  }

  func leave() { try? writeAll() }

  func remains(checkpoint: String?) -> String? {
    partialName.map { ForcedEnd.message(partial: $0, checkpoint: checkpoint) }
  }

  // Runs with a checkpoint have one file.
  func has(_ beginning: Fingerprint?, extending whole: inout WholeDigest?) -> Bool { false }
  func start(after earlier: Checkpoint?) {}
  func savedFingerprint(extending whole: inout WholeDigest?) -> Fingerprint? { nil }
}
