import Testing

/// What the macros write.
@Suite struct ExpansionTests {
  @Test func `a struct expands to its fields and an initializer`() {
    expectExpansion(
      #"""
      @Mappable(keys: .snakeCase)
      public struct Person: Equatable {
        let firstName: String
        @Key("address.city") let city: String?
        var age = 0
        @Mapped(.url(schemes: ["https"])) let homepage: URL?
        @Key(literal: "a.b") var `default`: [Person] = []
        @Unmapped var isSelected = false
        static let limit = 3
        var isAdult: Bool { age > 17 }
        lazy var initials = firstName.prefix(1)
        var note: String? { didSet { print("set") } }
      }
      """#,
      #"""
      public struct Person: Equatable {
        let firstName: String
        let city: String?
        var age = 0
        let homepage: URL?
        var `default`: [Person] = []
        var isSelected = false
        static let limit = 3
        var isAdult: Bool { age > 17 }
        lazy var initials = firstName.prefix(1)
        var note: String? { didSet { print("set") } }
      }

      extension Person: StreamMap.Mappable {
        public static var mapping: StreamMap.Mapping<Self> {
          var fields = StreamMap._GeneratedFields<Self>()
          fields.add("firstName", at: .key("first_name"), \.firstName) {
            $0.firstName
          }
          fields.add("city", at: .path("address.city"), \.city) {
            $0.city
          }
          fields.add("age", at: .key("age"), \.age, presence: .default(0)) {
            $0.age
          }
          fields.add("homepage", at: .key("homepage"), \.homepage, .url(schemes: ["https"])) {
            $0.homepage
          }
          fields.add("default", at: .key("a.b"), \.`default`, presence: .default([])) {
            $0.`default`
          }
          fields.add("note", at: .key("note"), \.note) {
            $0.note
          }
          return StreamMap.Mapping(_generated: fields) { slots in
            Self(slots: &slots)
          }
        }
        private init(slots: inout StreamMap._GeneratedSlots) {
          self.firstName = slots.take()
          self.city = slots.take()
          self.age = slots.take()
          self.homepage = slots.take()
          self.`default` = slots.take()
          self.note = slots.take()
        }
      }
      """#)
  }

  @Test func `a class with its own initializer gets a private one`() {
    expectExpansion(
      #"""
      @Mappable
      final class Account {
        let id: Int
        init(number: Int) { id = number }
      }
      """#,
      #"""
      final class Account {
        let id: Int
        init(number: Int) { id = number }

        private init(slots: inout StreamMap._GeneratedSlots) {
          self.id = slots.take()
        }
      }

      extension Account: StreamMap.Mappable {
        static var mapping: StreamMap.Mapping<Account> {
          var fields = StreamMap._GeneratedFields<Account>()
          fields.add("id", at: .key("id"), \.id) {
            $0.id
          }
          return StreamMap.Mapping(_generated: fields) { slots in
            Account(slots: &slots)
          }
        }
      }
      """#)
  }

  @Test func `a class with defaults is made by init and then written`() {
    expectExpansion(
      #"""
      @Mappable(keys: .custom { "x-" + $0 })
      package final class Settings {
        var size = 12
      }
      """#,
      #"""
      package final class Settings {
        var size = 12
      }

      extension Settings: StreamMap.Mappable {
        package static var mapping: StreamMap.Mapping<Settings> {
          let keys: StreamMapMacros.PropertyKeys = .custom {
            "x-" + $0
          }
          var fields = StreamMap._GeneratedFields<Settings>()
          fields.add("size", at: .key(keys.key(for: "size")), \.size, presence: .default(12)) {
            $0.size
          }
          return StreamMap.Mapping(_generated: fields) { slots in
            Settings(slots: &slots)
          }
        }
        private convenience init(slots: inout StreamMap._GeneratedSlots) {
          self.init()
          self.size = slots.take()
        }
      }
      """#)
  }

  @Test func `a generic type conforms where its parameters do, with type overrides`() {
    expectExpansion(
      #"""
      @Mappable(required: ["items"], types: [.of(Date.self, .date(since1970: .seconds))])
      struct Page<Item, Tag> where Tag: Equatable {
        let items: [Item]
        var date: Date?
        var dates: [String: [Foundation.Date?]] = [:]
      }
      """#,
      #"""
      struct Page<Item, Tag> where Tag: Equatable {
        let items: [Item]
        var date: Date?
        var dates: [String: [Foundation.Date?]] = [:]
      }

      extension Page: StreamMap.Mappable where Item: StreamMap.Mappable {
        static var mapping: StreamMap.Mapping<Self> {
          var fields = StreamMap._GeneratedFields<Self>()
          fields.add("items", at: .key("items"), \.items, presence: .required) {
            $0.items
          }
          fields.add("date", at: .key("date"), \.date, .date(since1970: .seconds), presence: .optional(default: nil)) {
            $0.date
          }
          fields.add("dates", at: .key("dates"), \.dates, .dictionary(of: .array(of: .nullable(.date(since1970: .seconds)))), presence: .optional(default: [:])) {
            $0.dates
          }
          return StreamMap.Mapping(_generated: fields, storesOnlyFields: true) { slots in
            Self(slots: &slots)
          }
        }
        private init(slots: inout StreamMap._GeneratedSlots) {
          self.items = slots.take()
          self.date = slots.take()
          self.dates = slots.take()
        }
      }
      """#)
  }

  @Test func `a type that declares its conformance gets only the mapping`() {
    expectExpansion(
      "@Mappable enum Level: Int, Mappable { case low, high }",
      """
      enum Level: Int, Mappable { case low, high 
      }

      extension Level {
        static var mapping: StreamMap.Mapping<Self> {
          .enumeration(of: .declared)
        }
      }
      """, conforms: true)
  }

  @Test func `an enum maps by the names of its cases`() {
    expectExpansion(
      #"""
      @Mappable(keys: .snakeCase)
      enum Status {
        case inProgress
        @Key("finished") case done
      }
      """#,
      #"""
      enum Status {
        case inProgress
        case done
      }

      extension Status: StreamMap.Mappable {
        static var mapping: StreamMap.Mapping<Self> {
          return StreamMap.Mapping(
            _generatedNames: ["in_progress", "finished"],
            value: {
              switch $0 {
              case 0:
                .inProgress
              default:
                .done
              }
            },
            index: {
              switch $0 {
              case .inProgress:
                0
              case .done:
                1
              }
            })
        }
      }
      """#)
  }

  @Test func `an enum with a discriminator dispatches to its cases`() {
    expectExpansion(
      #"""
      @Mappable(discriminator: "type")
      enum Shape<Item> {
        case box(width: Int = 1, item: Item)
        case circle(radius: Double)
        case label(Label)
        case empty
      }
      """#,
      #"""
      enum Shape<Item> {
        case box(width: Int = 1, item: Item)
        case circle(radius: Double)
        case label(Label)
        case empty
      }

      extension Shape: StreamMap.Mappable where Item: StreamMap.Mappable {
        static var mapping: StreamMap.Mapping<Self> {
          var fields0 = StreamMap._GeneratedFields<(width: Int, item: Item)>()
          fields0.add("width", at: .key("width"), \.width, presence: .default(1)) {
            $0.width
          }
          fields0.add("item", at: .key("item"), \.item) {
            $0.item
          }
          let case0 = StreamMap.Mapping<Self>(
            _generatedCase: StreamMap.Mapping(_generated: fields0) { slots in
              (width: slots.take(), item: slots.take())
            },
            make: {
              .box(width: $0.width, item: $0.item)
            },
            take: {
              if case .box(let value0, let value1) = $0 {
                (width: value0, item: value1)
              } else {
                nil
              }
            })
          var fields1 = StreamMap._GeneratedFields<Double>()
          fields1.add("radius", at: .key("radius"), \.self) {
            $0
          }
          let case1 = StreamMap.Mapping<Self>(
            _generatedCase: StreamMap.Mapping(_generated: fields1) { slots in
              slots.take()
            },
            make: {
              .circle(radius: $0)
            },
            take: {
              if case .circle(let value0) = $0 {
                value0
              } else {
                nil
              }
            })
          let case2 = StreamMap.Mapping<Self>(
            _generatedCase: StreamMap.Mapping<Label>.declared,
            make: {
              .label($0)
            },
            take: {
              if case .label(let value0) = $0 {
                value0
              } else {
                nil
              }
            })
          let case3 = StreamMap.Mapping<Self>(
            _generatedCase: StreamMap.Mapping(_generated: StreamMap._GeneratedFields<Void>()) { _ in
            },
            make: { _ in
              .empty
            },
            take: {
              if case .empty = $0 {
                ()
              } else {
                nil
              }
            })
          return .dispatch(on: "type", ["box": case0, "circle": case1, "label": case2, "empty": case3])
        }
      }
      """#)
  }

  @Test func `several keys, a mapping's type, merging and refining are written down`() {
    expectExpansion(
      #"""
      @Mappable
      struct Page {
        @Key("title", "a.name") var title: String
        @Key(literal: "a.b", "c.d") var dotted: Int
        @Mapped<Level>(.enumeration(of: .string)) var level: Level?
        @Merged var window: Window
        @Merged(by: \Line.id) var lines: [Line]
        static func refined(_ mapping: Mapping<Page>) -> Mapping<Page> { mapping }
      }
      """#,
      #"""
      struct Page {
        var title: String
        var dotted: Int
        var level: Level?
        var window: Window
        var lines: [Line]
        static func refined(_ mapping: Mapping<Page>) -> Mapping<Page> { mapping }
      }

      extension Page: StreamMap.Mappable {
        static var mapping: StreamMap.Mapping<Self> {
          var fields = StreamMap._GeneratedFields<Self>()
          fields.add("title", at: .first(.path("title"), .path("a.name")), \.title) {
            $0.title
          }
          fields.add("dotted", at: .first(.key("a.b"), .key("c.d")), \.dotted) {
            $0.dotted
          }
          fields.add("level", at: .key("level"), \.level, (.enumeration(of: .string) as StreamMap.Mapping<Level>)) {
            $0.level
          }
          fields.add("window", at: .key("window"), \.window, updating: .merging(\.window)) {
            $0.window
          }
          fields.add("lines", at: .key("lines"), \.lines, updating: .merging(\.lines, by: \Line.id)) {
            $0.lines
          }
          return refined(StreamMap.Mapping(_generated: fields, storesOnlyFields: true) { slots in
              Self(slots: &slots)
            })
        }
        private init(slots: inout StreamMap._GeneratedSlots) {
          self.title = slots.take()
          self.dotted = slots.take()
          self.level = slots.take()
          self.window = slots.take()
          self.lines = slots.take()
        }
      }
      """#)
  }

  @Test(arguments: [
    (
      #"tagging: .key"#,
      #".firstOf(.at(.key("a"), case0), .at(.key("b"), case1), reportsEarlier: false)"#
    ),
    (#"tagging: .untagged"#, #".firstOf(case0, case1, reportsEarlier: false)"#),
    (
      #"discriminator: "type", content: "value""#,
      #".dispatch(on: "type", ["a": .at(.key("value"), case0), "b": .at(.key("value"), case1)])"#
    ),
  ])
  func `what names a case stands at the end of an enum's mapping`(
    _ arguments: String, _ mapping: String
  ) {
    func part(_ name: String, _ index: Int) -> String {
      """
          let case\(index) = StreamMap.Mapping<Self>(
            _generatedCase: StreamMap.Mapping<Int>.declared,
            make: {
              .\(name)($0)
            },
            take: {
              if case .\(name)(let value0) = $0 {
                value0
              } else {
                nil
              }
            })
      """
    }
    expectExpansion(
      """
      @Mappable(\(arguments))
      enum E {
        case a(Int)
        case b(Int)
      }
      """,
      """
      enum E {
        case a(Int)
        case b(Int)
      }

      extension E: StreamMap.Mappable {
        static var mapping: StreamMap.Mapping<Self> {
      \(part("a", 0))
      \(part("b", 1))
          return \(mapping)
        }
      }
      """)
  }
}
