import Foundation
import StreamMap
import Testing

@testable import CommandLineTests
@testable import StreamMapCommand

/// JSONTestSuite by the command, where its files are: it says what the library does, from a file and from a pipe, whatever
/// is mapped.
@Suite struct JSONTestSuiteTests {
  static let files: [URL] = {
    guard let shared = ProcessInfo.processInfo.environment["STREAMMAP_SHARED"], !shared.isEmpty
    else {
      print("note: STREAMMAP_SHARED is not set: JSONTestSuite is skipped")
      return []
    }
    let folder = URL(filePath: shared).appending(path: "conformance/json-test-suite")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    // The library judges all of them in each run.
    return TestExtent.sample(names.sorted().filter { $0.hasSuffix(".json") }, every: 4)
      .map { folder.appending(path: $0) }
  }()

  @Test(.long, arguments: files)
  func `the command judges each JSONTestSuite file as the library does`(_ file: URL) throws {
    let bytes = Array(try Data(contentsOf: file))
    let error = try Mapper(output: .raw).decode(bytes).error
    let command = try Command()
    let whole = try command.run(["--from", "json", "--field", "all:json=$", file.path], input: [])
    // What is mapped is not there; documents that are not objects do not fit, which is no matter of JSON.
    let nothing = try command.run(
      ["--from", "json", "--field", "none=not_there", "--errors", "skip"], input: bytes,
      pieceSize: bytes.count < 300 ? 1 : 999)
    let name = file.lastPathComponent
    guard let error else {
      #expect(nothing.status == 0 || nothing.status == 1, "\(name)")
      #expect(whole.status == 0 && whole.errors.isEmpty, "\(name)")
      #expect(whole.output.hasPrefix("{\"all\":") && whole.output.hasSuffix("}\n"), "\(name)")
      return
    }
    for result in [whole, nothing] {
      #expect(result.status == (error.code == .limitExceeded ? 5 : 4), "\(name)")
      #expect(
        result.errors.contains(LimitOptions.named(in: "\(error)")), "\(name): \(result.errors)")
      #expect(result.output.isEmpty, "\(name)")
    }
  }
}
