import Foundation

/// The records of a line feed again, as the elements of one document: `{"statuses":[…]}`.
enum DocumentFeed {
  static func write(linesAt lines: String, to path: String) throws {
    let feed = try MappedFile(path: lines)
    let file = try OutputFile(path: path)
    try file.write(#"{"statuses":["#.utf8)
    var isFirst = true
    for line in feed.lines {
      if !isFirst { try file.write(",".utf8) }
      isFirst = false
      try file.write(line)
    }
    try file.write(#"],"search_metadata":{"count":100}}"#.utf8)
    try file.write("\n".utf8)
    try file.close()
  }
}
