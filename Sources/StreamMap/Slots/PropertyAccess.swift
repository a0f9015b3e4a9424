/// Reads one property of objects that lie in raw memory, for the way back.
struct PropertyAccess: Sendable {
  /// Where the value lies in the object; nil where reading it takes code, or leads through a reference.
  let offset: Int?
  /// Calls `body` with the value.
  let withValue: @Sendable (_ object: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) -> Void
  /// What writes a copy of the value in a slot, or applies the patch there; nil where the property cannot be written.
  let makeStep: (@Sendable (_ slot: UnsafeRawPointer) -> Patch.Step)?
  /// Whether an update changes what the property holds, instead of replacing it.
  let isUpdatedInside: Bool

  init<Root, Value>(_ property: KeyPath<Root, Value> & Sendable) {
    self.init(property, makeStep: Self.replacing(property), isUpdatedInside: false)
  }

  private static func replacing<Root, Value>(_ property: KeyPath<Root, Value> & Sendable)
    -> (@Sendable (UnsafeRawPointer) -> Patch.Step)?
  {
    guard property is WritableKeyPath<Root, Value> else { return nil }
    return { slot in
      let value = slot.assumingMemoryBound(to: Value.self).pointee
      return Patch.Step(
        apply: { write(value, property, $0) },
        keep: { object in
          let old = object.assumingMemoryBound(to: Root.self).pointee[keyPath: property]
          return { write(old, property, $0) }
        })
    }
  }

  private static func write<Root, Value>(
    _ value: Value, _ property: KeyPath<Root, Value>, _ object: UnsafeMutableRawPointer
  ) {
    guard let property = property as? WritableKeyPath<Root, Value> else { return }
    object.assumingMemoryBound(to: Root.self).pointee[keyPath: property] = value
  }

  /// A property whose value an update changes: the object stays the same one.
  init<Root, Value>(updating property: KeyPath<Root, Value> & Sendable) {
    guard property is WritableKeyPath<Root, Value> else {
      self.init(property, makeStep: nil, isUpdatedInside: true)
      return
    }
    self.init(
      property,
      makeStep: { slot in
        let patch = slot.assumingMemoryBound(to: Patch.self).pointee
        return Patch.Step(
          apply: { Self.change(property, $0, patch.apply) },
          keep: { object in
            let old = object.assumingMemoryBound(to: Root.self).pointee[keyPath: property]
            let restore = withUnsafePointer(to: old) { patch.keep(of: UnsafeRawPointer($0)) }
            return { Self.change(property, $0, restore) }
          },
          inside: { object in
            let value = object.assumingMemoryBound(to: Root.self).pointee[keyPath: property]
            return (patch, { body in withUnsafePointer(to: value) { body(UnsafeRawPointer($0)) } })
          })
      }, isUpdatedInside: true)
  }

  private static func change<Root, Value>(
    _ property: KeyPath<Root, Value>, _ object: UnsafeMutableRawPointer, _ change: Patch.Change
  ) {
    guard let property = property as? WritableKeyPath<Root, Value> else { return }
    let object = object.assumingMemoryBound(to: Root.self)
    withUnsafeMutablePointer(to: &object.pointee[keyPath: property]) {
      change(UnsafeMutableRawPointer($0))
    }
  }

  /// A property whose value, where it has one, an update changes; null takes it away, and where there is none, one is made.
  init<Root, Wrapped>(updatingOptional property: KeyPath<Root, Wrapped?> & Sendable) {
    guard property is WritableKeyPath<Root, Wrapped?> else {
      self.init(property, makeStep: nil, isUpdatedInside: true)
      return
    }
    self.init(
      property,
      makeStep: { slot in
        let patch = slot.assumingMemoryBound(to: Patch?.self).pointee
        return Patch.Step(
          apply: { object in
            guard let patch else { return Self.write(nil, property, object) }
            if var value = object.assumingMemoryBound(to: Root.self).pointee[keyPath: property] {
              withUnsafeMutablePointer(to: &value) { patch.apply(to: UnsafeMutableRawPointer($0)) }
              Self.write(value, property, object)
            } else {
              patch.withWhole? { whole in
                Self.write(whole.assumingMemoryBound(to: Wrapped.self).pointee, property, object)
              }
            }
          },
          keep: { object in
            let old = object.assumingMemoryBound(to: Root.self).pointee[keyPath: property]
            guard var value = old, let patch else { return { Self.write(old, property, $0) } }
            let restore = withUnsafePointer(to: value) { patch.keep(of: UnsafeRawPointer($0)) }
            return { object in
              withUnsafeMutablePointer(to: &value) { restore(UnsafeMutableRawPointer($0)) }
              Self.write(value, property, object)
            }
          },
          inside: { object in
            guard let patch else { return nil }
            guard let value = object.assumingMemoryBound(to: Root.self).pointee[keyPath: property]
            else { return (patch, nil) }
            return (patch, { body in withUnsafePointer(to: value) { body(UnsafeRawPointer($0)) } })
          })
      }, isUpdatedInside: true)
  }

  private init<Root, Value>(
    _ property: KeyPath<Root, Value> & Sendable,
    makeStep: (@Sendable (UnsafeRawPointer) -> Patch.Step)?, isUpdatedInside: Bool
  ) {
    self.makeStep = makeStep
    self.isUpdatedInside = isUpdatedInside
    offset = MemoryLayout<Root>.offset(of: property)
    withValue = { object, body in
      let object = object.assumingMemoryBound(to: Root.self)
      withUnsafePointer(to: object.pointee[keyPath: property]) { body(UnsafeRawPointer($0)) }
    }
  }

  /// A property that code reads where it has no offset.
  ///
  /// - Parameters:
  ///   - property: Tells the offset, and writes.
  ///   - read: Reads the same property.
  init<Root, Value>(
    _ property: KeyPath<Root, Value> & Sendable,
    read: @escaping @Sendable (UnsafeRawPointer, (UnsafeRawPointer) -> Void) -> Void
  ) {
    offset = MemoryLayout<Root>.offset(of: property)
    makeStep = Self.replacing(property)
    isUpdatedInside = false
    withValue = read
  }

  /// A value that code finds in the object; nothing where it finds none.
  init<Root, Value>(_ find: @escaping @Sendable (Root) -> Value?) {
    offset = nil
    makeStep = nil
    isUpdatedInside = false
    withValue = { object, body in
      guard let value = find(object.assumingMemoryBound(to: Root.self).pointee) else { return }
      withUnsafePointer(to: value) { body(UnsafeRawPointer($0)) }
    }
  }

  private init() {
    offset = nil
    makeStep = nil
    isUpdatedInside = false
    withValue = { _, _ in }
  }

  /// Reads nothing.
  static let none = PropertyAccess()
}
