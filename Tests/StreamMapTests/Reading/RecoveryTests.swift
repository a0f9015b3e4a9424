import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// After a malformed record the next one is read as if nothing had happened: in NDJSON and RFC 7464.
@Suite struct RecoveryTests {
  @Test(arguments: BrokenText.all.indices)
  func `a broken line in the middle leaves the next one whole`(_ index: Int) throws {
    let broken = BrokenText.all[index]
    let line = broken.text
    let feed = "{\"n\":1}\n\(line)\n [2] \n\r\n  \(line)\n\"last\""
    try FeedCase(
      id: broken.id, feed: feed, limits: BrokenText.limits,
      expected: [
        .text(#"{"n":1}"#), .error(broken.code), .text("[2]"), .error(broken.code),
        .text(#""last""#),
      ]
    ).check()
  }

  @Test(arguments: BrokenText.all.indices)
  func `a line after two broken first lines is read`(_ index: Int) throws {
    let broken = BrokenText.all[index]
    try FeedCase(
      id: broken.id, feed: "\(broken.text)\n\(broken.text)\n{\"n\":1}\n", limits: BrokenText.limits,
      expected: [.error(broken.code), .error(broken.code), .text(#"{"n":1}"#)]
    ).check()
  }

  /// The end of the feed ends a line as a line feed does; only what is said of a string that is cut off differs.
  @Test(arguments: BrokenText.all.indices)
  func `a broken last line fails alone`(_ index: Int) throws {
    let broken = BrokenText.all[index]
    guard broken.text.last != "\n", broken.text.last != "»" || broken.isCutOff || broken.isInScalar
    else { return }
    try FeedCase(
      id: broken.id, feed: "1\n\(broken.text)", limits: BrokenText.limits,
      expected: [.text("1"), .error(broken.code)]
    ).check()
  }

  @Test(arguments: BrokenText.all.indices)
  func `a broken entry of a sequence leaves the next one whole`(_ index: Int) throws {
    let broken = BrokenText.all[index]
    // In a sequence an entry continues over line feeds, to the next separator.
    if broken.id == "record separator" { return }
    var line = broken.text + "\n"
    if broken.isCutOff { line = broken.text.replacing("«»", with: "\n«»") }
    if broken.isInScalar { line = broken.text.replacing("«»", with: "«\n»") }
    let code = broken.isInScalar ? .syntax : broken.code
    try FeedCase(
      id: broken.id,
      feed: "\u{1E}{\"n\":1}\n\u{1E}\(line)\u{1E}[2]\n\u{1E}\u{1E}\(line)\u{1E}\"last\"\n",
      format: .sequence, limits: BrokenText.limits,
      expected: [
        .text(#"{"n":1}"#), .error(code), .text("[2]"), .error(code), .text(#""last""#),
      ]
    ).check()
  }

  /// In the other formats nothing tells where the next record starts: the error is final.
  @Test(arguments: BrokenText.all.indices)
  func `a broken text ends a feed of concatenated values`(_ index: Int) throws {
    let broken = BrokenText.all[index]
    if broken.isCutOff || broken.isInScalar || broken.isTwoTexts { return }
    try FeedCase(
      id: broken.id, feed: "{\"n\":1} \(broken.text) {\"n\":2}", format: .concatenated,
      limits: BrokenText.limits,
      expected: [.text(#"{"n":1}"#)] + Self.texts(before: broken) + [.error(broken.code)]
    ).check()
  }

  /// What of a broken text is a whole one of concatenated values.
  private static func texts(before broken: BrokenText) -> [ExpectedRecord] {
    switch broken.id {
    case "comma after": [.text(#"{"a":1}"#)]
    case "closed twice": [.text("[1]")]
    case "garbage after": [.text("{}")]
    default: []
    }
  }

  @Test(arguments: BrokenText.all.indices)
  func `a broken document ends its feed`(_ index: Int) throws {
    let broken = BrokenText.all[index]
    if broken.isCutOff || broken.isInScalar { return }
    try FeedCase(
      id: broken.id, feed: "\n\(broken.text)\n[1]", format: .json, limits: BrokenText.limits,
      expected: [.error(broken.code)]
    ).check()
  }

  @Test func `broken lines leave records at paths of other lines whole`() throws {
    try FeedCase(
      id: "paths in lines",
      feed: #"""
        {"l":[{"n":1},{"n":2}]}
        {"l":[{"n":3}«»
        {"l":[{"n":4},{"n":«x»}]}
        {"k":[«,»],"l":[5]}
        {"l":[6]}«}»
        {"l":[7]}

        """#,
      paths: ["$.l[*]"],
      expected: [
        .text(#"{"n":1}"#), .text(#"{"n":2}"#), .text(#"{"n":3}"#), .outside(.truncated),
        .text(#"{"n":4}"#),
        .error(.syntax), .outside(.syntax), .text("6"), .outside(.syntax), .text("7"),
      ]
    ).check()
  }
}
