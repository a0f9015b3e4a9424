import StreamMapFiles

/// What commands print that write no records: through the same gate as records, with the same ends.
enum StandardOutput {
  /// Writes text for programs, as it is.
  ///
  /// - Throws: ``ExitStatus``: quietly ``ExitStatus/success`` if the reader has gone, ``ExitStatus/io`` with a message if it cannot
  ///   be written.
  static func write(_ text: String, terminator: String = "\n") throws(ExitStatus) {
    do {
      try OutputFile.write(Array((text + terminator).utf8), to: "-")
    } catch is OutputFile.Closed {
      throw .success
    } catch {
      StandardError.write("stream-map: \(error)")
      throw .io
    }
  }

  /// Writes lines for people: what a terminal would take for commands is written as its code.
  static func show(_ text: String) throws(ExitStatus) { try write(ShownText.ofLines(text)) }
}
