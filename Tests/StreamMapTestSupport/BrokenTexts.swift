@testable import StreamMap

/// Texts that are not JSON, each with its fault marked (see ``MarkedFeed``), for a place where the text is on its own
/// line and another text follows.
struct BrokenText: Sendable {
  let id: String
  let text: String
  let code: ErrorCode
  /// Whether the fault is that the line ends: in other framings, the fault is elsewhere.
  var isCutOff = false
  /// Whether the line ends inside a number or literal: in other framings that is a syntax error at the line feed.
  var isInScalar = false
  /// Whether it is a fault only if a text must be alone on its line.
  var isTwoTexts = false

  private init(
    _ id: String, _ text: String, _ code: ErrorCode = .syntax, isCutOff: Bool = false,
    isInScalar: Bool = false,
    isTwoTexts: Bool = false
  ) {
    self.id = id
    self.text = text
    self.code = code
    self.isCutOff = isCutOff
    self.isInScalar = isInScalar
    self.isTwoTexts = isTwoTexts
  }

  /// The limits for which ``all`` is written.
  static let limits: Limits = {
    var limits = Limits()
    limits.depth = 5
    limits.number = 10
    limits.key = 12
    return limits
  }()

  static let all = brackets + literals + strings + encodings + twoTexts + overLimits

  static let brackets = [
    BrokenText("object cut off", #"{"a":1«»"#, .truncated, isCutOff: true),
    BrokenText("object cut off before a key", "{«»", .truncated, isCutOff: true),
    BrokenText("object cut off after a key", #"{"a"«»"#, .truncated, isCutOff: true),
    BrokenText("object cut off after a colon", #"{"a":«»"#, .truncated, isCutOff: true),
    BrokenText("object cut off after a comma", #"{"a":1,«»"#, .truncated, isCutOff: true),
    BrokenText("array cut off", "[1«»", .truncated, isCutOff: true),
    BrokenText("array cut off before an element", "[«»", .truncated, isCutOff: true),
    BrokenText("array cut off after a comma", "[[1,«»", .truncated, isCutOff: true),
    BrokenText("nested and cut off", #"{"a":[{"b":{«»"#, .truncated, isCutOff: true),
    BrokenText("array closed as object", #"{"a":[1«}»}"#),
    BrokenText("object closed as array", #"{"a":1«]»"#),
    BrokenText("closed at once as array", "{«]»"),
    BrokenText("closer first", "«]»[1]"),
    BrokenText("brace first", "«}»"),
    BrokenText("colon first", "«:»1"),
    BrokenText("comma first", #"«,»{"a":1}"#),
    BrokenText("colon in array", #"["a"«:»1]"#),
    BrokenText("two colons", #"{"a":«:»1}"#),
    BrokenText("no colon", #"{"a" «1»}"#),
    BrokenText("comma for colon", #"{"a"«,»1}"#),
    BrokenText("no value", #"{"a":«}»"#),
    BrokenText("comma for value", #"{"a":«,»"b":1}"#),
    BrokenText("no comma in array", "[1 «2»]"),
    BrokenText("no comma in object", #"{"a":1 «"»b":2}"#),
    BrokenText("trailing comma in array", "[1,«]»"),
    BrokenText("trailing comma in object", #"{"a":1,«}»"#),
    BrokenText("leading comma", "[«,»1]"),
    BrokenText("two commas", "[1,«,»2]"),
    BrokenText("name as key", "{«a»:1}"),
    BrokenText("number as key", "{«1»:1}"),
    BrokenText("null as key", #"{"a":1,«n»ull:1}"#),
    BrokenText("single quotes", "[«'»a']"),
    BrokenText("comment", #"{"a":1 «/»* c */}"#),
  ]

  static let literals = [
    BrokenText("literal cut off", "tru«»", .truncated, isInScalar: true),
    BrokenText("literal cut off in object", #"{"a":fals«»"#, .truncated, isInScalar: true),
    BrokenText("literal cut off by brace", #"{"a":nul«}»"#),
    BrokenText("literal misspelt", #"{"a":tr«x»e}"#),
    BrokenText("literal too long", "[true«x»]"),
    BrokenText("capital literal", "[«T»rue]"),
    BrokenText("undefined", #"{"a":«u»ndefined}"#),
    BrokenText("NaN", "[«N»aN]"),
    BrokenText("minus Infinity", "[-«I»nfinity]"),
    BrokenText("leading zero", "[0«1»]"),
    BrokenText("minus leading zero", "[-0«0»]"),
    BrokenText("no fraction", #"{"a":1.«}»"#),
    BrokenText("no fraction before exponent", "[1.«e»5]"),
    BrokenText("no exponent", "[1e«,»2]"),
    BrokenText("no exponent after sign", "[1e+«]»"),
    BrokenText("lone minus", "[-«]»"),
    BrokenText("number cut off", "-«»", .truncated, isInScalar: true),
    BrokenText("fraction cut off", "[1.«»", .truncated, isInScalar: true),
    BrokenText("plus", "[«+»1]"),
    BrokenText("no integer", "[«.»5]"),
    BrokenText("two points", "[1.2«.»3]"),
    BrokenText("hexadecimal", "[0«x»1F]"),
    BrokenText("underscore", "[1«_»0]"),
    BrokenText("stray backslash", #"[«\»n]"#),
    BrokenText("stray backslash after number", #"[1«\»]"#),
    BrokenText("stray control character", "[1«\u{1}»]"),
    BrokenText("NUL between tokens", "[1,«\u{E000}»2]"),
    BrokenText("form feed between tokens", "[1,«\u{C}»2]"),
    BrokenText("record separator", "[1,«\u{1E}»2]"),
  ]

  static let strings = [
    BrokenText("string cut off", #"{"a":"x«\#n»"#),
    BrokenText("key cut off", "{\"ab«\n»"),
    BrokenText("top string cut off", "\"«\n»"),
    BrokenText("escape cut off", "[\"«\\»\n"),
    BrokenText("unicode escape cut off", "[\"«\\»u00\n"),
    BrokenText("tab", "[\"a«\t»b\"]"),
    BrokenText("NUL", "{\"a\":\"«\u{E000}»\"}"),
    BrokenText("control character in key", "{\"a«\u{1F}»\":1}"),
    BrokenText("unknown escape", #"{"a":"«\»x"}"#),
    BrokenText("unknown escape in key", #"{"«\»a":1}"#),
    BrokenText("apostrophe escaped", #"["«\»'"]"#),
    BrokenText("no hexadecimal digits", #"["12«\»u12G4"]"#),
    BrokenText("too few digits", #"["«\»u123"]"#),
    BrokenText("high surrogate alone", #"["«\»ud800"]"#, .invalidUTF8),
    BrokenText("low surrogate alone", #"["abc«\»udc00def"]"#, .invalidUTF8),
    BrokenText("high surrogate and a letter", #"["«\»ud800\u0041"]"#, .invalidUTF8),
    BrokenText("two high surrogates", #"["«\»ud800\ud800\udc00"]"#, .invalidUTF8),
    BrokenText("surrogates swapped", #"{"k«\»udc00\ud800":1}"#, .invalidUTF8),
    BrokenText("quote after value", #"{"a":"b"«"»}"#),
  ]

  static let encodings = [
    BrokenText("continuation byte", "[\"«\u{E080}»\"]", .invalidUTF8),
    BrokenText("overlong in two", "[\"ab«\u{E0C0}»\u{E080}\"]", .invalidUTF8),
    BrokenText("overlong in three", "[\"«\u{E0E0}»\u{E09F}\u{E080}\"]", .invalidUTF8),
    BrokenText("overlong in four", "[\"«\u{E0F0}»\u{E08F}\u{E080}\u{E080}\"]", .invalidUTF8),
    BrokenText("surrogate", "{\"«\u{E0ED}»\u{E0A0}\u{E080}\":1}", .invalidUTF8),
    BrokenText("beyond Unicode", "[\"«\u{E0F4}»\u{E090}\u{E080}\u{E080}\"]", .invalidUTF8),
    BrokenText("FF", "[\"«\u{E0FF}»\"]", .invalidUTF8),
    BrokenText("lead byte alone", "[\"«\u{E0C3}»\"]", .invalidUTF8),
    BrokenText("two of three bytes", "[\"«\u{E0E2}»\u{E082}\"]", .invalidUTF8),
    BrokenText("three of four bytes", "[\"é«\u{E0F0}»\u{E09F}\u{E098}\"]", .invalidUTF8),
    BrokenText("cut off by the line", "[\"«\u{E0F0}»\u{E09F}\u{E098}", .invalidUTF8),
    BrokenText("between tokens", "[1,«\u{E0FF}»]", .invalidUTF8),
    BrokenText("a letter beyond ASCII between tokens", "[1,«\u{E0C3}»\u{E0A9}]"),
    BrokenText("a byte-order mark", "[«\u{E0EF}»\u{E0BB}\u{E0BF}1]"),
  ]

  static let twoTexts = [
    BrokenText("two objects", #"{"a":1} «{»"b":2}"#, isTwoTexts: true),
    BrokenText("two objects, glued", #"{"a":1}«{»}"#, isTwoTexts: true),
    BrokenText("two numbers", "1 «2»", isTwoTexts: true),
    BrokenText("two strings", #""a" «"»b""#, isTwoTexts: true),
    BrokenText("comma after", #"{"a":1}«,»"#, isTwoTexts: false),
    BrokenText("closed twice", "[1]«]»"),
    BrokenText("two literals, glued", "true«f»alse"),
    BrokenText("garbage after", "{}«#»"),
  ]

  static let overLimits = [
    BrokenText("too deep", #"{"a":[[[[«[»1]]]]]}"#, .limitExceeded),
    BrokenText("number too long", "[«12345678901»23]", .limitExceeded),
    BrokenText("fraction too long", #"{"a":«0.123456789»}"#, .limitExceeded),
    BrokenText("key too long", #"{«"123456789012»3":1}"#, .limitExceeded),
    BrokenText("key far too long", #"{«"123456789012»345678901234567890":1}"#, .limitExceeded),
  ]
}
