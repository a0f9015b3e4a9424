import StreamMapPlatform

/// Where the checkpoint of a run is kept.
protocol CheckpointStore: AnyObject {
  /// As in “cannot continue from …”.
  var name: String { get }
  /// What to do to start from the beginning.
  var advice: String { get }

  /// What is kept; nil if there is nothing.
  func stored() throws(SystemError) -> [UInt8]?
  /// Replaces what is kept: at any time there is the old or the new.
  func store(_ bytes: [UInt8]) throws
  /// The run is over.
  func remove() throws(SystemError)
}

/// A checkpoint in a file of its own.
final class CheckpointFile: CheckpointStore {
  let name: String
  let advice = "delete that file to start from the beginning"

  init(_ path: String) {
    name = path
  }

  func stored() throws(SystemError) -> [UInt8]? {
    guard access(name, F_OK) == 0 else { return nil }
    return try FileReading.bytes(of: name)
  }

  func store(_ bytes: [UInt8]) throws { try DurableFile.write(bytes, to: name) }

  func remove() throws(SystemError) { try DurableFile.remove(name) }
}
