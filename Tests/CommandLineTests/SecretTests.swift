import Foundation
import Testing

/// The key of a hash: it decides the output, and nothing else shows it.
@Suite struct SecretTests {
  private static let checkpoint = ["--checkpoint", "c", "--checkpoint-every", "4kB"]

  private let key = "hunter2-SECRET"
  private let command: Command

  init() throws {
    command = try Command()
    try command.write(
      """
      streammap: 1
      args: { pepper: { type: string, redact: true, validate: { min_length: 8 } } }
      record:
        id: { from: id, type: int8 }
        mail: { from: mail, text: [lower, { hmac: sha256, key: { arg: pepper } }] }
      """, to: "arg.map.yaml")
    try command.write(
      """
      streammap: 1
      record:
        id: { from: id, type: int8 }
        mail: { from: mail, text: [lower, { hmac: sha256, key: { file: ./pepper.key } }] }
      """, to: "file.map.yaml")
    try command.write("\(key)\n", to: "pepper.key")
    let good = String(repeating: "{\"id\":1,\"mail\":\"Ann\"}\n", count: 400)
    try command.write(good + "{\"id\":\"x\",\"mail\":\"Bo\"}\n", to: "x.ndjson")
  }

  @Test(.long, arguments: ["arg", "file"])
  func `a key is in no message, explanation, reject or checkpoint`(_ place: String) throws {
    let mapping = "\(place).map.yaml"
    let set = place == "arg" ? ["--set", "pepper=\(key)"] : []
    var shown = ""
    for jobs in ["1", "2"] {
      let result = try command.run(
        ["-m", mapping, "x.ndjson", "--jobs", jobs, "--rejects", "r", "--stats", "json"] + set)
      #expect(try result.output.contains("{\"id\":1,\"mail\":\"\(hash("ann"))\"}\n"))
      shown += try result.errors + command.read("r")
    }
    let stopped = try command.run(
      ["-m", mapping, "x.ndjson", "-o", "out"] + Self.checkpoint + set)
    #expect(stopped.status == 7)
    shown += try stopped.errors + command.read("c")
    for arguments in [["explain", mapping], ["check", mapping, "--sample", "x.ndjson"]] {
      let result = try command.run(arguments + set)
      #expect(result.status < 2, "\(result.errors)")
      shown += result.output + result.errors
    }
    #expect(shown.contains("hmac sha256 with the "))
    #expect(!shown.contains(key) && !shown.contains("SECRET"))
  }

  /// What Python makes of a text with the key.
  private func hash(_ text: String) throws -> String {
    let program =
      "import hmac; print(hmac.new(b\"\(key)\", b\"\(text)\", \"sha256\").hexdigest())"
    let result = try command.shell("python3 -c '\(program)'")
    return result.output.trimmingCharacters(in: .newlines)
  }

  @Test(arguments: ["arg", "file"])
  func `a run does not continue with another key`(_ place: String) throws {
    let run = ["-m", "\(place).map.yaml", "x.ndjson", "-o", "out"] + Self.checkpoint
    func set(_ key: String) throws -> [String] {
      if place == "arg" { return ["--set", "pepper=\(key)"] }
      try command.write(key, to: "pepper.key")
      return []
    }
    #expect(try command.run(run + set(key)).status == 7)
    let refused = try command.run(run + set("another key"))
    #expect(refused.status == 2)
    #expect(refused.errors.contains("cannot continue from c: the mapping"), "\(refused.errors)")
    #expect(try command.run(run + set(key) + ["--errors", "skip"]).status == 1)
    #expect(try command.read("out").contains(hash("ann")))
  }

  @Test func `a value that its rules refuse is not shown`() throws {
    let result = try command.run("-m", "arg.map.yaml", "--set", "pepper=short", "x.ndjson")
    #expect(result.status == 3)
    #expect(result.errors.contains("argument 'pepper': its rules do not hold"))
    #expect(!result.errors.contains("short"))
  }

  @Test(arguments: ["", "\n", "\r\n"])
  func `an empty key is a mistake`(_ text: String) throws {
    try command.write(text, to: "pepper.key")
    let result = try command.run("-m", "file.map.yaml", "x.ndjson")
    #expect(result.status == 3)
    #expect(result.errors.contains("key: the key in pepper.key is empty"), "\(result.errors)")
  }
}
