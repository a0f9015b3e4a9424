import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Nicolas Seriot's JSONTestSuite, where its files are: all that must be accepted is, all that must be rejected is, with an
/// address, and what the RFC leaves open is as decided here.
@Suite struct JSONTestSuiteTests {
  /// The files named `i_` (the RFC leaves them open) that are accepted.
  static let accepted: Set = [
    // A number of any size is JSON: whether it fits is the mapping's question (numberOutOfRange).
    "i_number_double_huge_neg_exp",
    "i_number_huge_exp",
    "i_number_neg_int_huge_exp",
    "i_number_pos_double_huge_exp",
    "i_number_real_neg_overflow",
    "i_number_real_pos_overflow",
    "i_number_real_underflow",
    "i_number_too_big_neg_int",
    "i_number_too_big_pos_int",
    "i_number_very_big_negative_int",
    // Within the limit of 512 levels.
    "i_structure_500_nested_arrays",
    // A byte-order mark is passed over.
    "i_structure_UTF-8_BOM_empty_object",
  ]

  /// Those that are rejected, and as what.
  static let rejected: [String: ErrorCode] = [
    // Half of a surrogate pair is no character: it could not be written as UTF-8 again.
    "i_object_key_lone_2nd_surrogate": .invalidUTF8,
    "i_string_1st_surrogate_but_2nd_missing": .invalidUTF8,
    "i_string_1st_valid_surrogate_2nd_invalid": .invalidUTF8,
    "i_string_incomplete_surrogate_and_escape_valid": .invalidUTF8,
    "i_string_incomplete_surrogate_pair": .invalidUTF8,
    "i_string_incomplete_surrogates_escape_valid": .invalidUTF8,
    "i_string_invalid_lonely_surrogate": .invalidUTF8,
    "i_string_invalid_surrogate": .invalidUTF8,
    "i_string_inverted_surrogates_U+1D11E": .invalidUTF8,
    "i_string_lone_second_surrogate": .invalidUTF8,
    // Ill-formed UTF-8 (RFC 3629) is never repaired.
    "i_string_UTF-8_invalid_sequence": .invalidUTF8,
    "i_string_UTF8_surrogate_U+D800": .invalidUTF8,
    "i_string_invalid_utf-8": .invalidUTF8,
    "i_string_iso_latin_1": .invalidUTF8,
    "i_string_lone_utf8_continuation_byte": .invalidUTF8,
    "i_string_not_in_unicode_range": .invalidUTF8,
    "i_string_overlong_sequence_2_bytes": .invalidUTF8,
    "i_string_overlong_sequence_6_bytes": .invalidUTF8,
    "i_string_overlong_sequence_6_bytes_null": .invalidUTF8,
    "i_string_truncated-utf-8": .invalidUTF8,
    // Other encodings are named, and have to be converted first (RFC 8259, section 8.1).
    "i_string_UTF-16LE_with_BOM": .invalidUTF8,
    "i_string_utf16BE_no_BOM": .invalidUTF8,
    "i_string_utf16LE_no_BOM": .invalidUTF8,
  ]

  static let files: [URL] = {
    guard let folder = SharedData.folder("conformance/json-test-suite") else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { $0.hasSuffix(".json") }.map(folder.appendingPathComponent)
  }()

  @Test func `files of every kind are in JSONTestSuite`() {
    guard SharedData.isThere else { return }
    let kinds = Dictionary(grouping: Self.files) { $0.lastPathComponent.prefix(2) }.mapValues(
      \.count)
    #expect(kinds["y_"] ?? 0 > 90 && kinds["n_"] ?? 0 > 180)
    let open = Set(
      Self.files.map { $0.deletingPathExtension().lastPathComponent }.filter { $0.hasPrefix("i_") })
    #expect(open == Self.accepted.union(Self.rejected.keys))
  }

  @Test(arguments: files) func `each JSONTestSuite file gets its verdict by every route`(
    _ file: URL
  ) throws {
    let bytes = Array(try Data(contentsOf: file))
    let name = file.deletingPathExtension().lastPathComponent
    let json = try Mapper(output: .raw)
    let nothing = try Mapper(output: FeedCase.nothing)
    var errors = [json.decode(bytes).error, nothing.decode(bytes).error]
    try Scanners.each { _ in
      errors += [try verdict(json, bytes, name), try verdict(nothing, bytes, name)]
    }
    let verdicts = errors.map { $0.flatMap { $0.code.category == .data ? nil : $0 } }
    for verdict in verdicts {
      switch name.prefix(2) {
      case "y_": #expect(verdict == nil, "\(name)")
      case "n_": #expect(verdict?.position != nil, "\(name)")
      default: #expect(verdict?.code == Self.rejected[name], "\(name)")
      }
      #expect(verdict?.description == verdicts[0]?.description, "\(name)")
    }
  }

  /// What all routes say: whole and in pieces of every size, projected and not.
  private func verdict(_ mapper: Mapper<RawJSON>, _ bytes: [UInt8], _ name: String) throws
    -> MappingError?
  {
    let records = try Routes.run(
      mapper, bytes, at: [], format: .json, pieceSizes: 1...max(1, min(bytes.count, 160))
    ) { $0.description }
    try #require(records.count == 1, "\(name)")
    return records[0].error
  }
}
