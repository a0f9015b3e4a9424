import Foundation

/// Runs the differential harness: streammap-fuzz SECONDS SEED, from the root of the project.
///
/// Its exit status is 1 if there is a finding.

func say(_ text: String) {
  FileHandle.standardError.write(Data("fuzz: \(text)\n".utf8))
}

let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard arguments.count == 2 else {
  say("usage: streammap-fuzz SECONDS SEED")
  exit(2)
}
let (seconds, seed) = (arguments[0], arguments[1])
signal(SIGPIPE, SIG_IGN)

let root = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
let python = PythonPeer(script: root.appendingPathComponent("Fuzzing/peer.py"))
if python == nil { say("python3 is not there: its parsers do not take part") }
if python?.hasOrjson == false { say("orjson is not installed: it does not take part") }
let maker = CaseMaker(seed: seed, pieces: RealFeeds.pieces(root: root))
let harness = try Harness(python: python)
var findings = Findings(folder: root.appendingPathComponent("Tests/StreamMapTests/Fuzz/Findings"))
let peers = ["yajl", "Foundation", python?.names].compactMap(\.self).joined(separator: ", ")
print("seed \(seed), \(maker.pieces.count) pieces of real feeds, peers: \(peers)")

let clock = ContinuousClock()
let start = clock.now
var round: UInt64 = 0
while clock.now - start < .seconds(seconds), !findings.isFull {
  var batch: [(input: Case, row: Row)] = []
  var lines: [UInt8] = []
  for _ in 0..<1024 {
    let input = maker.make(round)
    round += 1
    let (finding, row) = harness.check(input, isThorough: round % 512 == 0)
    if let finding { try findings.keep(input, finding, seed: seed, by: harness) }
    if let row { batch.append((input, row)) }
    if round % 65_536 < 1024 { lines += input.bytes + [0x0A] }
  }
  for (input, finding) in try harness.findings(batch) {
    try findings.keep(input, finding, seed: seed, by: harness)
  }
  if lines.isEmpty { continue }
  for format in [StreamFormat.ndjson, .sequence, .concatenated] {
    if let finding = try harness.checkJobs(lines, format) {
      try findings.keep(
        Case(bytes: lines, format: format, round: round), finding, seed: seed, by: harness)
    }
  }
}

let time = (clock.now - start) / .seconds(1)
print(
  "\(round) cases in \(Int(time)) s, \(Int(Double(round) / time)) a second: "
    + "\(harness.accepted) without an error, \(harness.rejected) with; \(findings.kinds.count) findings"
)
for (difference, count) in zip(KnownDifference.all, harness.known) {
  let names = difference.peers.map(\.rawValue).sorted().joined(separator: ", ")
  print("  known, \(count) times: \(names) \(difference.reason)")
}
exit(findings.kinds.isEmpty ? 0 : 1)
