#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What went wrong, and where: the one error type of StreamMap.
///
/// Every error that a feed can cause has an address: the record, the path, the bytes, line and column. Its text is made
/// only when it is read. The error holds no values of the feed, because they may be secrets.
///
/// ```swift
/// error.code      // .wrongType
/// error.path      // $.people[3].age
/// error.position  // line 1, column 84, bytes 83..<87
/// "\(error)"
/// // fatal wrongType at $.people[3].age (record 1, line 1, column 84, bytes 83..<87): expected an integer, found a string
/// ```
///
/// Four texts show the error: ``description`` and ``fullDescription`` as a list, ``recursiveDescription`` and
/// ``fullRecursiveDescription`` as a tree. The full texts include the issues.
public struct MappingError: Error, Sendable {
  /// Whether there is a value in spite of the error.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Severity: String, Sendable, Hashable, Codable {
    /// There is no value.
    case fatal
    /// There is a value: a default or nil was used, or an element was left out.
    case issue
  }

  // A class keeps the error one word wide, so that results without an error stay small.
  private final class Storage: Sendable {
    let code: ErrorCode
    let severity: Severity
    let path: JSONPath
    let target: JSONPath?
    let position: SourcePosition?
    let record: Int?
    let expected: String?
    let found: String?
    let rule: String?
    let underlying: [any Error]
    let omitted: Int

    init(
      code: ErrorCode, severity: Severity, path: JSONPath, target: JSONPath?,
      position: SourcePosition?,
      record: Int?, expected: String?, found: String?, rule: String?, underlying: [any Error],
      omitted: Int
    ) {
      self.code = code
      self.severity = severity
      self.path = path
      self.target = target
      self.position = position
      self.record = record
      self.expected = expected
      self.found = found
      self.rule = rule
      self.underlying = underlying
      self.omitted = omitted
    }
  }

  private let storage: Storage

  package init(
    _ code: ErrorCode, severity: Severity = .fatal, path: JSONPath = JSONPath(),
    target: JSONPath? = nil,
    position: SourcePosition? = nil, record: Int? = nil, expected: String? = nil,
    found: String? = nil, rule: String? = nil,
    underlying: [any Error] = [], omitted: Int = 0
  ) {
    storage = Storage(
      code: code, severity: severity, path: path, target: target, position: position,
      record: record.flatMap { $0 > Uncounted.record ? nil : $0 },
      expected: expected, found: found, rule: rule, underlying: underlying, omitted: omitted)
  }

  /// No memory is left.
  @usableFromInline static let outOfMemory = MappingError(.io, found: "out of memory")

  /// The same error in the record with a number.
  func inRecord(_ number: Int) -> MappingError {
    MappingError(
      code, severity: severity, path: path, target: target, position: position, record: number,
      expected: expected, found: found, rule: rule, underlying: underlying, omitted: omittedCount)
  }

  /// The kind of the error.
  public var code: ErrorCode { storage.code }
  /// Whether there is no value, or an alternative was taken.
  public var severity: Severity { storage.severity }
  /// The place in the feed, from the root of its document (in line-oriented feeds, from the root of its line).
  public var path: JSONPath { storage.path }
  /// The place in the result, as in `children[3].city`; nil if there is none.
  public var target: JSONPath? { storage.target }
  /// The position in the feed; nil if the source is not text.
  public var position: SourcePosition? { storage.position }
  /// The record's number, from 1 up; nil outside records, and in a part of a feed that does not know it.
  public var record: Int? { storage.record }
  /// What was expected.
  public var expected: String? { storage.expected }
  /// What was there instead: a kind of value, never the value itself.
  public var found: String? { storage.found }
  /// The name of the rule that a value broke; nil if it broke none.
  public var rule: String? { storage.rule }
  /// The errors that led to this one, of any type, in the order in which they occurred.
  public var underlying: [any Error] { storage.underlying }
  /// How many further errors were counted but not kept (see ``Limits/errorsPerRecord``).
  public var omittedCount: Int { storage.omitted }

  /// The errors one by one, each with its own code, path and position: those of several errors, otherwise this one alone.
  ///
  /// ```swift
  /// for error in reject.error.leaves { log("\(error.code) at \(error.path)") }
  /// ```
  ///
  /// It is never empty. The errors that led to one of them are in its ``underlying``; ``omittedCount`` counts those that were
  /// not kept.
  public var leaves: [MappingError] {
    guard code == .severalErrors else { return [self] }
    var leaves: [MappingError] = []
    // PERF: an error is large; it is copied once.
    for case let error as MappingError in underlying {
      let inner = error.code == .severalErrors ? error.leaves : []
      if inner.isEmpty, error.severity == .fatal || severity == .issue { leaves.append(error) }
      leaves += inner.filter { $0.severity == .fatal || severity == .issue }
    }
    return leaves.isEmpty ? [self] : leaves
  }
}

extension MappingError: CustomStringConvertible, LocalizedError {
  /// The error in one sentence, without its address.
  public var message: String {
    switch (code, expected, found) {
    case (.severalErrors, _, _):
      let fatal = underlying.count { ($0 as? MappingError)?.severity != .issue } + omittedCount
      return fatal == 1 ? "1 error" : "\(fatal) errors"
    case (.missing, let expected?, _): return "\(expected) is missing"
    case (.missing, nil, _): return "a required value is missing"
    case (_, let expected?, let found?): return "expected \(expected), found \(found)"
    case (_, let expected?, nil): return "expected \(expected)"
    case (_, nil, let found?): return found
    case (_, nil, nil): return code.rawValue
    }
  }

  /// Severity, code, address and message of this error and of the fatal errors that led to it, one per line.
  ///
  /// The errors that led to one of several errors are indented below it, so there are as many first bullets as errors.
  ///
  /// A path of more than 32 steps is shortened to the steps at both ends; ``path`` has all steps.
  public var description: String { text(includesIssues: false, isTree: false) }

  /// Like ``description``, with the issues.
  public var fullDescription: String { text(includesIssues: true, isTree: false) }

  /// Like ``description``, with each error indented below the error that it led to.
  public var recursiveDescription: String { text(includesIssues: false, isTree: true) }

  /// Like ``recursiveDescription``, with the issues.
  public var fullRecursiveDescription: String { text(includesIssues: true, isTree: true) }

  /// The description, for interfaces that show errors of any kind.
  public var errorDescription: String? { description }

  /// The error in one sentence, for interfaces that show errors of any kind.
  public var failureReason: String? { message }

  private func text(includesIssues: Bool, isTree: Bool) -> String {
    var text = line
    let start = "\n  "
    appendUnderlying(
      to: &text, start, start + "    ", includesIssues: includesIssues, isTree: isTree)
    return text
  }

  /// Appends the errors that led to this one; each begins with `start`, those that led to it with `next`.
  private func appendUnderlying(
    to text: inout String, _ start: String, _ next: String, includesIssues: Bool, isTree: Bool
  ) {
    for error in underlying {
      if let error = error as? MappingError {
        guard includesIssues || error.severity == .fatal else { continue }
        text += start + "- " + error.line
        error.appendUnderlying(
          to: &text, next, isTree ? next + "    " : next, includesIssues: includesIssues,
          isTree: isTree)
      } else {
        text += start + "- " + "\(error)".replacing("\n", with: start + "  ")
      }
    }
    if omittedCount > 0 {
      text += start + "- and \(omittedCount) more (\(Limits.hint(.errorsPerRecord)))"
    }
  }

  /// The error without those that led to it.
  private var line: String {
    var text = "\(severity.rawValue) \(code.rawValue) at \(path.shortDescription)"
    if let target, !target.components.isEmpty { text += " → \(target.shortRelativeDescription)" }
    let address = [record.map { "record \($0)" }, position?.description].compactMap(\.self)
    if !address.isEmpty { text += " (\(address.joined(separator: ", ")))" }
    return text + ": \(message)"
  }
}
