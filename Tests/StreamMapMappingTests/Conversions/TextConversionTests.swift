import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct TextConversionTests {
  @Test func `a URL is converted both ways, absolute ones need a scheme`() {
    let any: Conversion<String, URL> = .url
    #expect(any.value("http://jeffhui.net")?.absoluteString == "http://jeffhui.net")
    #expect(URL(string: "http://jeffhui.net").flatMap(any.back) == "http://jeffhui.net")
    #expect(any.value("value") != nil)
    #expect(any.value("a b") == nil)
    #expect(any.value("") == nil)
    let absolute: Conversion<String, URL> = .absoluteURL
    #expect(
      outcome(absolute, "!!") == .failure(ConversionFailure(expected: "a URL with a scheme")))
    #expect(absolute.value("not a url") == nil)
    #expect(absolute.value("/x") == nil)
    #expect(absolute.value("http://a.com").flatMap(absolute.back) == "http://a.com")
    #expect(absolute.value("http://ü.de/ü")?.absoluteString == "http://xn--tda.de/%C3%BC")
  }

  @Test func `a list of schemes limits URLs both ways`() {
    let http: Conversion<String, URL> = .url(schemes: ["http", "lol"])
    #expect(
      http.value("HTTP://jeffhui.net/example.html")?.absoluteString
        == "HTTP://jeffhui.net/example.html")
    #expect(
      outcome(http, "ftp://example.com")
        == .failure(ConversionFailure(expected: "a URL (http, lol)")))
    #expect(URL(string: "ftp://example.com").flatMap(http.back) == nil)
    #expect(URL(string: "LOL://example.com").flatMap(http.back) == "LOL://example.com")
    #expect(URL(string: "x").flatMap(http.back) == nil)
    #expect(Conversion<String, URL>.url(schemes: []).mistake == "the list of schemes is empty")
    #expect(
      Conversion<String, URL>.url(schemes: ["https", "http://"]).mistake
        == "'http://' is not a scheme; a scheme is a name such as https, without ://")
  }

  @Test func `a UUID is read in either case and written in capitals`() {
    let uuid: Conversion<String, UUID> = .uuid
    let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    #expect(uuid.value(text).flatMap(uuid.back) == text)
    #expect(uuid.value(text.lowercased()).flatMap(uuid.back) == text)
    #expect(
      outcome(uuid, "I am not a valid UUID") == .failure(ConversionFailure(expected: "a UUID")))
    #expect(uuid.value("{\(text)}") == nil)
    #expect(uuid.value("") == nil)
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"), ("\u{3FF}\u{3FF}", "z7/Pvw=="),
  ])
  func `bytes go to base64 and its URL form, and back`(bytes: String, text: String) {
    let data = Data(bytes.utf8)
    #expect(Conversion<String, Data>.base64.value(text) == data)
    #expect(Conversion<String, Data>.base64.back(data) == text)
    let url = text.replacing("/", with: "_").replacing("+", with: "-")
    #expect(Conversion<String, Data>.base64URL.value(url) == data)
    #expect(Conversion<String, Data>.base64URL.value(url.replacing("=", with: "")) == data)
    #expect(Conversion<String, Data>.base64URL.back(data) == url.replacing("=", with: ""))
  }

  @Test(arguments: [
    "Zg", "Zg=", "Zg===", "=", "==", "====", "Z", "Z===", "Zm9v=", "Zm9vY", "Zh==", "Zm9=", "Zm8",
    "Zm9v\n", " Zm9v", "Zm9v Zm9v", "Zm-_", "Zg==Zg==", "Zm9é", "Zm9\u{0}", "Ｚm9v", "Z=9v",
  ])
  func `a text that is not strict base64 is refused`(text: String) {
    #expect(Conversion<String, Data>.base64.value(text) == nil)
  }

  @Test func `a text that is not strict URL-safe base64 is refused`() {
    let form: Conversion<String, Data> = .base64URL
    for text in ["Zm+/", "Z", "Zg=", "Zh", "Zm9", "Zm9v=", "=", "Zg ="] {
      #expect(form.value(text) == nil, "\(text)")
    }
    #expect(form.value("-_-_") == Data([0xFB, 0xFF, 0xBF]))
  }

  @Test func `base64 of random bytes is read as Foundation writes it`() {
    var random = SeededGenerator(seed: 22)
    for count in 0..<300 {
      let data = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
      for form in [Conversion<String, Data>.base64, .base64URL] {
        #expect(form.back(data).flatMap(form.value) == data)
      }
      #expect(Conversion<String, Data>.base64.value(data.base64EncodedString()) == data)
    }
  }

  @Test(arguments: [
    ("firstName", "first_name"), ("fooBar", "foo_bar"), ("fooBarLol", "foo_bar_lol"),
    ("YoDog", "yo_dog"), ("yodog", "yodog"), ("homepageURL", "homepage_url"),
    ("URLSession", "url_session"), ("aURLOfX", "a_url_of_x"), ("URL", "url"),
    ("address2Line", "address2_line"), ("address2", "address2"), ("utf8Text", "utf8_text"),
    ("_id", "_id"), ("__fooBar_", "__foo_bar_"), ("first_name", "first_name"), ("", ""), ("_", "_"),
    ("user_firstName", "user_first_name"), ("größeÄndern", "größe_ändern"),
    ("first-name", "first_name"),
    ("A", "a"), ("aB", "a_b"), ("éA", "é_a"), ("日本", "日本"), ("a__b", "a_b"),
  ])
  func `a key becomes snake case with acronyms as one word`(key: String, snake: String) {
    #expect(KeyCase.snakeCase.key(for: key) == snake)
  }

  @Test func `a key is converted to each of the other cases`() {
    #expect(KeyCase.upperSnakeCase.key(for: "firstName") == "FIRST_NAME")
    #expect(KeyCase.kebabCase.key(for: "firstName") == "first-name")
    #expect(KeyCase.camelCase.key(for: "FIRST_NAME") == "firstName")
    #expect(KeyCase.camelCase.key(for: "first-name") == "firstName")
    #expect(KeyCase.camelCase.key(for: "FirstName") == "firstName")
    #expect(KeyCase.camelCase.key(for: "URLSession") == "urlSession")
    #expect(KeyCase.upperCamelCase.key(for: "firstName") == "FirstName")
    #expect(KeyCase.camelCase.key(for: "_") == "_")
    #expect(KeyCase.snakeCase.separatingDigits.key(for: "address2Line") == "address_2_line")
    #expect(KeyCase.snakeCase.separatingDigits.key(for: "2nd") == "2nd")
    for (key, camel) in [
      ("foo_bar", "FooBar"), ("Yo__Dog", "YoDog"), ("_yoDog", "_YoDog"), ("yoDog_", "YoDog_"),
    ] {
      #expect(KeyCase.upperCamelCase.key(for: key) == camel)
    }
    let conversion: Conversion<String, String> = .keyCase(from: .camelCase, to: .snakeCase)
    #expect(conversion.value("fooBar") == "foo_bar")
    #expect(conversion.back("foo_bar") == "fooBar")
    #expect(conversion.name == "snake_case")
  }

  @Test(arguments: [
    ("_fooBar", "_foo_bar", "_fooBar", "_FooBar"), ("_id", "_id", "_id", "_Id"),
    ("__foo_bar_", "__foo_bar_", "__fooBar_", "__FooBar_"),
    ("fooBar_", "foo_bar_", "fooBar_", "FooBar_"), ("_URL", "_url", "_url", "_Url"),
    ("-fooBar", "foo_bar", "fooBar", "FooBar"), ("__", "__", "__", "__"),
  ])
  func `underscores at the ends stay and do not divide words`(
    key: String, snake: String, camel: String, upper: String
  ) {
    #expect(KeyCase.snakeCase.key(for: key) == snake)
    #expect(KeyCase.camelCase.key(for: key) == camel)
    #expect(KeyCase.upperCamelCase.key(for: key) == upper)
    // The other way back, as far as there are no acronyms.
    #expect(KeyCase.camelCase.key(for: snake) == camel)
  }

  @Test(arguments: ["_foo_bar", "foo_bar_", "__x__", "_id", "foo_bar", "_", "_fooBar"])
  func `keys in snake case become those of Foundation's strategy`(key: String) throws {
    struct AnyKey: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init?(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    struct Keys: Decodable {
      let names: [String]
      init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
      }
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let names = try decoder.decode(Keys.self, from: Data(#"{"\#(key)":1}"#.utf8)).names
    #expect(names == [KeyCase.camelCase.key(for: key)])
  }
}
