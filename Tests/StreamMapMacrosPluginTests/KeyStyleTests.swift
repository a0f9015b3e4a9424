import Testing

@testable import StreamMapMacrosPlugin

@Suite struct KeyStyleTests {
  @Test(arguments: [
    ("name", "name", "name", "Name"),
    ("firstName", "first_name", "firstName", "FirstName"),
    ("homepageURL", "homepage_url", "homepageURL", "HomepageURL"),
    ("URLSession", "url_session", "urlSession", "URLSession"),
    ("myURLProperty", "my_url_property", "myURLProperty", "MyURLProperty"),
    ("address1Line", "address1_line", "address1Line", "Address1Line"),
    ("utf8Text", "utf8_text", "utf8Text", "Utf8Text"),
    ("first_name", "first_name", "firstName", "FirstName"),
    ("first__name", "first_name", "firstName", "FirstName"),
    ("_private", "_private", "_private", "_Private"),
    ("trailing_", "trailing_", "trailing_", "Trailing_"),
    ("__", "__", "__", "__"),
    ("x", "x", "x", "X"),
    ("A", "a", "a", "A"),
    ("aB", "a_b", "aB", "AB"),
    ("straßeÄnderung", "straße_änderung", "straßeÄnderung", "StraßeÄnderung"),
    ("名前", "名前", "名前", "名前"),
  ])
  func keys(_ name: String, _ snake: String, _ camel: String, _ upper: String) {
    #expect(KeyStyle.asIs.key(for: name) == name)
    #expect(KeyStyle.snakeCase.key(for: name) == snake)
    #expect(KeyStyle.camelCase.key(for: name) == camel)
    #expect(KeyStyle.upperCamelCase.key(for: name) == upper)
  }
}
