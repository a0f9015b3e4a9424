import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// What the macro says of a class that may inherit properties, which it cannot see.
@Suite struct InheritanceTests {
  private static let maybe =
    "if 'Base' is a class, its properties are not mapped: write the mapping by hand, with a field for each, or list "
    + "those that are mapped in 'only'; a protocol may stand after another one, or in an extension"
  private static let fix = "list the properties of this class"
  private static let surely =
    "properties of 'Base' are not mapped: write the mapping by hand, with a field for each, or list those that are mapped in 'only'"

  @Test func `a class that may have a superclass gets a warning, and a fix`() {
    expectWarning(
      Self.maybe, line: 2, column: 19,
      in: """
        @Mappable
        final class Item: Base, Equatable {
          var a = 0
          var b = 0
          @Unmapped var c = 0
        }
        """,
      fix: Self.fix,
      fixed: """
        @Mappable(only: ["a", "b"])
        final class Item: Base, Equatable {
          var a = 0
          var b = 0
          @Unmapped var c = 0
        }
        """)
  }

  @Test func `a class that calls or overrides its superclass gets a warning that is sure`() {
    expectWarning(
      Self.surely, line: 2, column: 19,
      in: """
        @Mappable(keys: .snakeCase)
        final class Item: Base {
          let a: Int
          init(_ a: Int) {
            self.a = a
            super.init()
          }
        }
        """,
      fix: Self.fix,
      fixed: """
        @Mappable(keys: .snakeCase, only: ["a"])
        final class Item: Base {
          let a: Int
          init(_ a: Int) {
            self.a = a
            super.init()
          }
        }
        """)
    expectWarning(
      Self.surely.replacing("Base", with: "Model.Variable"), line: 1, column: 29,
      in: """
        @Mappable final class Item: Model.Variable {
          var a = 0
          override var description: String { "" }
        }
        """,
      fix: Self.fix,
      fixed: """
        @Mappable(only: ["a"]) final class Item: Model.Variable {
          var a = 0
          override var description: String { "" }
        }
        """)
  }

  @Test func `where another list excludes only, there is no fix`() {
    expectWarning(
      Self.maybe, line: 1, column: 44,
      in: #"@Mappable(except: ["b"]) final class Item: Base { var a = 0, b = 0 }"#)
  }

  @Test(arguments: [
    "@Mappable final class Item { var a = 0 }",
    "@Mappable final class Item: Equatable, Base { var a = 0 }",
    "@Mappable final class Item: Swift.Hashable { var a = 0 }",
    "@Mappable final class Item: @unchecked Sendable { var a = 0 }",
    "@Mappable final class Item: NSObject { var a = 0 }",
    "@Mappable final class Item: ItemProtocol & Other { var a = 0 }",
    #"@Mappable(only: ["a"]) final class Item: Base { var a = 0 }"#,
    "@Mappable struct Item: Base { var a = 0 }",
  ])
  func `a class that inherits no properties, or lists its own, gets none`(_ source: String) {
    expectNothingSaid(source)
  }
}
