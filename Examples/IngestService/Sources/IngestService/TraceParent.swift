import Tracing

/// A span and its trace, as the header `traceparent` says it (W3C Trace Context).
struct TraceParent: Sendable, Equatable {
  /// 16 bytes and 8 bytes, as hexadecimal digits.
  let trace: String
  let span: String
  /// Whether the caller keeps the trace: what it does not keep is not sent either.
  let isSampled: Bool

  /// A span of a trace; without a trace, of a new one.
  init(in parent: TraceParent?) {
    trace = parent?.trace ?? randomHexadecimal(bytes: 16)
    span = randomHexadecimal(bytes: 8)
    isSampled = parent?.isSampled ?? true
  }

  /// Nil if the header is not one: then the request is treated as if it had none.
  init?(header: String) {
    let parts = header.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, Self.isDigits(parts[0], 2), Self.isDigits(parts[1], 32),
      Self.isDigits(parts[2], 16), Self.isDigits(parts[3], 2),
      let flags = UInt8(parts[3], radix: 16)
    else { return nil }
    // Later versions may have more parts; version 255 is none.
    guard parts[0] != "ff", parts[0] != "00" || parts.count == 4 else { return nil }
    guard parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }) else {
      return nil
    }
    (trace, span, isSampled) = (String(parts[1]), String(parts[2]), flags & 1 == 1)
  }

  var header: String { "00-\(trace)-\(span)-\(isSampled ? "01" : "00")" }

  private static func isDigits(_ text: Substring, _ count: Int) -> Bool {
    text.utf8.count == count
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}

extension InstrumentationContext {
  private enum Key: InstrumentationContextKey {
    typealias Value = TraceParent
    static let nameOverride: String? = "traceparent"
  }

  /// The span that what happens now belongs to.
  var traceParent: TraceParent? {
    get { self[Key.self] }
    set { self[Key.self] = newValue }
  }
}
