import ArgumentParser
import StreamMap
import StreamMapFiles

/// `stream-map help`: the help of a command, or a page of the manual.
///
/// It stands in for the parser's own, which knows commands only.
struct HelpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    abstract: "Prints the help of a command, or with 'mapping' all that a mapping file can say.")

  private static let page = "mapping"

  @Argument(
    help: ArgumentHelp("A command, or 'mapping'; all commands without it.", valueName: "topic"))
  var topic: String?

  func run() throws { try StandardOutput.write(text, terminator: "") }

  private var text: String {
    get throws {
      guard let topic else { return RootCommand.helpMessage() + "\n" }
      if topic == Self.page { return Self.mappingFile }
      let commands = RootCommand.configuration.subcommands
      if let command = commands.first(where: { $0.configuration.commandName == topic }) {
        return RootCommand.helpMessage(for: command) + "\n"
      }
      let names = commands.compactMap { $0.configuration.commandName } + [Self.page]
      let hint = Suggestion.nearest(to: topic, among: names).map { Suggestion.hint($0) }
      throw ValidationError(
        "there is no help on '\(topic)'\(hint ?? "; the topics are \(names.joined(separator: ", "))")"
      )
    }
  }

  /// The guide to mapping files, as the documentation has it, but for marks that only that knows.
  private static var mappingFile: String {
    let parts = String(decoding: PackageResources.MappingFile_md, as: UTF8.self)
      .split(separator: "<doc:", omittingEmptySubsequences: false)
    // `<doc:Name>` becomes the name alone.
    return parts.dropFirst().reduce(into: String(parts.first ?? "")) { text, part in
      text += part.prefix { $0 != ">" } + part.drop { $0 != ">" }.dropFirst()
    }
  }
}
