import StreamMap
import Testing

@testable import StreamMapMacrosPlugin

@Suite struct KeyStyleTests {
  static let names = [
    "name", "firstName", "homepageURL", "URLSession", "myURLProperty", "address1Line", "utf8Text",
    "first_name", "first__name", "firstName_lastName", "_private", "__x_", "trailing_", "__", "x",
    "_fooBar", "fooBar_", "_foo_bar_", "_URL", "A", "aB", "ABC", "ABCd", "straßeÄnderung", "名前",
    "isHTML5", "x2Y", "yo_Dog", "YO_DOG",
  ]

  /// The library does the same when the program runs.
  @Test(arguments: names)
  func `the macro makes the keys that the library makes`(_ name: String) {
    #expect(KeyStyle.asIs.key(for: name) == name)
    #expect(KeyStyle.snakeCase.key(for: name) == KeyCase.snakeCase.key(for: name))
    #expect(KeyStyle.upperSnakeCase.key(for: name) == KeyCase.upperSnakeCase.key(for: name))
    #expect(KeyStyle.kebabCase.key(for: name) == KeyCase.kebabCase.key(for: name))
    #expect(KeyStyle.camelCase.key(for: name) == KeyCase.camelCase.key(for: name))
    #expect(KeyStyle.upperCamelCase.key(for: name) == KeyCase.upperCamelCase.key(for: name))
  }

  @Test(arguments: [
    ("homepageURL", "homepage_url", "homepageUrl", "HomepageUrl"),
    ("first_name", "first_name", "firstName", "FirstName"),
    ("address1Line", "address1_line", "address1Line", "Address1Line"),
    ("_private", "_private", "_private", "_Private"),
    ("_fooBar", "_foo_bar", "_fooBar", "_FooBar"),
  ])
  func `a key style turns a property name into its key`(
    _ name: String, _ snake: String, _ camel: String, _ upper: String
  ) {
    #expect(KeyStyle.snakeCase.key(for: name) == snake)
    #expect(KeyStyle.camelCase.key(for: name) == camel)
    #expect(KeyStyle.upperCamelCase.key(for: name) == upper)
  }
}
