import ArgumentParser
import StreamMap
import StreamMapFiles

/// The options that the messages of limits name.
struct LimitOptions: ParsableArguments {
  @Option(name: .limit(.depth), help: .limit(.depth))
  var depth: ByteSize?

  @Option(name: .limit(.string), help: .limit(.string))
  var string: ByteSize?

  @Option(name: .limit(.number), help: .limit(.number))
  var number: ByteSize?

  @Option(name: .limit(.key), help: .limit(.key))
  var key: ByteSize?

  @Option(name: .limit(.members), help: .limit(.members))
  var members: ByteSize?

  @Option(name: .limit(.elements), help: .limit(.elements))
  var elements: ByteSize?

  @Option(name: .limit(.errorsPerRecord), help: .limit(.errorsPerRecord))
  var errors: ByteSize?

  @Option(name: .limit(.capturedValue), help: .limit(.capturedValue))
  var captured: ByteSize?

  @Option(name: .limit(.replayed), help: .limit(.replayed))
  var replayed: ByteSize?

  @Option(name: .limit(.record), help: .limit(.record))
  var record: ByteSize?

  @Option(
    name: .customLong("limit-expansion"),
    help: ArgumentHelp(
      "How many times as large compressed input may become, beyond 16MiB (1000).", valueName: "n"))
  var expansion: ByteSize?

  @Option(
    name: .customLong("limit-files"),
    help: ArgumentHelp(
      "Files of an output whose path has fields, as in -o 'out/{service}.ndjson' (10000).",
      valueName: "n"))
  var files: ByteSize?

  /// The value that an option gives a limit.
  private subscript(name: Limits.Name) -> ByteSize? {
    switch name {
    case .depth: depth
    case .string: string
    case .number: number
    case .key: key
    case .members: members
    case .elements: elements
    case .errorsPerRecord: errors
    case .capturedValue: captured
    case .replayed: replayed
    case .record: record
    }
  }

  /// A message of the library, with the options that raise its limits instead of the properties.
  static func named(in message: String) -> String {
    guard message.contains("Limits.") else { return message }
    // One name may begin with another: the longest goes first.
    let names = Limits.Name.allCases.sorted { $0.rawValue.utf8.count > $1.rawValue.utf8.count }
    return names.reduce(message) {
      $0.replacing("Limits.\($1.rawValue)", with: "--limit-\($1.word)")
    }
  }

  func apply(to limits: inout Limits) {
    for name in Limits.Name.allCases {
      if let size = self[name] { limits[keyPath: name.path] = size.bytes }
    }
  }
}

extension NameSpecification {
  fileprivate static func limit(_ name: Limits.Name) -> NameSpecification {
    .customLong("limit-\(name.word)")
  }
}

extension ArgumentHelp {
  fileprivate static func limit(_ name: Limits.Name) -> ArgumentHelp {
    let standard = name.isSize ? ByteSize.text(name.standard) : "\(name.standard)"
    return ArgumentHelp(
      "The most \(name.phrase) (\(standard)).", valueName: name.isSize ? "size" : "n")
  }
}
