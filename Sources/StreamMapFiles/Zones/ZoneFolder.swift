import StreamMap
import StreamMapPlatform

/// The folder in which a system keeps the tables of time zones (the database of IANA).
struct ZoneFolder: Sendable {
  let path: String

  static let system = ZoneFolder(path: "/usr/share/zoneinfo")

  /// The largest file has a few thousand bytes.
  private static let mostBytes = 1 << 20
  private static let mostNames = 10_000

  /// The table of a zone.
  func table(of name: String) throws(ZoneProblem) -> ZoneTable {
    guard access(path, F_OK) == 0 else { throw .noFolder(path) }
    let file = path + "/" + name
    var status = stat()
    guard Self.isName(name), stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unknown
    }
    let bytes: [UInt8]
    do throws(UnreadableFile) {
      bytes = try MappingFileLoader.bytes(of: file, upTo: Self.mostBytes)
    } catch {
      throw .unreadable(error.reason)
    }
    do throws(ZoneTable.Fault) {
      return try ZoneTable(bytes)
    } catch {
      throw .unreadable("\(file) is not a table of a time zone: \(error.reason)")
    }
  }

  /// Whether a text can be the name of a zone, and leads nowhere else: a point is in none.
  private static func isName(_ text: String) -> Bool {
    text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty
        && part.unicodeScalars.allSatisfy {
          $0.isASCII && ($0.properties.isAlphabetic || "0123456789_+-".unicodeScalars.contains($0))
        }
    }
  }

  /// The names of all zones, for suggestions; those of the same zones in other forms are left out.
  var names: [String] {
    var names: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      guard let directory = opendir(path + "/" + folder) else { continue }
      defer { closedir(directory) }
      while let entry = readdir(directory), names.count < Self.mostNames {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
            String(cString: $0)
          }
        }
        guard Self.isName(name), name.first?.isUppercase == true else { continue }
        var status = stat()
        guard lstat(path + "/" + folder + name, &status) == 0 else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: folders.append(folder + name + "/")
        case S_IFREG, S_IFLNK: names.append(folder + name)
        default: continue
        }
      }
    }
    return names.sorted()
  }
}
