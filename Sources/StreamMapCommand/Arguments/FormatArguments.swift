import ArgumentParser
import StreamMap
import StreamMapFiles

/// One of a few names, as an option takes it.
///
/// PERF: ArgumentParser lists the values of any other enum by code that knows no types. For each enum, that searches all
/// conformances of the program twice, at every start.
public protocol NamedChoice: ExpressibleByArgument, CaseIterable, RawRepresentable<String> {}

extension NamedChoice {
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  /// None of them has a description besides its name.
  public static var allValueDescriptions: [String: String] { [:] }
  /// As in “a, b or c”.
  static var choices: String {
    let names = allValueStrings
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}

// What mapping files and arguments name alike.
extension InputFormat: NamedChoice {}
extension ByteSize: ExpressibleByArgument {}

extension PathPattern {
  /// A path as `--records` takes it.
  init(argument text: String) throws {
    do throws(PathSyntaxError) {
      try self.init(reading: text)
    } catch {
      throw ValidationError("--records: \(error)")
    }
  }
}

typealias OutputFormat = MappingFile.Output.Format
extension MappingFile.Output.Format: NamedChoice {}

typealias ErrorMode = MappingFile.Errors.Mode
extension MappingFile.Errors.Mode: NamedChoice {}

extension RecordParser: NamedChoice {}
