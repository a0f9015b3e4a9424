/// How a field reads and writes its part of an object: a property, or a pair of functions.
enum Property<Root, Value>: Sendable {
  case path(KeyPath<Root, Value> & Sendable)
  case code(
    get: @Sendable (Root) -> Value, set: @Sendable (inout Root, Value) -> Void)

  /// Nil for a pair of functions.
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

  /// Does nothing if the property cannot be written: the compiler of the mapping rejects that.
  func write(_ value: Value, to object: inout Root) {
    switch self {
    case .path(let path):
      if let path = path as? WritableKeyPath<Root, Value> { object[keyPath: path] = value }
    case .code(_, let set): set(&object, value)
    }
  }

  /// Changes the value in place; a value from a function is passed back to the object.
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
