import ArgumentParser
import StreamMap
import StreamMapCompression
import StreamMapFiles
import StreamMapPlatform

/// The first records of a feed that no mapping is known for.
struct SampledFeed {
  /// How much of standard input is read ahead: it cannot be read twice.
  private static let mostAhead = 256 << 10

  /// The feed's name, as it was given.
  let name: String
  let sample: FeedSample
  /// What was read of standard input, if it is read again.
  private(set) var beginning: [UInt8] = []

  /// Reads the first records.
  ///
  /// - Parameters:
  ///   - names: The feeds, `-` for standard input.
  ///   - path: Where the records are; without it, that is found out.
  ///   - format: The format; without it, that is found out.
  ///   - most: The number of records of each feed.
  ///   - isReadAgain: Whether the feed is read again afterwards: then only the beginning of standard input is looked at.
  /// - Throws: ``ExitStatus``, with a message; `ValidationError`.
  init(
    _ names: [String], at path: PathPattern?, _ format: InputFormat?, most: Int,
    isReadAgain: Bool = false
  ) throws {
    name = names[0]
    var sample = FeedSample(at: path)
    FeedFile.hint(at: names)
    do {
      for name in names {
        try FeedFile.look(at: name)
        var notes = FeedNotes(records: path.map { [$0] } ?? [], hidesValues: false) {
          "--records \(ShellWord($0))"
        }
        notes.begin(FeedBeginning(isAtStart: true))
        let file = try FeedFile(name)
        let feedFormat = file.format(format?.format ?? .auto)
        if isReadAgain, name == "-" {
          beginning = try Self.readAhead()
          var pieces = [beginning]
          try beginning.withUnsafeBufferPointer { all in
            notes.read(all)
            try sample.add(format: feedFormat, most: most) {
              pieces.popLast() == nil ? UnsafeBufferPointer(rebasing: all[..<0]) : all
            }
          }
        } else {
          try sample.add(format: feedFormat, most: most) {
            let piece = try file.read()
            notes.read(piece)
            return piece
          }
        }
        // Where the beginning of standard input ends, a record may be cut off.
        let isCutOff = beginning.count == Self.mostAhead
        try Self.tell(
          sample.takeFaults().filter { !isCutOff || $0.code != .truncated }, of: file.source,
          feedFormat,
          notes, isEmpty: sample.count == 0)
        if sample.count == 0, let path {
          StandardError.write(
            "stream-map: \(FileReading.title(of: name)): \(notes.text(ofUnseen: path))")
          throw ExitStatus.unseenPath
        }
      }
    } catch let error as SystemError {
      StandardError.write("stream-map: \(error)")
      throw error.status
    } catch let error as DefinitionError {
      throw ValidationError("\(error)")
    }
    self.sample = sample
    if sample.count == 0, !sample.isEmptyArray { throw noRecords() }
  }

  /// Says that there are no records.
  func noRecords() -> ExitStatus {
    StandardError.write(
      "stream-map: \(FileReading.title(of: name)): there are no records to infer a mapping from")
    return .unseenPath
  }

  /// Tells why records could not be read.
  private static func tell(
    _ faults: [MappingError], of feed: FeedName, _ format: FeedFormat, _ notes: FeedNotes,
    isEmpty: Bool
  ) throws {
    guard let fault = faults.first else { return }
    let more = faults.count > 1 ? " (and \(faults.count - 1) more)" : ""
    let hint = FeedHint(feed: feed, format: format, paths: notes, origin: .none)
    StandardError.write(
      "stream-map: \(FileReading.title(of: feed.name)): \(fault)\(more)\(hint.text(for: fault))")
    if isEmpty { throw ExitStatus(endedBy: fault) }
  }

  /// The beginning of standard input.
  private static func readAhead() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: mostAhead)
    var count = 0
    while count < mostAhead, !Interruption.happened {
      let most = mostAhead - count
      let read = bytes.withUnsafeMutableBytes {
        StreamMapPlatform.read(
          STDIN_FILENO, UnsafeMutableRawBufferPointer(rebasing: $0[count...]).baseAddress, most)
      }
      if read == 0 { break }
      if read > 0 {
        count += read
      } else if errno == EAGAIN {
        var polled = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        _ = poll(&polled, 1, -1)
      } else if errno != EINTR {
        throw SystemError("read standard input")
      }
    }
    bytes.removeLast(mostAhead - count)
    if let format = CompressionFormat(startOf: bytes.prefix(CompressionFormat.longestSignature)) {
      throw SystemError(
        "look at standard input",
        "it is compressed (\(format)), and no mapping is given: decompress it first, or give the file",
        status: .usage)
    }
    return bytes
  }

  // MARK: What it becomes

  /// A mapping file of all that is in the records, for rows, and how many columns it has.
  ///
  /// - Parameters:
  ///   - format: The feed's format, where it is said.
  ///   - output: The form of the rows.
  /// - Returns: Both.
  func mapping(_ format: InputFormat?, for output: OutputFormat) -> (text: String, columns: Int) {
    let mapping = inferred(format).asItStands(foldsCase: output == .sqlite)
    return (mapping.yaml, mapping.columns.count)
  }

  /// Where a person can change it: nowhere, before it is written to a file.
  var origin: FieldOrigin {
    .made(
      "the mapping is made from the first records: leave others out by --errors skip, or begin with"
        + " stream-map infer \(word) > m.yaml, and change that file")
  }

  /// The feed in a line of a shell.
  private var word: String { name == "-" ? "FEED" : ShellWord(name).description }

  private func inferred(_ format: InputFormat?) -> InferredMapping {
    InferredMapping(
      of: sample, format: format.map(\.rawValue), feed: name == "-" ? "a feed" : name,
      InferChoices())
  }

  /// Where the records are, as in `the records are the elements of $.items`.
  private var place: String {
    guard let path = sample.records else { return "each line or document is a record" }
    return "the records are \(ShownText.of(path))"
  }

  /// What was chosen, in one line.
  func choice(ofColumns count: Int) -> String {
    let records =
      sample.isCut || beginning.count == Self.mostAhead ? "the first \(sample.count)" : "its"
    if sample.isEmptyArray {
      return "no mapping is given, and the array is empty: there are no rows"
    }
    return
      "no mapping is given: \(place), with the \(count == 1 ? "column" : "\(count) columns") of \(records)"
      + " records; stream-map infer \(word) writes a mapping file with types"
  }

  /// What the feed is, three records as a table, and what to do next.
  var overview: String {
    let title = ShownText.of(name)
    let count = sample.isCut ? "more than \(sample.count)" : "\(sample.count)"
    let mapping = inferred(nil)
    let word = ShellWord(name).description
    let records = sample.count == 1 && !sample.isCut ? "1 record" : "\(count) records"
    let start = ShellWord("\(name.split(separator: "/").last ?? "feed").map.yaml").description
    return """
      \(title): \(place); \(records)

      \(FeedTable(mapping.columns, of: sample.first).text)

      all of it as CSV:         stream-map --to csv \(word)
      a mapping to start from:  stream-map infer \(word) > \(start)
      """
  }
}
