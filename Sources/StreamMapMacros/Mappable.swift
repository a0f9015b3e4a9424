@_exported import StreamMap

/// Writes a type's mapping from its stored properties, and declares it `Mappable`.
///
/// ```swift
/// @Mappable(keys: .snakeCase)
/// struct Person {
///   let firstName: String                                   // "first_name"
///   @Key("address.city") let city: String?                  // nil if it is absent or null
///   var age = 0                                             // 0 if it is absent or null
///   @Mapped(.url(schemes: ["https"])) let homepage: URL?
///   let children: [Person]                                  // maps by its own @Mappable
///   @Unmapped var isSelected = false
/// }
/// ```
///
/// Structs and final classes map as objects. The generated code sets the stored properties directly. A type may have
/// its own initialisers, but they are not called, and their checks are not made. The one exception is a class
/// without a designated initialiser of its own: `init()` makes it, and then its properties are written. Computed, lazy,
/// static and inherited properties are not mapped. A class that may inherit some gets a warning, unless `only` lists what is
/// mapped.
///
/// If the type has a static function `refined(_:)`, the mapping is what that makes of the generated one. So everything that is written
/// after a mapping by hand can be said:
///
/// ```swift
/// @Mappable
/// struct Interval {
///   var from: Int
///   var to: Int
///   static func refined(_ mapping: Mapping<Interval>) -> Mapping<Interval> {
///     mapping.unknownKeys(.fail).validated(Rule("order", expecting: "an end after the start") { $0.from <= $0.to })
///   }
/// }
/// ```
///
/// Enums with raw values map by their raw values; enums without raw values map by the names of their cases. Enums with
/// associated values map by a discriminator, a member that names the case:
///
/// ```swift
/// @Mappable(discriminator: "type")
/// enum Shape {
///   case circle(radius: Double)      // {"type":"circle","radius":2}
///   case polygon(Polygon)            // {"type":"polygon", and what a Polygon has}
///   @Key("nothing") case empty       // {"type":"nothing"}
/// }
/// ```
///
/// - Parameters:
///   - keys: How the name of a property, a case or an associated value becomes its key.
///   - discriminator: For an enum with associated values: where the name of the case is.
///   - content: With a discriminator: the member that has the case's values; by default they stand beside the discriminator.
///   - tagging: For an enum with associated values that has no discriminator: how its cases are told apart.
///   - only: The names of the properties to map; all others need a value of their own.
///   - except: The names of properties not to map.
///   - optional: The names of properties that fall back to nil or to their default, with an issue, where they are absent,
///     `null` or wrong.
///   - required: The names of properties whose absence is an error even where they are Optional or have a default. All
///     others behave as if listed in `optional`; an empty list therefore makes all of them optional.
///   - types: How properties of certain types map, also inside Optionals, arrays and dictionaries. Types are compared
///     by their spelling.
@attached(extension, conformances: Mappable, names: named(mapping), named(init(slots:)))
@attached(member, names: named(init(slots:)))
public macro Mappable(
  keys: PropertyKeys = .asIs, discriminator: FieldSource? = nil, content: String? = nil,
  tagging: CaseTagging? = nil, only: [String] = [], except: [String] = [], optional: [String] = [],
  required: [String] = [], types: [TypeMapping] = []
) = #externalMacro(module: "StreamMapMacrosPlugin", type: "MappableMacro")

/// Where a property is, as a path such as `user.name` or `tags[0]`: see `PathPattern`.
///
/// With several paths, the value is that of the first place that has one, and encoding writes the first: `@Key("title", "name")`. See
/// `FieldSource.first`.
///
/// On a case of an enum without raw values: the case's name in the JSON, taken literally.
@attached(peer)
public macro Key(_ path: String, _ others: String...) =
  #externalMacro(module: "StreamMapMacrosPlugin", type: "PropertyMacro")

/// A property's key, taken literally whatever characters it has; with several, the first that has a value.
@attached(peer)
public macro Key(literal key: String, _ others: String...) =
  #externalMacro(module: "StreamMapMacrosPlugin", type: "PropertyMacro")

/// How a property maps, in place of its type's mapping.
///
/// What the mapping says about absent and `null` values overrides the property's default. For an Optional property, a
/// mapping of the value inside becomes nullable automatically.
///
/// The attribute does not see the property's type. Where the mapping alone does not say what it makes, name that:
/// `@Mapped<Level>(.enumeration(of: .string))`, `@Mapped<Money>(.codable())`.
@attached(peer)
public macro Mapped<Value>(_ mapping: Mapping<Value>) =
  #externalMacro(module: "StreamMapMacrosPlugin", type: "PropertyMacro")

/// A property whose object an update changes, instead of putting a new one in its place: see `Field.mergingUpdates()`.
@attached(peer)
public macro Merged() = #externalMacro(module: "StreamMapMacrosPlugin", type: "PropertyMacro")

/// A property whose array an update changes element by element, each found by its identifier: see `Field.mergingUpdates(by:)`.
@attached(peer)
public macro Merged<Element, ID: Hashable & Sendable>(by id: KeyPath<Element, ID> & Sendable) =
  #externalMacro(module: "StreamMapMacrosPlugin", type: "PropertyMacro")

/// A property that is neither decoded nor encoded; it keeps the value of its declaration.
@attached(peer)
public macro Unmapped() = #externalMacro(module: "StreamMapMacrosPlugin", type: "PropertyMacro")
