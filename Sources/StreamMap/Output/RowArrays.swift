/// What becomes of a record's arrays before any writer sees it.
///
/// So every form of output has the same rows.
package struct RowArrays: Sendable, Hashable {
  /// The array whose elements become rows.
  package enum Exploded: Sendable, Hashable {
    /// There is none: each record is one row.
    case none
    /// The only one.
    case only
    /// One by its name: the names of the members that lead to it, with dots between them.
    case named(String)
  }

  package var exploded = Exploded.none
  /// What stands between the elements' texts of all other arrays, each of which becomes one text; nil if they stay arrays.
  package var joint: String?
  /// Whether the arrays of objects inside count, too.
  package var isDeep = true

  package init() {}

  /// Whether a record is its own row.
  package var areKept: Bool { exploded == .none && joint == nil }
}

/// An array of a record that can be exploded.
struct RowArray {
  /// As a mapping file names it: `lines`, `lines.taxes`; `matrix[]` for the arrays in an array.
  let name: String
  /// The keys that lead to the outermost array, then from its elements to the next one, and so on.
  let path: [[String]]

  /// The arrays in values of a type, as far as columns go: first each array, then those in its elements.
  static func all(in record: OutputValue, isDeep: Bool) -> [RowArray] {
    var found: [RowArray] = []
    add(record, RowArray(name: "", path: [[]]), isDeep, to: &found)
    return found
  }

  private static func add(
    _ value: OutputValue, _ place: RowArray, _ isDeep: Bool, to found: inout [RowArray]
  ) {
    switch value.type {
    case .array(let element):
      found.append(place)
      let inside = place.path + [[]]
      let isArray = if case .array = element.type { true } else { false }
      add(
        element, RowArray(name: isArray ? place.name + "[]" : place.name, path: inside), isDeep,
        to: &found)
    case .object(let object):
      for member in object.members {
        if case .object(let inner) = member.value.type, !isDeep || inner.isOpen { continue }
        var path = place.path
        path[path.count - 1].append(member.name)
        let name = place.name.isEmpty ? member.name : "\(place.name).\(member.name)"
        add(member.value, RowArray(name: name, path: path), isDeep, to: &found)
      }
    case .scalar, .day, .oneOf, .dictionary, .json: break
    }
  }
}

extension OutputValue {
  /// The value with an element in the place of an array, and of one in it, and so on.
  func exploding(_ path: ArraySlice<[String]>) -> OutputValue {
    guard let keys = path.first else { return self }
    return replacing(keys[...]) { array in
      guard case .array(let element) = array.type else { return array }
      // An empty array has a row, too.
      return OutputValue(element.exploding(path.dropFirst()).type, isNullable: true)
    }
  }

  /// The value with another one at the end of some keys.
  func replacing(_ keys: ArraySlice<String>, by change: (OutputValue) -> OutputValue) -> OutputValue
  {
    guard let key = keys.first else { return change(self) }
    guard case .object(var object) = type else { return self }
    for index in object.members.indices
    where object.members[index].name.utf8.elementsEqual(key.utf8) {
      object.members[index].value = object.members[index].value.replacing(
        keys.dropFirst(), by: change)
    }
    return OutputValue(.object(object), isNullable: isNullable)
  }
}
