import ArgumentParser
import StreamMap
import StreamMapFiles

/// An option that a run takes once for each of its mappings: in the order of the mapping files (`-o a.csv -o b.csv`), or by
/// the names that the mappings have in one file (`-o orders=a.csv`).
struct MappingOption {
  /// The option as it is written.
  private let flag: String
  /// What it is for, in messages.
  private let noun: String
  private let values: [String]

  static func output(_ values: [String]) -> MappingOption {
    MappingOption(flag: "-o", noun: "an output", values: values)
  }

  static func rejects(_ values: [String]) -> MappingOption {
    MappingOption(flag: "--rejects", noun: "a file of rejects", values: values)
  }

  /// The value for a mapping.
  ///
  /// - Parameters:
  ///   - index: The number of the mapping file, from 0.
  ///   - member: The mapping's name in the file; nil if it is the only one there.
  /// - Returns: The value; nil if the mapping has none.
  func value(_ index: Int, _ member: String?) -> String? {
    guard let member else { return values.indices.contains(index) ? values[index] : nil }
    return values.lazy.compactMap(Self.named).first { $0.name == member }?.value
  }

  /// Checks that each mapping has one value, if any has.
  ///
  /// - Parameters:
  ///   - members: The mappings' names in their file; empty if each is a file.
  ///   - count: The number of mappings.
  ///   - isNeeded: Whether several mappings need it.
  /// - Throws: `ValidationError`.
  func check(_ members: [String], _ count: Int, isNeeded: Bool) throws {
    if values.isEmpty, !isNeeded || count == 1 && members.isEmpty { return }
    if !members.isEmpty { return try checkNames(members) }
    if values.count == count { return }
    throw ValidationError(
      count == 1
        ? "\(flag) FILE is given \(values.count) times: a mapping has one. Several mappings (-m) have one each."
        : "\(count) mappings need \(flag) FILE \(count) times, in the order of the mappings; it is given"
          + " \(values.count == 1 ? "once" : "\(values.count) times").")
  }

  private func checkNames(_ members: [String]) throws {
    var known: [String] = []
    let list = members.map { ShownText.of($0) }.joined(separator: ", ")
    for text in values {
      guard let (name, _) = Self.named(text), members.contains(where: { $0 == name }) else {
        let near = Self.named(text).flatMap { Suggestion.nearest(to: $0.name, among: members) }
        throw ValidationError(
          "\(flag) \(ShownText.of(text)): the file has the mappings \(list); write \(flag) NAME=FILE for each of them"
            + (near.map { Suggestion.hint($0) } ?? "."))
      }
      if known.contains(where: { $0 == name }) {
        throw ValidationError(
          "\(flag) gives the mapping '\(ShownText.of(name))' two files; keep one of them.")
      }
      known.append(name)
    }
    for name in members where !known.contains(where: { $0 == name }) {
      let name = ShownText.of(name)
      throw ValidationError("The mapping '\(name)' needs \(noun): write \(flag) \(name)=FILE.")
    }
  }

  /// The two sides of `name=file`; nil if there is no name.
  private static func named(_ text: String) -> (name: String, value: String)? {
    let scalars = text.unicodeScalars
    guard let equals = scalars.firstIndex(of: "="), equals > text.startIndex else { return nil }
    return (
      String(scalars[..<equals]), String(scalars[scalars.index(after: equals)...])
    )
  }
}
