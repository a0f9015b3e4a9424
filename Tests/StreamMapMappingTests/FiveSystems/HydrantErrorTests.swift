import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Hydrant's errors: what they say, alone, wrapped and together.
@Suite struct HydrantErrorTests {
  /// An error of another library.
  private struct Foreign: Error, CustomStringConvertible {
    let description = "code 2: it did not work"
  }

  private let single = MappingError(
    .invalidValue, path: [.key("sourceAccessor")], target: [.key("destinationAccessor")],
    expected: "a name", underlying: [Foreign()])

  private let bare = MappingError(.wrongType, severity: .issue)

  /// Otherwise: the text is of StreamMap's own form, with the address; what it lists is the same.
  @Test func `an error's text has code, paths, expectation and underlying error (HYD-168)`() {
    let text = """
      fatal invalidValue at $.sourceAccessor → destinationAccessor: expected a name
        - code 2: it did not work
      """
    #expect(single.description == text)
    #expect(single.fullDescription == text)
  }

  /// Otherwise: as HYD-168, and without the names of classes.
  @Test func `an issue without details is described by its code (HYD-169)`() {
    #expect(bare.description == "issue wrongType at $: wrongType")
  }

  /// Otherwise: an error under an issue is shown with it, for without it the issue says little.
  @Test func `a nested conversion's issue keeps path, target and underlying error (HYD-170)`()
    throws
  {
    let inner: Mapping<Int> = .at(
      "sourceAccessor", .oneWay(from: .int) { _ in throw Foreign() })
    struct Outer { let preDestination: Int }
    let outer = Mapping.object(Outer.self) { field in
      field.make(
        Outer.init, field("preSource", \.preDestination, inner.default(0, when: .failing)))
    }
    let record = try Mapper(outer).decode(#"{"preSource":{"sourceAccessor":3}}"#.utf8)
    let issue = try #require(record.issues.first)
    #expect(issue.severity == .issue && issue.code == .conversionFailed)
    #expect(issue.path.description == "$.preSource.sourceAccessor")
    #expect(issue.target?.relativeDescription == "preDestination")
    #expect(issue.position?.column == 32)
    #expect(issue.underlying.count == 1 && issue.underlying.first is Foreign)
    #expect(issue.description == issue.fullDescription)
  }

  private func several(_ severity: MappingError.Severity) -> MappingError {
    MappingError(
      .severalErrors, severity: severity, path: [.key("source")], target: [.key("destination")],
      underlying: [single, bare])
  }

  /// Otherwise: as HYD-168; the errors of a document have whole paths already, and are counted by those that are fatal.
  @Test func `several errors are described by the fatal ones alone (HYD-171)`() {
    #expect(
      several(.fatal).description == """
        fatal severalErrors at $.source → destination: 1 error
          - fatal invalidValue at $.sourceAccessor → destinationAccessor: expected a name
              - code 2: it did not work
        """)
  }

  /// Otherwise: `description` shows fatal errors wherever they are, also under an issue.
  @Test func `fatal errors under an issue are shown, issues only in full (HYD-172)`() {
    #expect(
      several(.issue).description == """
        issue severalErrors at $.source → destination: 1 error
          - fatal invalidValue at $.sourceAccessor → destinationAccessor: expected a name
              - code 2: it did not work
        """)
    #expect(
      several(.issue).fullDescription == """
        issue severalErrors at $.source → destination: 1 error
          - fatal invalidValue at $.sourceAccessor → destinationAccessor: expected a name
              - code 2: it did not work
          - issue wrongType at $: wrongType
        """)
  }

  /// Otherwise: as HYD-168; the tree is one of lines.
  @Test func `the recursive description shows errors as a tree of lines (HYD-173)`() {
    #expect(bare.recursiveDescription == "issue wrongType at $: wrongType")
    #expect(
      several(.fatal).fullRecursiveDescription == """
        fatal severalErrors at $.source → destination: 1 error
          - fatal invalidValue at $.sourceAccessor → destinationAccessor: expected a name
              - code 2: it did not work
          - issue wrongType at $: wrongType
        """)
  }
}
