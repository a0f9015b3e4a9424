/// How a value is written: which of its fields, what nil becomes, and how the text is laid out.
///
/// ```swift
/// var options = EncodingOptions()
/// options.nils = .null
/// options.fields = .only(["name", "address.city"])
/// options.indentation = 2
/// try mapper.encode(ann, options: options)
/// ```
public struct EncodingOptions: Sendable, Hashable {
  /// What a field that is nil becomes.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Nils: Sendable, Hashable, CaseIterable {
    /// The field is left out.
    case omitted
    /// The field is `null`; the objects on its path are written.
    case null
  }

  /// Which fields are written.
  ///
  /// A field is named by its property (`firstName`, `address.city`), or by its path in the JSON, as in ``PathPattern``
  /// (`first_name`, `children[*].name`). Either name also includes everything below the field. The contents of arrays
  /// and dictionaries are named with or without `[*]`.
  ///
  /// If an object has a property of a name, the name means that property. A path that starts at the root
  /// (`$.first_name`) is always a path in the JSON. A key that might be the name of an unknown property (see
  /// ``Field/named(_:)``) is an error.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Fields: Sendable, Hashable {
    /// All fields.
    case all
    /// Only these fields.
    case only([String])
    /// All fields but these.
    case except([String])
  }

  /// The keys of the members.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Keys: Sendable, Hashable, CaseIterable {
    /// The keys of the mapping: the sources of the fields.
    case sources
    /// The names of the properties: each field is a member of its object, named by its property.
    ///
    /// Collected members keep their keys.
    case properties
  }

  /// What a field that is nil becomes; by default it is left out.
  public var nils = Nils.omitted
  /// Which fields are written; by default all.
  public var fields = Fields.all
  /// The keys of the members; by default those of the mapping.
  public var keys = Keys.sources
  /// Spaces per level (at most 16), with each member and element on its own line; nil for no white space at all.
  public var indentation: Int?
  /// Whether the members of each object are sorted by the Unicode scalars of their keys, instead of following the fields.
  public var sortsKeys = false

  /// The defaults: everything that is not nil, without white space, in the order of the fields.
  public init() {}
}

extension Mapper {
  /// Encodes a value as JSON (UTF-8) with these options.
  ///
  /// With the default options, ``encode(_:)`` is faster.
  ///
  /// - Throws: ``MappingError``, with the path, if a part of the value has no JSON; with the code
  ///   `invalidDefinition` if a name in ``EncodingOptions/fields`` names no field.
  public func encode(_ value: Value, options: EncodingOptions) throws(MappingError) -> [UInt8] {
    let encoder = ValueEncoder(try encoders(options), options)
    try withUnsafePointer(to: value) { value throws(MappingError) in
      try encoder.append(UnsafeRawPointer(value))
    }
    return Array(encoder.output.bytes)
  }
}
