import ArgumentParser
import StreamMap
import StreamMapPlatform

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
    StandardStreams.prepare()
    var used: any ParsableCommand.Type = Self.self
    do {
      var command = try parsed(Array(CommandLine.arguments.dropFirst()))
      used = command is PlainRunCommand ? RunCommand.self : type(of: command)
      try command.run()
    } catch let status as ExitStatus {
      end(status)
    } catch let mistake as ValidationError {
      StandardError.write(text(of: mistake, in: used))
      end(.usage)
    } catch {
      let text = fullMessage(for: error)
      // Help, the version, completions.
      if exitCode(for: error).isSuccess { end(printing: text) }
      StandardError.write(ArgumentMistake(text).text)
      end(.usage)
    }
  }

  private static func end(printing text: String) -> Never {
    do throws(ExitStatus) {
      try StandardOutput.write(text)
    } catch {
      end(error)
    }
    end(.success)
  }

  private static func end(_ status: ExitStatus) -> Never { StreamMapPlatform.exit(status.rawValue) }

  /// The command that the arguments mean.
  ///
  /// PERF: a command is parsed alone, and a run with few options first. The parser needs three times as long to look for requests of
  /// completions, for a command and for all options of a run. Where the arguments mean anything else, it is asked in the usual way, so help
  /// and errors are its own.
  private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    let commands = configuration.subcommands
    func command(named name: String?) -> (any ParsableCommand.Type)? {
      commands.first { name != nil && $0.configuration.commandName == name }
    }
    if let named = command(named: arguments.first), named != RunCommand.self {
      if let found = try? named.parse(Array(arguments.dropFirst())) { return found }
    } else if !arguments.dropFirst().contains(where: { command(named: $0) != nil }) {
      let isNamed = arguments.first == RunCommand.configuration.commandName
      let run = isNamed ? Array(arguments.dropFirst()) : arguments
      if let run = try? PlainRunCommand.parse(run) { return run }
      if let run = try? RunCommand.parse(run) { return run }
    }
    return try parseAsRoot(arguments)
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
