import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// What the macros say, where, and what their fixes make of the source.
@Suite struct DiagnosticTests {
  // MARK: Types

  @Test func `a class that is not final is an error`() {
    expectError(
      "a class must be final to be Mappable: a mapping makes exactly its type",
      line: 2, column: 8,
      in: """
        @Mappable
        public class Person {
          var name: String
        }
        """,
      fixes: [
        "make it final": """
        @Mappable
        public final class Person {
          var name: String
        }
        """
      ])
    expectError(
      "a class must be final to be Mappable: a mapping makes exactly its type",
      line: 1, column: 11, in: "@Mappable class Person { var name: String }",
      fixes: ["make it final": "@Mappable final class Person { var name: String }"])
    expectError(
      "a class must be final to be Mappable: a mapping makes exactly its type",
      line: 1, column: 16, in: "@Mappable open class Person { var name: String }",
      fixes: ["make it final": "@Mappable public final class Person { var name: String }"])
  }

  @Test func `an actor is an error`() {
    expectError(
      "an actor's properties cannot be read from outside without await; map a struct, and make the actor from it",
      line: 1, column: 11, in: "@Mappable actor Counter { var count = 0 }")
  }

  @Test func `a type of the main actor is an error`() {
    expectError(
      "a type of the main actor cannot be made or read elsewhere; map a struct, and make it from that",
      line: 2, column: 1,
      in: """
        @Mappable
        @MainActor struct View { var count = 0 }
        """)
  }

  @Test func `a private type inside another type is an error`() {
    expectError(
      "a private type in another cannot be extended from outside, as @Mappable does; make it fileprivate",
      line: 2, column: 13,
      in: """
        struct Outer {
          @Mappable private struct Inner { let a: Int }
        }
        """,
      fixes: [
        "make it fileprivate": """
        struct Outer {
          @Mappable fileprivate struct Inner { let a: Int }
        }
        """
      ])
    expectError(
      "a type in a private one in another cannot be extended from outside, as @Mappable does; make that fileprivate",
      line: 3, column: 15,
      in: """
        enum Outer {
          private enum Middle {
            @Mappable struct Inner { let a: Int }
          }
        }
        """)
  }

  @Test func `cases and arguments that an enum cannot have are errors`() {
    let source = "@Mappable enum E { case a(b: Int) }"
    expectError(
      "cases with associated values need a discriminator, a member that names the case, or tagging: .key or .untagged",
      line: 1, column: 26, in: source,
      fixes: [
        "add a discriminator": source.replacing(
          "@Mappable", with: "@Mappable(discriminator: \"type\")")
      ])
    let keyed = "@Mappable(keys: .snakeCase) enum E { case a(b: Int) }"
    expectError(
      "cases with associated values need a discriminator, a member that names the case, or tagging: .key or .untagged",
      line: 1, column: 44, in: keyed,
      fixes: [
        "add a discriminator": keyed.replacing(
          ".snakeCase", with: ".snakeCase, discriminator: \"type\"")
      ])
    let unlabeled = "@Mappable(discriminator: \"type\") enum E { case a(b: Int, String) }"
    expectError(
      "label the value: its label is its key", line: 1, column: 58, in: unlabeled,
      fixes: ["label it": unlabeled.replacing("String", with: "<#label#>: String")])
    let clash =
      "the value's key is that of the discriminator, which names the case; give one of them another name"
    expectError(
      clash, line: 1, column: 50,
      in: #"@Mappable(discriminator: "type") enum F { case a(type: Int) }"#)
    expectError(
      clash, line: 1, column: 80,
      in:
        #"@Mappable(keys: .snakeCase, discriminator: .key("my_type")) enum F { case b, a(myType: Int, c: Int) }"#
    )
    expectError(
      "an enum with raw values maps by these alone", line: 1, column: 1,
      in: "@Mappable(keys: .snakeCase) enum E: String { case a }")
    expectError(
      "an enum with raw values maps by these alone", line: 1, column: 1,
      in: #"@Mappable enum E: String { @Key("b") case a }"#)
    expectError(
      "'optional' is for structs and classes", line: 1, column: 11,
      in: "@Mappable(optional: []) enum E { case a }")
    expectError(
      "'discriminator' is for enums", line: 1, column: 11,
      in: "@Mappable(discriminator: \"type\") struct S { let a: Int }")
    expectError(
      "'tagging' is for enums", line: 1, column: 11,
      in: "@Mappable(tagging: .key) struct S { let a: Int }")
    expectError(
      "give 'discriminator' or 'tagging', not both", line: 1, column: 34,
      in: #"@Mappable(discriminator: "type", tagging: .key) enum E { case a(b: Int) }"#)
    expectError(
      "'content' stands beside a discriminator", line: 1, column: 11,
      in: #"@Mappable(content: "value") enum E { case a }"#)
    expectError(
      "write .key or .untagged: @Mappable reads it, it does not run", line: 1, column: 20,
      in: "@Mappable(tagging: tag) enum E { case a }")
    expectError(
      "nothing tells a case without values apart; give the enum a discriminator, or tagging: .key",
      line: 1, column: 58, in: "@Mappable(tagging: .untagged) enum E { case a(Int); case b }")
    expectError(
      "a case has one name", line: 1, column: 30,
      in: #"@Mappable enum E { @Key("a", "b") case c }"#)
    expectError(
      "@Mapped belongs before a stored property; this is a case", line: 1, column: 20,
      in: "@Mappable enum E { @Mapped(.int) case a }",
      fixes: ["remove it": "@Mappable enum E { case a }"])
  }

  @Test func `a merged property with a value is an error`() {
    expectError(
      "'b' has a value, which null would put in place of the object that updates change; remove the value, or @Merged",
      line: 1, column: 34, in: "@Mappable struct A { @Merged var b: B = B() }")
    expectError(
      "@Merged belongs before a stored property; this one is static", line: 1, column: 34,
      in: "@Mappable struct A { let a: Int; @Merged static var b = B() }",
      fixes: ["remove it": "@Mappable struct A { let a: Int; static var b = B() }"])
  }

  @Test func `a type with a mapping of its own is an error`() {
    expectError(
      "the type has a mapping of its own; remove it, or @Mappable", line: 4, column: 3,
      in: """
        @Mappable
        struct Person {
          let name: String
          static let mapping = Mapping.object(Person.self) { field in field.make(Person.init, field("name", \\.name)) }
        }
        """)
  }

  @Test func `a type with nothing to map is an error`() {
    expectError(
      "there is no stored property to map", line: 1, column: 11,
      in: "@Mappable struct Empty { var one: Int { 1 } }")
    expectError(
      "there is no case to map", line: 1, column: 11, in: "@Mappable enum Namespace { }")
  }

  // MARK: Properties

  @Test func `an unmapped property without a value is an error`() {
    expectError(
      "'b' is not mapped, so it needs a value in its declaration", line: 3, column: 17,
      in: """
        @Mappable struct S {
          let a: Int
          @Unmapped var b: Int
          @Unmapped var c: Int?
        }
        """,
      fixes: [
        "give it a value": """
        @Mappable struct S {
          let a: Int
          @Unmapped var b: Int = <#value#>
          @Unmapped var c: Int?
        }
        """
      ])
    expectError(
      "'b' is not mapped, so it needs a value in its declaration", line: 3, column: 7,
      in: """
        @Mappable(only: ["a"]) struct S {
          let a: Int
          let b: Int
        }
        """)
  }

  @Test func `a let with a value is diagnosed as not mapped`() {
    let source = """
      @Mappable struct S {
        let a: Int
        @Key("x") let b = 1
      }
      """
    expectError(
      "'b' is not mapped: a let with a value cannot be set", line: 3, column: 17, in: source,
      fixes: [
        "make it a var": source.replacing("let b", with: "var b"),
        "leave it out with @Unmapped": source.replacing("@Key", with: "@Unmapped @Key"),
      ])
    expectExpansion(
      """
      @Mappable struct S {
        let a: Int
        let version = 1
      }
      """,
      """
      struct S {
        let a: Int
        let version = 1
      }

      extension S: StreamMap.Mappable {
        static var mapping: StreamMap.Mapping<Self> {
          var fields = StreamMap._GeneratedFields<Self>()
          fields.add("a", at: .key("a"), \\.a) {
            $0.a
          }
          return StreamMap.Mapping(_generated: fields) { slots in
            Self(slots: &slots)
          }
        }
        private init(slots: inout StreamMap._GeneratedSlots) {
          self.a = slots.take()
        }
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "'version' is not mapped: a let with a value cannot be set", line: 3, column: 7,
          severity: .warning,
          fixIts: [
            FixItSpec(message: "make it a var"), FixItSpec(message: "leave it out with @Unmapped"),
          ])
      ])
  }

  @Test func `a weak property is an error`() {
    expectError(
      "a weak property does not keep what it is set to", line: 2, column: 3,
      in: """
        @Mappable final class Node {
          weak var parent: Node?
          let name: String
        }
        """,
      fixes: [
        "leave it out with @Unmapped": """
        @Mappable final class Node {
          @Unmapped weak var parent: Node?
          let name: String
        }
        """
      ])
  }

  @Test func `a tuple or conditionally compiled property is an error`() {
    expectError(
      "the properties of a tuple must be declared each by itself", line: 2, column: 7,
      in: """
        @Mappable struct S {
          let (a, b): (Int, Int)
          let c: Int
        }
        """)
    expectError(
      "@Mappable does not know which branch of #if is compiled; move the property out of it",
      line: 4, column: 3,
      in: """
        @Mappable struct S {
          let a: Int
          #if DEBUG
          let b: Int
          #endif
        }
        """,
      fixes: [
        "leave it out with @Unmapped": """
        @Mappable struct S {
          let a: Int
          #if DEBUG
          @Unmapped let b: Int
          #endif
        }
        """
      ])
  }

  // MARK: Arguments

  @Test func `a name that no property has is an error`() {
    let source = """
      @Mappable(except: ["homePage"]) struct S {
        let name: String
        var homepage: String?
      }
      """
    expectError(
      "there is no stored property 'homePage'; did you mean 'homepage'?", line: 1, column: 20,
      in: source, fixes: ["write 'homepage'": source.replacing("homePage", with: "homepage")])
    expectError(
      "there is no stored property 'address'", line: 1, column: 22,
      in: """
        @Mappable(required: ["address"]) struct S {
          let name: String?
        }
        """)
  }

  @Test func `arguments that exclude each other are an error`() {
    expectError(
      "give 'only' or 'except', not both", line: 1, column: 24,
      in: #"@Mappable(only: ["a"], except: []) struct S { let a: Int }"#)
    expectError(
      "give 'optional' or 'required', not both", line: 1, column: 28,
      in: #"@Mappable(optional: ["a"], required: ["a"]) struct S { let a: Int? }"#)
  }

  @Test func `an argument that is not a literal is an error`() {
    expectError(
      "write the names as an array literal: @Mappable reads it, it does not run",
      line: 1, column: 19, in: "@Mappable(except: names) struct S { let a: Int }")
    expectError(
      "write the name as a string literal: @Mappable reads it, it does not run",
      line: 1, column: 20, in: "@Mappable(except: [name]) struct S { let a: Int }")
    expectError(
      "write the types as an array literal: @Mappable reads it, it does not run",
      line: 1, column: 18, in: "@Mappable(types: types) struct S { let a: Int }")
    expectError(
      "write it as .of(Date.self, mapping)", line: 1, column: 19,
      in: "@Mappable(types: [dates]) struct S { let a: Int }")
  }

  @Test func `an optional property needs an Optional type or a default`() {
    let source = """
      @Mappable(optional: ["a"]) struct S {
        let a: Int
      }
      """
    expectError(
      "'a' may be left out, so it must be Optional or have a default", line: 2, column: 7,
      in: source, fixes: ["make it Optional": source.replacing("Int", with: "Int?")])
  }

  // MARK: The attributes of properties

  @Test func `an attribute in a wrong place is an error`() {
    expectError(
      "@Key belongs before a stored property; this one is computed", line: 3, column: 3,
      in: """
        @Mappable struct S {
          let a: Int
          @Key("b") var b: Int { a }
        }
        """,
      fixes: [
        "remove it": """
        @Mappable struct S {
          let a: Int
          var b: Int { a }
        }
        """
      ])
    expectError(
      "@Unmapped belongs before a stored property", line: 3, column: 3,
      in: """
        @Mappable struct S {
          let a: Int
          @Unmapped func b() {}
        }
        """,
      fixes: [
        "remove it": """
        @Mappable struct S {
          let a: Int
          func b() {}
        }
        """
      ])
    expectError(
      "@Key on a property that is not mapped", line: 3, column: 3,
      in: """
        @Mappable struct S {
          let a: Int
          @Key("x") @Unmapped var b = 1
        }
        """,
      fixes: [
        "remove it": """
        @Mappable struct S {
          let a: Int
          @Unmapped var b = 1
        }
        """
      ])
  }

  @Test func `an empty path is an error`() {
    expectError(
      "an empty path names no member; give the key", line: 2, column: 8,
      in: """
        @Mappable struct S {
          @Key("") let a: Int
        }
        """)
  }

  @Test func `an attribute without Mappable on its type is a warning`() {
    expectExpansion(
      """
      struct S {
        @Key("x") let a: Int
      }
      """,
      """
      struct S {
        let a: Int
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "@Key is read by @Mappable, which this type does not have", line: 2, column: 3,
          severity: .warning)
      ])
  }
}
