import ArgumentParser
import StreamMap
import StreamMapFiles

/// `stream-map help`: the help of a command, or a page of the manual.
///
/// It stands in for the parser's own, which knows commands only.
struct HelpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    abstract:
      "Prints the help of a command, with 'mapping' all that a mapping file can say, with 'keys' its keys, with a key what is said of it."
  )

  /// The pages of the manual.
  private enum Page: String, CaseIterable {
    case mapping, keys

    var text: String {
      switch self {
      case .mapping: HelpCommand.mappingFile
      case .keys: KeyList.text
      }
    }
  }

  @Argument(
    help: ArgumentHelp(
      "A command, 'mapping', 'keys' or one of them; all commands without it.", valueName: "topic"),
    completion: .list(topics))
  var topic: String?

  private static var topics: [String] {
    RootCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
      + Page.allCases.map(\.rawValue)
  }

  func run() throws { try StandardOutput.write(text, terminator: "") }

  private var text: String {
    get throws {
      guard let topic else { return RootCommand.helpMessage() + "\n" }
      if let page = Page(rawValue: topic) { return page.text }
      let commands = RootCommand.configuration.subcommands
      if let command = commands.first(where: { $0.configuration.commandName == topic }) {
        return RootCommand.helpMessage(for: command) + "\n"
      }
      let lines = KeyList.text(about: topic)
      if !lines.isEmpty { return lines }
      let hint = Suggestion.nearest(to: topic, among: Self.topics).map { Suggestion.hint($0) }
      throw ValidationError(
        "there is no help on '\(topic)'\(hint ?? "; the topics are \(Self.topics.joined(separator: ", "))")"
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
