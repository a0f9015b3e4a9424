import ArgumentParser

@main
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "streammap-bench",
    abstract: "Measures StreamMap against the parser underneath and against its peers.",
    subcommands: [
      FeedsCommand.self, RunCommand.self, ConversionsCommand.self, GrowthCommand.self,
      CountsCommand.self, CliffCommand.self,
      WorkloadsCommand.self,
    ])
}
