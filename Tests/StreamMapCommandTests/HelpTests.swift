import Foundation
import StreamMapCommand
import Testing

@testable import CommandLineTests

@Suite("Help, and what is installed")
struct HelpTests {
  let command: Command

  init() throws {
    command = try Command()
  }

  @Test(.long) func `each command has help with examples, and says where all keys are`() throws {
    let root = try command.run("help")
    #expect(root.output == (try command.run("--help")).output)
    let names =
      root.output.components(separatedBy: "SUBCOMMANDS:\n").last?
      .components(separatedBy: "\n\n").first?.split(separator: "\n")
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) } ?? []
    #expect(names.count >= 4)
    for name in names where name != "help" {
      let help = try command.run("help", name)
      #expect(help.status == 0)
      #expect(help.output == (try command.run(name, "--help")).output)
      #expect(help.output.contains("\nstream-map "), "\(name) has no example")
      #expect(help.output.contains("stream-map help mapping"), "\(name)")
    }
  }

  // The parser checks the declarations in its debug build, which tests have, and ends the process at a mistake. The command that the gate
  // tests has another build of it.
  @Test func `the parser of arguments accepts the declarations of each command`() {
    for command in RootCommand.configuration.subcommands {
      #expect(RootCommand.helpMessage(for: command).contains("OVERVIEW: "), "\(command)")
    }
  }

  @Test func `help mapping prints the guide to mapping files`() throws {
    let guide = try String(
      contentsOf: ReadmeTests.root.appending(
        path: "Sources/StreamMap/StreamMap.docc/MappingFile.md"), encoding: .utf8)
    let help = try command.run("help", "mapping")
    #expect(help.status == 0)
    #expect(help.output == guide.replacing(/<doc:(\w+)>/) { $0.output.1 })
  }

  @Test func `help keys has a line for each key of mapping files`() throws {
    let published = try String(
      contentsOf: ReadmeTests.root.appending(path: "Schemas/mapping-file.schema.json"),
      encoding: .utf8)
    let schema = try JSONSerialization.jsonObject(with: Data(published.utf8)) as? [String: Any]
    let parts =
      [schema] + ((schema?["$defs"] as? [String: Any])?.values.map { $0 as? [String: Any] } ?? [])
    let names = Set(parts.flatMap { ($0?["properties"] as? [String: Any])?.keys.map(\.self) ?? [] })
    #expect(names.count > 100)
    let help = try command.run("help", "keys")
    #expect(help.status == 0)
    let told = Set(
      help.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
        .compactMap { $0.split(separator: " ").first.map(String.init) })
    #expect(told == names)
  }

  @Test func `completions have the names of forms, formats and topics of help`() throws {
    let script = try command.run("--generate-completion-script", "bash").output
    for word in ["concat", "pgcopy", "reject", "upsert", "infer", "mapping", "keys"] {
      #expect(script.contains("'\(word)'"), "\(word)")
    }
  }

  @Test func `help on an unknown topic names the topics`() throws {
    let keyHelp = try command.run("help", "where")
    #expect(keyHelp.output.contains("At the top\n  where      The records that are kept.\n"))
    #expect(
      keyHelp.output.contains(
        "A step of list\n  where   The elements for which the condition holds.\n"))
    #expect(!keyHelp.output.contains("  name "))
    let near = try command.run("help", "chekc")
    #expect(near.status == 2)
    #expect(near.errors.hasPrefix("Error: there is no help on 'chekc'; did you mean 'check'?\n"))
    let far = try command.run("help", "xyzzy")
    #expect(far.errors.contains("; the topics are run, check, "), "\(far.errors)")
  }

  private static let hasLowdown =
    (try? Command().shell("command -v lowdown && command -v strip").status) == 0

  @Test(
    .long, .enabled(if: hasLowdown, "lowdown makes the manual; scripts/setup --manual installs it"))
  func `what is installed can be removed, and nothing else`() throws {
    let scripts = ReadmeTests.root.appending(path: "scripts").path
    try command.write("mine\n", to: "mine")
    let made = try command.shell(
      "mkdir -p 'a b/bin' && cp mine 'a b/bin/mine' && '\(scripts)/install' --prefix \"$PWD/a b\""
        + " --binary \"$(command -v stream-map)\" && echo '{\"a\":1}' | 'a b/bin/stream-map' --field a"
    )
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output == "{\"a\":1}\n")
    for page in ["man1/stream-map.1", "man5/stream-map-mapping.5", "man7/stream-map-cookbook.7"] {
      #expect(try command.read("a b/share/man/\(page)").contains(".TH \"stream-map"), "\(page)")
    }
    let gone = try command.shell(
      "'\(scripts)/install' --remove --prefix \"$PWD/a b\" && find 'a b' -type f")
    #expect(gone.output == "a b/bin/mine\n", "\(gone.errors)")
    let again = try command.shell("'\(scripts)/install' --remove --prefix \"$PWD/a b\"")
    #expect(again.status == 1)
  }
}
