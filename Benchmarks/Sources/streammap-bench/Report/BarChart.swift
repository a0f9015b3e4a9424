/// Results as a picture: one bar per contender, longer if it is faster.
struct BarChart {
  let results: Results

  private static let width = 900
  private static let labels = 240
  private static let row = 22

  var svg: String {
    var y = 30
    var body: [String] = []
    for task in results.tasks {
      body.append(text(10, y, "\(task.name): \(task.summary)", weight: "bold"))
      y += Self.row
      let rates = task.contenders.map { 1 / $0.wall }
      let scale = Double(Self.width - Self.labels - 160) / max(rates.max() ?? 1, 1e-9)
      for (contender, rate) in zip(task.contenders, rates) {
        let length = max(1, Int(rate * scale))
        body.append(text(10, y, contender.name))
        body.append(
          "<rect x=\"\(Self.labels)\" y=\"\(y - 12)\" width=\"\(length)\" height=\"15\""
            + " fill=\"\(color(contender.name))\"/>")
        let ratio = task.ratio(contender.name, to: task.baseline).map { Table.number($0, 2) + "×" }
        let speed =
          task.throughput(contender).map { "\(Table.number($0, 3)) GB/s" }
          ?? "\(Table.number(contender.wall * 1e3, 2)) ms"
        let figure = "\(speed)  \(ratio ?? "")"
        body.append(text(Self.labels + length + 6, y, figure))
        y += Self.row
      }
      body.append(text(10, y, "×: times as fast as \(task.baseline)", color: "#666"))
      y += 2 * Self.row
    }
    body.append(
      text(10, y, "\(results.machine.processor), \(results.machine.swift)", color: "#666"))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width)" height="\(y + 20)" \
      font-family="sans-serif" font-size="13">
      <rect width="100%" height="100%" fill="white"/>
      \(body.joined(separator: "\n"))
      </svg>

      """
  }

  private func color(_ contender: String) -> String {
    if contender.lowercased().hasPrefix("stream") { return "#d9480f" }
    return contender.hasPrefix("yajl") ? "#495057" : "#a5b4c4"
  }

  private func text(
    _ x: Int, _ y: Int, _ text: String, weight: String = "normal", color: String = "#000"
  ) -> String {
    let escaped = text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: String(character)
      }
    }
    return "<text x=\"\(x)\" y=\"\(y)\" font-weight=\"\(weight)\" fill=\"\(color)\""
      + " xml:space=\"preserve\">\(escaped.joined())</text>"
  }
}
