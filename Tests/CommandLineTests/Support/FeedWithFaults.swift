/// A feed with some records that are rejected, in several shapes.
enum FeedWithFaults {
  static func records(_ count: Int, padding: Int) -> [String] {
    (0..<count).map { number in
      let text = String(repeating: "p", count: number &* 7919 % (padding + 1))
      return number % 97 == 50
        ? #"{"id":"x\#(number)","pad":"\#(text)"}"#
        : #"{"id":\#(number),"name":"n\#(number)é","pad":["\#(text)"]}"#
    }
  }

  /// Some of the lines are malformed.
  static func lines(_ count: Int, padding: Int) -> String {
    records(count, padding: padding).enumerated().map { $0 % 1111 == 70 ? $1 + "]\n" : $1 + "\n" }
      .joined()
  }

  static func document(_ count: Int, padding: Int) -> String {
    "{\"meta\":{\"day\":\"d1\"},\"list\":[\n"
      + records(count, padding: padding).joined(separator: ",\n") + "],\"more\":[1]}"
  }

  /// The mapping of the document's records, with a value from outside, and their addresses.
  static let documentMapping = """
    streammap: 1
    input: { records: "$.list[*]" }
    context: { day: { from: $.meta.day, type: string } }
    record:
      id: { from: id, type: int64 }
      name: name
      day: { context: day }
      number: { meta: record_number }
      offset: { meta: byte_offset }
      line: { meta: line }

    """
}
