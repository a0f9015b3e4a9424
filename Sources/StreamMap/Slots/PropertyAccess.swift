/// Reads one property of objects that lie in raw memory, for the way back.
struct PropertyAccess: Sendable {
  /// Where the value lies in the object; nil where reading it takes code, or leads through a reference.
  let offset: Int?
  /// Calls `body` with the value.
  let withValue: @Sendable (_ object: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) -> Void

  init<Root, Value>(_ property: KeyPath<Root, Value> & Sendable) {
    offset = MemoryLayout<Root>.offset(of: property)
    withValue = { object, body in
      let object = object.assumingMemoryBound(to: Root.self)
      withUnsafePointer(to: object.pointee[keyPath: property]) { body(UnsafeRawPointer($0)) }
    }
  }

  /// A value that code finds in the object; nothing where it finds none.
  init<Root, Value>(_ find: @escaping @Sendable (Root) -> Value?) {
    offset = nil
    withValue = { object, body in
      guard let value = find(object.assumingMemoryBound(to: Root.self).pointee) else { return }
      withUnsafePointer(to: value) { body(UnsafeRawPointer($0)) }
    }
  }

  private init() {
    offset = nil
    withValue = { _, _ in }
  }

  /// Reads nothing.
  static let none = PropertyAccess()
}
