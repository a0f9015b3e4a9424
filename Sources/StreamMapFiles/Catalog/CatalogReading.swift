import StreamMap

/// Reads a mapping file of a catalog and those that it uses, and notes which, and whether they stood still meanwhile.
final class CatalogReading {
  private let folder: CatalogFolder
  /// The files that were asked for, as they were before they were read; nil for those that were not there.
  private(set) var stamps: [ExactText: FileStamp?] = [:]
  private var hasChanged = false

  init(_ folder: CatalogFolder) {
    self.folder = folder
  }

  func bytes(of file: String, upTo most: Int) throws(UnreadableFile) -> [UInt8] {
    let before = FileStamp(file)
    if let known = stamps[ExactText(file)], known != before { hasChanged = true }
    stamps[ExactText(file)] = .some(before)
    let (bytes, stamp) = try folder.bytes(of: file, upTo: most)
    if stamp != before { hasChanged = true }
    return bytes
  }

  /// Whether all files are as they were before they were read.
  var isWhole: Bool { !hasChanged && Self.stamps(of: stamps.keys) == stamps }

  /// What files are like now.
  static func stamps(of files: some Sequence<ExactText>) -> [ExactText: FileStamp?] {
    var stamps: [ExactText: FileStamp?] = [:]
    for file in files { stamps[file] = .some(FileStamp(file.text)) }
    return stamps
  }
}
