import StreamMap

extension Settings {
  /// What a variable of the environment begins with that takes the place of a member of the file.
  ///
  /// A shorter one would not do: Kubernetes gives a program `INGEST_PORT` as soon as there is a service that is called `ingest`.
  static let prefix = "INGEST_SETTING_"

  /// The settings, with those members that variables give: `INGEST_SETTING_IDLE_SECONDS` is `idleSeconds`.
  ///
  /// - Throws: ``Mistakes``, all that the variables have at once, each with the variable's name.
  func replacing(by variables: [String: String], named name: String) throws -> Settings {
    let mapper = try Mapper(Self.members)
    var object = try Mapper(JSONValue.self).decode(mapper.encode(self)).get()
    var (places, mistakes): ([String: String], [String]) = ([:], [])
    for (variable, text) in variables.sorted(by: { $0.key < $1.key }) {
      let key = Self.member(variable)
      switch object[key] {
      case nil, .array:
        mistakes.append("\(variable): no member of the settings that a text can give")
      case .string: object[key] = .string(text)
      default:
        // A text that is not a number, true or false is refused as a string, with what was expected.
        object[key] = (try? Mapper(JSONValue.self).decode(text.utf8).get()) ?? .string(text)
      }
      places["$.\(key)"] = variable
    }
    switch try Mapper(Self.mapping).decode(Mapper(JSONValue.self).encode(object)).result {
    case .success(let settings) where mistakes.isEmpty: return settings
    case .success: break
    case .failure(let error):
      mistakes += error.leaves.map { fault in
        "\(places["\(fault.path)"] ?? "\(name), with the environment: \(fault.path)"): \(fault.message)"
      }
    }
    throw Mistakes(description: mistakes.joined(separator: "\n"))
  }

  /// The member's name: `idleSeconds` of `INGEST_SETTING_IDLE_SECONDS`.
  private static func member(_ variable: String) -> String {
    let words = variable.dropFirst(prefix.count).split(
      separator: "_", omittingEmptySubsequences: false)
    return words.enumerated().map { index, word in
      index == 0 ? word.lowercased() : word.prefix(1) + word.dropFirst().lowercased()
    }.joined()
  }
}
