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
  /// What becomes of a field that is nil.
  public enum Nils: Sendable, Hashable, CaseIterable {
    /// It is left out.
    case leftOut
    /// It is `null`; the objects on its path are written.
    case null
  }

  /// Which fields are written.
  ///
  /// A field is named by its property (`firstName`, `address.city`), or by its path in the JSON as ``PathPattern`` has it
  /// (`first_name`, `children[*].name`); either also stands for all that is below it. What is in arrays and dictionaries is
  /// named with or without `[*]`.
  ///
  /// Where an object has a property of a name, that is meant. A path that starts at the root (`$.first_name`) is always one
  /// of the JSON. Where a key might be the name of a property that is not known (see ``Field/named(_:)``), that is an error.
  public enum Fields: Sendable, Hashable {
    /// All.
    case all
    /// These.
    case only([String])
    /// All but these.
    case except([String])
  }

  /// What the members are called.
  public enum Keys: Sendable, Hashable, CaseIterable {
    /// As the mapping has them: by the sources of the fields.
    case sources
    /// By the properties: each field is a member of its object with the property's name. What is collected keeps its keys.
    case properties
  }

  /// What becomes of a field that is nil; left out, if nothing else is said.
  public var nils = Nils.leftOut
  /// Which fields are written; all, if nothing else is said.
  public var fields = Fields.all
  /// What the members are called; as the mapping has them, if nothing else is said.
  public var keys = Keys.sources
  /// Spaces a level (at most 16), with each member and element on a line of its own; nil for no white space at all.
  public var indentation: Int?
  /// Whether the members of each object come in the order of their keys' Unicode scalars, instead of that of the fields.
  public var sortsKeys = false

  /// The defaults: all that is not nil, without white space, in the order of the fields.
  public init() {}
}

extension Mapper {
  /// Encodes a value as JSON: UTF-8, as the options have it.
  ///
  /// ``encode(_:)`` is faster than this with the default options.
  ///
  /// - Throws: ``MappingError`` where a part of the value has no JSON, with its path; with the code `invalidDefinition`
  ///   where a name in ``EncodingOptions/fields`` names no field.
  public func encode(_ value: Value, options: EncodingOptions) throws(MappingError) -> [UInt8] {
    let output = OutputBuffer()
    let writer: EventSink =
      if let indentation = options.indentation {
        IndentedJSONWriter(output: output, spaces: indentation)
      } else {
        JSONWriter(output: output)
      }
    if options.sortsKeys {
      let builder = JSONValueBuilder(depthLimit: JSONValue.maximumDepth, sortsKeys: true)
      try send(value, to: builder, options: options)
      guard !builder.isTooDeep else {
        throw MappingError(.limitExceeded, path: JSONPath(), expected: JSONValue.depthMessage)
      }
      builder.value?.emit(to: writer)
    } else {
      try send(value, to: writer, options: options)
    }
    return Array(output.bytes)
  }
}
