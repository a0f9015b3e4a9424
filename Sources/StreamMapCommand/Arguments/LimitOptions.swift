import ArgumentParser
import StreamMap
import StreamMapFiles

/// The options that the messages of limits name.
struct LimitOptions: ParsableArguments {
  @Option(
    name: .customLong("limit-depth"), help: ArgumentHelp("Levels of nesting (512).", valueName: "n")
  )
  var depth: ByteSize?

  @Option(
    name: .customLong("limit-string"),
    help: ArgumentHelp("Bytes of a mapped string (16MiB).", valueName: "size"))
  var string: ByteSize?

  @Option(
    name: .customLong("limit-number"),
    help: ArgumentHelp("Characters of a number (1000).", valueName: "size"))
  var number: ByteSize?

  @Option(
    name: .customLong("limit-key"), help: ArgumentHelp("Bytes of a key (64KiB).", valueName: "size")
  )
  var key: ByteSize?

  @Option(
    name: .customLong("limit-members"),
    help: ArgumentHelp("Members of a mapped dictionary, or collected (1000000).", valueName: "n"))
  var members: ByteSize?

  @Option(
    name: .customLong("limit-elements"),
    help: ArgumentHelp("Elements of a mapped array (10000000).", valueName: "n"))
  var elements: ByteSize?

  @Option(
    name: .customLong("limit-errors"),
    help: ArgumentHelp("Errors kept of one record; more are counted (100).", valueName: "n"))
  var errors: ByteSize?

  @Option(
    name: .customLong("limit-captured"),
    help: ArgumentHelp("Bytes of a part that is mapped as a whole (16MiB).", valueName: "size"))
  var captured: ByteSize?

  @Option(
    name: .customLong("limit-replayed"),
    help: ArgumentHelp(
      "Bytes of a record read again for alternatives and for fields that share a source (128MiB).",
      valueName: "size"))
  var replayed: ByteSize?

  @Option(
    name: .customLong("limit-record"),
    help: ArgumentHelp("Bytes in the mapped parts of a record (1GiB).", valueName: "size"))
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

  /// A message of the library, with the options that raise its limits instead of the properties.
  static func named(in message: String) -> String {
    guard message.contains("Limits.") else { return message }
    return options.reduce(message) { $0.replacing("Limits.\($1.property)", with: $1.option) }
  }

  private static let options = [
    ("depth", "depth"), ("string", "string"), ("number", "number"), ("key", "key"),
    ("members", "members"), ("elements", "elements"), ("errorsPerRecord", "errors"),
    ("capturedValue", "captured"), ("replayed", "replayed"), ("record", "record"),
  ].map { (property: $0, option: "--limit-\($1)") }

  func apply(to limits: inout Limits) {
    if let depth { limits.depth = depth.bytes }
    if let string { limits.string = string.bytes }
    if let number { limits.number = number.bytes }
    if let key { limits.key = key.bytes }
    if let members { limits.members = members.bytes }
    if let elements { limits.elements = elements.bytes }
    if let errors { limits.errorsPerRecord = errors.bytes }
    if let captured { limits.capturedValue = captured.bytes }
    if let replayed { limits.replayed = replayed.bytes }
    if let record { limits.record = record.bytes }
  }
}
