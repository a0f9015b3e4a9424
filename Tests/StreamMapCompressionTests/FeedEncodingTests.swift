import StreamMapCompression
import Testing

@Suite("Content codings")
struct FeedEncodingTests {
  @Test(arguments: [
    (nil, FeedEncoding.detected), ("", .detected), (" ", .detected), (" , ", .detected),
    ("identity", .identity), ("Identity", .identity), ("gzip", .compressed(.gzip)),
    ("GZIP", .compressed(.gzip)), (" x-gzip ", .compressed(.gzip)),
    ("zstd", .compressed(.zstandard)), ("xz", .compressed(.xz)), ("bzip2", .compressed(.bzip2)),
    ("identity, gzip", .compressed(.gzip)), ("gzip,\tidentity", .compressed(.gzip)),
  ])
  func `a header says the encoding`(header: String?, encoding: FeedEncoding) throws {
    #expect(try FeedEncoding(contentEncoding: header) == encoding)
  }

  @Test(arguments: [
    ("br", "br"), ("deflate", "deflate"), ("gzip, zstd", "gzip, zstd"), ("gzip zstd", "gzip zstd"),
    ("zstandard", "zstandard"), ("\u{0}", "\u{0}"),
    (String(repeating: "a", count: 1000), String(repeating: "a", count: 64)),
  ])
  func `other codings are an error that names them`(header: String, name: String) {
    let error = #expect(throws: FeedEncoding.UnknownCoding.self) {
      try FeedEncoding(contentEncoding: header)
    }
    #expect(error?.name == name)
    #expect(
      error.map { "\($0)" } == "content coding '\(name)' is not one of gzip, zstd, xz, bzip2")
  }
}
