import Foundation

/// Checks and times a task's contenders.
struct Runner {
  let bench: Workbench
  let runs: Int

  /// - Returns: nil if no contender can run.
  func run(_ task: any BenchmarkTask.Type) throws -> TaskResult? {
    print("\n\(task.name): \(task.summary)")
    // So that the progress is visible at once, also through a pipe.
    fflush(nil)
    let feed = try MappedFile(path: bench.feed(task.feed))
    let all = try task.contenders(feed, bench)
    defer { for contender in all { contender.stop() } }
    let checked = try check(all, task)
    guard !checked.right.isEmpty else { return nil }

    var timings = [[Timing]](repeating: [], count: checked.right.count)
    // In each round, the contenders run one after the other, so that a disturbance of the machine affects all of them.
    for _ in 0..<runs {
      for (index, contender) in checked.right.enumerated() {
        timings[index].append(try contender.run())
      }
    }
    let results = zip(checked.right, timings).map { contender, timings in
      ContenderResult(name: contender.name, kind: contender.kind, timings: timings)
    }
    return TaskResult(
      name: task.name, summary: task.summary, bytes: task.work(feed), baseline: task.baseline,
      contenders: results, wrong: checked.wrong)
  }

  /// The contenders that can run here and read the same as the reference; the others are named.
  private func check(
    _ all: [any Contender], _ task: any BenchmarkTask.Type
  ) throws -> (right: [any Contender], wrong: [String]) {
    var right: [any Contender] = []
    var wrong: [String] = []
    guard let referent = all.first(where: { $0.name == task.reference }) else { return ([], []) }
    if let obstacle = referent.obstacle {
      print("  left out, since its results are the reference: \(obstacle)")
      return ([], [])
    }
    guard let reference = try referent.digest() else { return ([], []) }
    for contender in all {
      if let obstacle = contender.obstacle {
        print("  without \(contender.name): \(obstacle)")
        continue
      }
      do {
        if contender !== referent, let digest = try contender.digest(),
          !digest.matches(reference, contender.comparison)
        {
          throw BenchmarkError(
            "another result than \(task.reference)\n    \(digest)\n    \(reference)")
        }
        right.append(contender)
      } catch {
        print("  WRONG, not timed: \(contender.name): \(error)")
        wrong.append(contender.name)
      }
    }
    return (right, wrong)
  }
}
