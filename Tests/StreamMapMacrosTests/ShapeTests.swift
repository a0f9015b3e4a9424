import Foundation
import StreamMapMacros
import Testing

@Mappable(keys: .snakeCase)
private struct Person: Equatable {
  let firstName: String
  @Key("address.city") let city: String?
  var age = 0
  @Mapped(.url(schemes: ["https"])) let homepageURL: URL?
  let children: [Person]
  @Unmapped var isSelected = false
}

@Mappable
private final class Account {
  let id: Int
  private(set) var owner: String?
  init(number: Int) {
    id = number
  }
}

@Mappable
private final class Settings {
  var theme = "light"
  var size = 12
  var note: String?
}

@Mappable
struct Page<Item> {
  let items: [Item]
  let next: URL?
}

@Mappable(keys: .snakeCase)
private enum Status {
  case inProgress
  @Key("finished") case done
}

@Mappable
public enum Level: Int {
  case low = 1
  case high
}

@Suite struct ShapeTests {
  @Test func aPerson() throws {
    let text = #"{"first_name":"Ann","address":{"city":"Bonn"},"homepage_url":"https://a.b","children":[{"first_name":"Bo","children":[],"age":3}]}"#
    let mapper = try Mapper(Person.self)
    let ann = try mapper.decode(text.utf8).get()
    print(ann)
    print(String(decoding: try mapper.encode(ann), as: UTF8.self))
    print(try Mapper(Account.self).decode(#"{"id":3}"#.utf8).get())
    print(try Mapper(Settings.self).decode(#"{"size":3}"#.utf8).get().size)
    print(try Mapper(Page<Person>.self).decode(#"{"items":[]}"#.utf8).get())
    print(try Mapper([Status].self).decode(#"["in_progress","finished","x"]"#.utf8))
    print(try Mapper([Level].self).decode(#"[1,2]"#.utf8))
  }
}

@Mappable(discriminator: "type")
private indirect enum Shape: Equatable {
  case circle(radius: Double)
  case box(width: Int, height: Int?, tags: [String] = ["x"])
  case text(Label)
  case group(of: [Shape])
  @Key("nothing") case empty
}

@Mappable private struct Label: Equatable { let text: String }

@Suite struct Q {
  @Test func shapes() throws {
    let mapper = try Mapper([Shape].self)
    let v = mapper.decode(#"[{"type":"circle","radius":2},{"width":1,"type":"box"},{"type":"text","text":"a"},{"type":"group","of":[{"type":"nothing"}]}]"#.utf8)
    print(v)
    print(String(decoding: try mapper.encode(v.get()), as: UTF8.self))
  }
}
