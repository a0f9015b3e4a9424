import ArgumentParser
import Foundation
import StreamMap

/// Small conversions, side by side with the functions that they are compared with.
struct ConversionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conversions",
    abstract: "Dates, UUIDs, enums and rules against Foundation and plain leaves.")

  @Option(help: "How often each is measured; the shortest time counts.")
  var runs = 9

  @Option(help: "Only those whose name contains this.")
  var only = ""

  private static let count = 100_000

  private enum Kind: String, Mappable, CaseIterable {
    case article, comment, event, file, image, link, message, video
  }

  func run() throws {
    let dates = (0..<Self.count).map { number in
      let second = String(format: "%02d", number % 60)
      return "20\(10 + number % 20)-\(String(format: "%02d", 1 + number % 12))-17T09:30:\(second)Z"
    }
    let formatter = ISO8601DateFormatter()
    try compare(
      "RFC 3339 date", of: dates, by: Conversion.rfc3339.forward,
      "ISO8601DateFormatter", { formatter.date(from: $0) ?? .distantPast }, bar: "at least 20")

    let ids = (0..<Self.count).map { _ in UUID().uuidString }
    try compare(
      "UUID", of: ids, by: Conversion<String, UUID>.uuid.forward,
      "UUID(uuidString:)", { UUID(uuidString: $0) ?? UUID() }, bar: "at least 5")

    let kinds = (0..<Self.count).map { Kind.allCases[$0 % 8].rawValue }
    let words = "[" + kinds.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    try compare(
      "enum of eight cases", Mapper(Mapping<[Kind]>.array(of: .declared)), "plain String",
      Mapper(Mapping<[String]>.array(of: .string)), words, bar: "at most 2")

    let numbers = "[" + (0..<Self.count).map { "\($0 % 1000)" }.joined(separator: ",") + "]"
    try compare(
      "validated Int", Mapper(Mapping<[Int]>.array(of: .int.validated(.in(0...1000)))),
      "plain Int", Mapper(Mapping<[Int]>.array(of: .int)), numbers, bar: "at most 1.2")
  }

  /// How many times as fast a conversion is as another function.
  private func compare<Value: Equatable>(
    _ name: String, of texts: [String], by own: (String) throws -> Value, _ otherName: String,
    _ other: (String) -> Value, bar: String
  ) throws {
    guard only.isEmpty || name.contains(only) else { return }
    for text in texts.prefix(100) where try own(text) != other(text) {
      throw BenchmarkError("\(name): another result than \(otherName)'s")
    }
    // The results are used, so that the compiler leaves nothing out.
    let reference = other(texts[0])
    var equal = 0
    let times = try measure {
      for text in texts where try own(text) == reference { equal += 1 }
    } and: {
      for text in texts where other(text) == reference { equal -= 1 }
    }
    guard equal == 0 else { throw BenchmarkError("\(name): another result than \(otherName)'s") }
    report(name, times.0, otherName, times.1, bar, ratio: times.1 / times.0)
  }

  /// How many times as long a mapping takes as another one.
  private func compare<A, B>(
    _ name: String, _ own: Mapper<[A]>, _ otherName: String, _ other: Mapper<[B]>, _ text: String,
    bar: String
  ) throws {
    guard only.isEmpty || name.contains(only) else { return }
    let bytes = Array(text.utf8)
    var sum = 0
    let times = try measure {
      sum &+= try own.decode(bytes).get().count
    } and: {
      sum &+= try other.decode(bytes).get().count
    }
    guard sum == 2 * runs * Self.count else {
      throw BenchmarkError("\(name): elements are missing")
    }
    report(name, times.0, otherName, times.1, bar, ratio: times.0 / times.1)
  }

  /// The shortest times in seconds of two things done in turn.
  private func measure(_ a: () throws -> Void, and b: () throws -> Void) rethrows -> (
    Double, Double
  ) {
    var best = (Double.infinity, Double.infinity)
    for _ in 0..<runs {
      best.0 = min(best.0, try Self.seconds(a))
      best.1 = min(best.1, try Self.seconds(b))
    }
    return best
  }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private func report(
    _ name: String, _ own: Double, _ otherName: String, _ other: Double, _ bar: String,
    ratio: Double
  ) {
    func nanoseconds(_ seconds: Double) -> String {
      String(format: "%.1f ns", seconds * 1e9 / Double(Self.count))
    }
    print(
      "\(name): \(nanoseconds(own)), \(otherName): \(nanoseconds(other)):",
      String(format: "%.2fx", ratio), "(bar: \(bar)x)")
  }
}
