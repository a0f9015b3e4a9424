/// A small file that survives a crash of the machine: at any time it has either the old contents or the new ones.
enum DurableFile {
  private static let ending = ".new"

  /// Where the new contents of a file are written before they replace it.
  static func draft(of path: String) -> String { path + ending }

  /// Replaces the contents of a file.
  static func write(_ bytes: [UInt8], to path: String) throws {
    try OutputFile.write(bytes, to: path, draft: ending)
  }

  /// Removes a file, if it is there.
  static func remove(_ path: String) throws(SystemError) {
    let place = FilePlace(path)
    try place.remove()
    try place.syncFolder()
  }
}
