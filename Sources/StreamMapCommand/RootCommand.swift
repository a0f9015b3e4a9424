import ArgumentParser
import Foundation

/// The command `stream-map`: maps large JSON feeds to records of another shape.
public struct RootCommand: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "stream-map",
    abstract: "Maps large JSON feeds to records of another shape, with flat memory.",
    discussion: ExitStatus.explanation,
    version: Version.current,
    subcommands: [
      RunCommand.self, CheckCommand.self, ExplainCommand.self, InferCommand.self,
      IndexCommand.self, ReverseCommand.self, SchemaCommand.self, DDLCommand.self,
      HelpCommand.self,
    ],
    defaultSubcommand: RunCommand.self)

  public init() {}

  /// Runs the command on the process's arguments, and ends the process with the statuses of ``ExitStatus``.
  ///
  /// For the executable's `main.swift`; the parser's own has other statuses.
  public static func main() {
    var used: any ParsableCommand.Type = Self.self
    do {
      var command = try parseAsRoot()
      used = type(of: command)
      try command.run()
    } catch let status as ExitStatus {
      Foundation.exit(status.rawValue)
    } catch let mistake as ValidationError {
      StandardError.write(text(of: mistake, in: used))
      Foundation.exit(ExitStatus.usage.rawValue)
    } catch {
      let text = fullMessage(for: error)
      if exitCode(for: error).isSuccess {
        print(text)
        Foundation.exit(ExitStatus.success.rawValue)
      }
      StandardError.write(text)
      Foundation.exit(ExitStatus.usage.rawValue)
    }
  }

  /// A mistake that a command found when it ran, with its usage: the parser's own text shows that of the root.
  private static func text(of mistake: ValidationError, in command: any ParsableCommand.Type)
    -> String
  {
    let name = [configuration.commandName, command.configuration.commandName].compactMap(\.self)
      .joined(separator: " ")
    return "Error: \(mistake.message)\nUsage: \(usageString(for: command))\n"
      + "  See '\(name) --help' for more information."
  }
}
