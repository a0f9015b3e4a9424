import StreamMap

/// The keys of mapping files, a line for each.
package enum KeyList {
  /// The list as text.
  package static var text: String {
    let parts = MappingPart.allCases.compactMap { part in
      part.title.flatMap { section($0, part.entries, part.basis) }
    }
    return ([section("at the top", MappingPart.file.entries)] + parts).joined(separator: "\n")
  }

  /// What the list says of one key, under the titles of the maps that it stands in; empty if there is none of this name.
  package static func text(about key: String) -> String {
    text.split(separator: "\n\n").compactMap { section in
      let lines = section.split(separator: "\n")
      let line = lines.dropFirst().first { $0.split(separator: " ").first.map(String.init) == key }
      return line.map { "\(lines[0])\n\($0)\n" }
    }
    .joined()
  }

  /// The keys of a part; those that it has from another one are not told again.
  private static func section(
    _ title: String, _ entries: [MappingPart.Entry], _ basis: MappingPart? = nil
  ) -> String {
    var title = title
    var own = entries
    if let basis {
      let (names, known) = (entries.map(\.name), basis.entries.map(\.name))
      own = entries.filter { !known.contains($0.name) }
      title += ": the keys of \(basis.title ?? "\(basis)")"
      let missing = known.filter { !names.contains($0) }
      if !missing.isEmpty { title += " without \(missing.joined(separator: ", "))" }
      if !own.isEmpty { title += ", and" }
    }
    let width = own.map(\.name.count).max() ?? 0
    let lines = own.map { entry in
      let spaces = String(repeating: " ", count: width - entry.name.count)
      return "  \(entry.name)\(spaces)  \(entry.spec.line)\n"
    }
    return "\(title.prefix(1).uppercased())\(title.dropFirst())\n\(lines.joined())"
  }
}

extension KeySpec {
  /// What the list of keys says of it.
  fileprivate var line: String {
    let names = form.names
    let choice = names.isEmpty ? "" : " One of \(names.joined(separator: ", "))."
    return note + choice + (isRequired ? " It has to be there." : "")
  }
}
