import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct StringToURLTests {
  @Test(arguments: [
    ("http://a.b/c", "http://a.b/c"), ("HTTPS://A.B", "HTTPS://A.B"), ("/x/y?q#f", "/x/y?q#f"),
    ("x", "x"), ("mailto:a@b.c", "mailto:a@b.c"), ("http://[::1]:80/", "http://[::1]:80/"),
    ("http://a/%41", "http://a/%41"), ("/ü", "/%C3%BC"),
    ("http://u@h/?ä#ö", "http://u@h/?%C3%A4#%C3%B6"),
    ("http://ü@h/", "http://%C3%BC@h/"), ("http://exämple.de/ü", "http://xn--exmple-cua.de/%C3%BC"),
    ("//日本.jp:80", "//xn--wgv71a.jp:80"), ("a:/😀", "a:/%F0%9F%98%80"),
  ])
  func `a valid URL is taken and its non-ASCII parts are encoded`(text: String, absolute: String)
    throws
  {
    let url = try #require(StringToURL.url(text))
    #expect(StringToURL.text(url) == absolute)
    #expect(convert(text) { StringToURL.isURL($0) })
  }

  @Test(arguments: [
    "", " ", "a b", "http://a/ ", "http://a b/", "http://ü b/", "http://a/%zz", "http://a/%4",
    "http://a/[x]", "http://a/x#y#z", "http://a/<", "http://a/\"", "http://a/\\", "http://a/\u{0}",
    "http://a/\u{7F}", "http://a:x/", "1http://x", "ü:x", "http://ü/%zz", "http://ü/ ", "http://ü<",
    "http://a/ü b", "http://ü:x/",
  ])
  func `a text that is not a URL is refused`(text: String) {
    #expect(StringToURL.url(text) == nil)
    #expect(!convert(text) { StringToURL.isURL($0) })
  }

  @Test(arguments: [
    ("::1", true), ("::", true), ("1:2:3:4:5:6:7:8", true), ("1:2:3:4:5:6:7::", true),
    ("::ffff:1.2.3.4", true), ("2001:db8::A", true), ("1:2:3:4:5:6:1.2.3.4", true),
    ("v1.a:b", true), ("", false), ("zz", false), ("1:2", false), ("::fffff", false),
    (":1::2", false), ("1::2::3", false), ("1:2:3:4:5:6:7:8:9", false), ("1:", false),
    ("::1:", false), ("1:2:3:4:5:6:7:8::", false), ("::1.2.3", false), ("::1.2.3.04", false),
    ("::1.2.3.256", false), (":+1:1", false), ("v.a", false), ("v1.", false), ("1.2.3.4", false),
  ])
  func `a host in brackets is an address by RFC 3986`(address: String, isTaken: Bool) {
    for text in ["http://[\(address)]", "http://u@[\(address)]:80/x", "//[\(address)]?q"] {
      #expect((StringToURL.url(text) != nil) == isTaken, "\(text)")
      #expect(convert(text) { StringToURL.isURL($0) } == isTaken, "\(text)")
    }
    #expect(StringToURL.url("http://[\(address)]x/") == nil)
  }

  @Test(arguments: [
    ("http://a", true), ("HTTP://a", true), ("https://ü/", true), ("http:x", true),
    ("httpx://a", false), ("ftp://a", false), ("/http:", false), ("http", false), ("", false),
    ("http://a b", false),
  ])
  func `a URL is taken only with one of the given schemes`(text: String, isAccepted: Bool) {
    let schemes = ["http", "HTTPS"]
    #expect((StringToURL.url(text, schemes: schemes) != nil) == isAccepted)
    #expect(convert(text) { StringToURL.isURL($0, schemes: schemes) } == isAccepted)
  }

  @Test func `making a URL and only checking it give the same verdict`() {
    var random = SeededGenerator(seed: 10)
    let pieces = [
      "http", "s", ":", "//", "/", "?", "#", "%", "41", "a", "B", "-", ".", "_", "~", "!$&'()*+,;=",
      "@", "[", "]", "::1", " ", "\"", "<", "ü", "日", "^", "|", "80", "\u{1}", "\\", "https://a.b",
      "ftp://x/",
    ]
    var accepted = 0
    for _ in 0..<20_000 {
      var text = Bool.random(using: &random) ? "http://a" : ""
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        text += pieces.randomElement(using: &random) ?? ""
      }
      for schemes in [[], ["http", "ftp"]] {
        let url = StringToURL.url(text, schemes: schemes)
        if url != nil { accepted += 1 }
        if convert(text, { StringToURL.isURL($0, schemes: schemes) }) != (url != nil) {
          Issue.record("\(text)")
        }
        if let url, !schemes.isEmpty, let scheme = url.scheme?.lowercased() {
          #expect(schemes.contains(scheme))
        }
      }
    }
    #expect(accepted > 2000)
  }
}
