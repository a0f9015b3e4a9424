import ArgumentParser
import StreamMap
import StreamMapFiles

/// Whether a run writes several files.
struct DivisionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write numbered files, such as out-0001.ndjson, each of at most this size; needs -o FILE.",
      valueName: "size"))
  var split: ByteSize?

  /// How the output is divided; nil if it is one file.
  struct Division {
    let template: FileTemplate?
    let kind: OutputFiles.Division
  }

  /// Where the output goes, and how it is divided; that is nil if it is one file.
  ///
  /// A path without fields loses its doubled braces here.
  static func division(_ output: String, split: ByteSize?) throws -> (
    path: String, division: Division?
  ) {
    let template: FileTemplate?
    do throws(DefinitionError) {
      template = try FileTemplate(output)
    } catch {
      throw mistake(error)
    }
    let path = template == nil ? FileTemplate.path(withoutFields: output) : output
    guard let split else {
      return (path, template.map { Division(template: $0, kind: .paths(below: $0.folder)) })
    }
    if template != nil {
      throw ValidationError("--split and a path with fields, '\(output)', do not go together.")
    }
    guard OutputFile.names(of: path) != nil else {
      throw ValidationError("--split needs -o FILE: '\(path)' is not one.")
    }
    return (path, Division(template: nil, kind: .size(split.bytes)))
  }

  static func mistake(_ error: DefinitionError) -> ValidationError {
    ValidationError("-o \(error.mistakes.map(\.reason).joined(separator: "; ")).")
  }
}
