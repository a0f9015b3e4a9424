import StreamMap

/// A key of one kind of map in a mapping file.
///
/// A key is declared here alone: the reader asks for it by its case, and the JSON Schema and the list of keys are made of its ``spec``.
protocol MapKey: CaseIterable, CustomStringConvertible, Equatable, Sendable {
  /// The key as mapping files write it.
  var name: String { get }
  /// What stands under it.
  var spec: KeySpec { get }
}

extension MapKey {
  var description: String { name }
}

extension MapKey where Self: RawRepresentable<String> {
  var name: String { rawValue }
}

/// What stands under a key.
struct KeySpec {
  let form: KeyForm
  /// One sentence about it, for editors and for the list of keys.
  let note: String
  /// Whether a map without it is wrong.
  var isRequired = false

  init(_ form: KeyForm, _ note: String, isRequired: Bool = false) {
    self.form = form
    self.note = note
    self.isRequired = isRequired
  }
}

/// The keys that one kind of map may have, in the order in which messages list them.
struct KeyTable<Key: MapKey>: Sendable {
  let keys: [Key]
  /// Their names, in the same order.
  let names: [String]

  init(_ keys: some Sequence<Key>) {
    self.keys = Array(keys)
    names = self.keys.map(\.name)
  }

  /// The names, as messages list them.
  var list: String { names.joined(separator: ", ") }

  /// The key of this name; nil if these maps have none.
  func key(named name: String) -> Key? { names.firstIndex(of: name).map { keys[$0] } }
}
