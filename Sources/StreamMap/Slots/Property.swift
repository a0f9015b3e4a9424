/// What a field reads and writes of an object: a property, or what two functions make of it.
enum Property<Root, Value>: Sendable {
  case path(KeyPath<Root, Value> & Sendable)
  case code(
    get: @Sendable (Root) -> Value, set: @Sendable (inout Root, Value) -> Void)

  /// Nil of two functions.
  var keyPath: (KeyPath<Root, Value> & Sendable)? {
    if case .path(let path) = self { path } else { nil }
  }

  var isWritable: Bool {
    switch self {
    case .path(let path): path is WritableKeyPath<Root, Value>
    case .code: true
    }
  }

  func read(_ object: Root) -> Value {
    switch self {
    case .path(let path): object[keyPath: path]
    case .code(let get, _): get(object)
    }
  }

  /// Does nothing where the property cannot be written: that was refused when the mapping was compiled.
  func write(_ value: Value, to object: inout Root) {
    switch self {
    case .path(let path):
      if let path = path as? WritableKeyPath<Root, Value> { object[keyPath: path] = value }
    case .code(_, let set): set(&object, value)
    }
  }

  /// Changes the value where it is; the function's is given back to it.
  func modify<Result>(_ object: inout Root, _ change: (inout Value) -> Result) -> Result? {
    switch self {
    case .path(let path):
      guard let path = path as? WritableKeyPath<Root, Value> else { return nil }
      return change(&object[keyPath: path])
    case .code(let get, let set):
      var value = get(object)
      let result = change(&value)
      set(&object, value)
      return result
    }
  }
}
