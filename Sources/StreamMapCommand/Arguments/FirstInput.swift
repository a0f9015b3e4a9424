import StreamMap
import StreamMapFiles
import StreamMapPlatform

/// What an input was meant to be that is not a file: a command, a path as jq writes it, or the output.
enum FirstInput {
  /// What to write instead of the first input, where no mapping is given; nil if it is a file, or nothing is known.
  static func hint(_ input: String, commands: [String]) -> String? {
    if exists(input) { return nil }
    if let command = command(meantBy: input, among: commands) {
      return Suggestion.hint("stream-map \(command)")
    }
    if input.hasPrefix("$") {
      return "; '\(input)' is the place of records: give it by --records \(ShellWord(input))"
    }
    if input.contains("(") || input.contains("|") {
      return "; '\(input)' is a program: here where, calc and other keys of a mapping file say that"
    }
    guard input.hasPrefix("."), !input.contains("/"), input.count > 1 else { return nil }
    let path = String(input.dropFirst()).replacing("[]", with: "[*]")
    return path.contains("[*]")
      ? "; '\(input)' is the place of records: give it by --records \(ShellWord(path))"
      : "; '\(input)' is a member: give it by --field \(ShellWord(path))"
  }

  /// What to write instead of an input that is named as an output is, where there is another input; nil if it is a file.
  static func output(among inputs: [String]) -> String? {
    guard inputs.count > 1, let last = inputs.last, OutputName(last).isOfOutputs, !exists(last)
    else {
      return nil
    }
    return "there is no feed '\(last)'; an output is given by -o \(ShellWord(last))"
  }

  /// Words of other programs for our commands.
  private static let words: [(words: [String], command: String)] = [
    (["validate", "lint", "test"], "check"), (["describe", "guess", "detect"], "infer"),
    (["show", "plan"], "explain"), (["unmap", "encode"], "reverse"), (["create-table"], "ddl"),
    (["version"], "--version"),
  ]

  private static func command(meantBy word: String, among commands: [String]) -> String? {
    words.first { $0.words.contains(word) }?.command
      ?? Suggestion.nearest(to: word, among: commands)
  }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
  }
}
