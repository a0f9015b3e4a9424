/// Reads one property of objects in raw memory, for encoding, and changes it in updates.
struct PropertyAccess: Sendable {
  /// Where the value is in the object; nil if reading it takes code or goes through a reference.
  let offset: Int?
  /// The size and the alignment of the value there, in bytes.
  let size: Int
  let alignment: Int
  /// Calls `body` with the value.
  let withValue: @Sendable (_ object: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) -> Void
  /// Makes the step that writes a copy of the value in a slot, or applies the patch there; nil if the property is read-only.
  let makePropertyPatch: (@Sendable (_ slot: UnsafeRawPointer) -> Patch.PropertyPatch)?
  /// Whether an update changes the property's value inside, instead of replacing it.
  let isUpdatedInside: Bool

  init<Root, Value>(_ property: Property<Root, Value>) {
    self.init(property, makePropertyPatch: Self.replacing(property), isUpdatedInside: false)
  }

  private static func replacing<Root, Value>(_ property: Property<Root, Value>)
    -> (@Sendable (UnsafeRawPointer) -> Patch.PropertyPatch)?
  {
    guard property.isWritable else { return nil }
    return { slot in
      let value = slot.assumingMemoryBound(to: Value.self).pointee
      return Patch.PropertyPatch(
        apply: { property.write(value, to: &$0.assumingMemoryBound(to: Root.self).pointee) },
        keep: { object in
          let old = property.read(object.assumingMemoryBound(to: Root.self).pointee)
          return { property.write(old, to: &$0.assumingMemoryBound(to: Root.self).pointee) }
        })
    }
  }

  /// A property whose value an update changes; the property keeps the same object.
  init<Root, Value>(updating property: Property<Root, Value>) {
    guard property.isWritable else {
      self.init(property, makePropertyPatch: nil, isUpdatedInside: true)
      return
    }
    self.init(
      property,
      makePropertyPatch: { slot in
        let patch = slot.assumingMemoryBound(to: Patch.self).pointee
        return Patch.PropertyPatch(
          apply: { object in Self.change(property, object) { patch.apply(to: $0) } },
          keep: { object in
            let old = property.read(object.assumingMemoryBound(to: Root.self).pointee)
            let restore = withUnsafePointer(to: old) { patch.keep(of: UnsafeRawPointer($0)) }
            return { Self.change(property, $0, restore) }
          },
          missing: { object in
            let value = property.read(object.assumingMemoryBound(to: Root.self).pointee)
            return withUnsafePointer(to: value) { patch.missing(in: $0) }
          },
          finish: { object in Self.change(property, object) { patch.finish($0) } ?? [] })
      }, isUpdatedInside: true)
  }

  @discardableResult
  private static func change<Root, Value, Result>(
    _ property: Property<Root, Value>, _ object: UnsafeMutableRawPointer,
    _ change: (UnsafeMutableRawPointer) -> Result
  ) -> Result? {
    property.modify(&object.assumingMemoryBound(to: Root.self).pointee) { value in
      withUnsafeMutablePointer(to: &value) { change(UnsafeMutableRawPointer($0)) }
    }
  }

  /// A property whose value an update changes if there is one.
  ///
  /// Null removes the value; if there is none, one is made.
  init<Root, Wrapped>(updatingOptional property: Property<Root, Wrapped?>) {
    guard property.isWritable else {
      self.init(property, makePropertyPatch: nil, isUpdatedInside: true)
      return
    }
    @Sendable func write(_ value: Wrapped?, _ object: UnsafeMutableRawPointer) {
      property.write(value, to: &object.assumingMemoryBound(to: Root.self).pointee)
    }
    @Sendable func read(_ object: UnsafeRawPointer) -> Wrapped? {
      property.read(object.assumingMemoryBound(to: Root.self).pointee)
    }
    self.init(
      property,
      makePropertyPatch: { slot in
        let patch = slot.assumingMemoryBound(to: Patch?.self).pointee
        return Patch.PropertyPatch(
          apply: { object in
            guard let patch else { return write(nil, object) }
            if var value = read(object) {
              withUnsafeMutablePointer(to: &value) { patch.apply(to: UnsafeMutableRawPointer($0)) }
              write(value, object)
            } else {
              patch.withWhole? { write($0.assumingMemoryBound(to: Wrapped.self).pointee, object) }
            }
          },
          keep: { object in
            let old = read(object)
            guard var value = old, let patch else { return { write(old, $0) } }
            let restore = withUnsafePointer(to: value) { patch.keep(of: UnsafeRawPointer($0)) }
            return { object in
              withUnsafeMutablePointer(to: &value) { restore(UnsafeMutableRawPointer($0)) }
              write(value, object)
            }
          },
          missing: { object in
            guard let value = read(object) else {
              return patch?.missingWhole("there is none to update")
            }
            return patch.flatMap { patch in
              withUnsafePointer(to: value) { patch.missing(in: $0) }
            }
          },
          finish: { object in
            guard let patch, var value = read(object) else { return [] }
            let findings = withUnsafeMutablePointer(to: &value) {
              patch.finish(UnsafeMutableRawPointer($0))
            }
            write(value, object)
            return findings
          })
      }, isUpdatedInside: true)
  }

  private init<Root, Value>(
    _ property: Property<Root, Value>,
    makePropertyPatch: (@Sendable (UnsafeRawPointer) -> Patch.PropertyPatch)?, isUpdatedInside: Bool
  ) {
    self.makePropertyPatch = makePropertyPatch
    self.isUpdatedInside = isUpdatedInside
    offset = property.keyPath.flatMap { MemoryLayout<Root>.offset(of: $0) }
    size = MemoryLayout<Value>.size
    alignment = MemoryLayout<Value>.alignment
    // PERF: each closure knows which case it is.
    switch property {
    case .path(let path):
      withValue = { object, body in
        let object = object.assumingMemoryBound(to: Root.self)
        withUnsafePointer(to: object.pointee[keyPath: path]) { body(UnsafeRawPointer($0)) }
      }
    case .code(let get, _):
      withValue = { object, body in
        let object = object.assumingMemoryBound(to: Root.self)
        withUnsafePointer(to: get(object.pointee)) { body(UnsafeRawPointer($0)) }
      }
    }
  }

  /// A property that code reads if it has no offset.
  ///
  /// - Parameters:
  ///   - property: Gives the offset, and writes.
  ///   - read: Reads the same property.
  init<Root, Value>(
    _ property: KeyPath<Root, Value> & Sendable,
    read: @escaping @Sendable (UnsafeRawPointer, (UnsafeRawPointer) -> Void) -> Void
  ) {
    offset = MemoryLayout<Root>.offset(of: property)
    size = MemoryLayout<Value>.size
    alignment = MemoryLayout<Value>.alignment
    makePropertyPatch = Self.replacing(.path(property))
    isUpdatedInside = false
    withValue = read
  }

  /// A value that code finds in the object; there may be none.
  init<Root, Value>(_ find: @escaping @Sendable (Root) -> Value?) {
    offset = nil
    size = MemoryLayout<Value>.size
    alignment = MemoryLayout<Value>.alignment
    makePropertyPatch = nil
    isUpdatedInside = false
    withValue = { object, body in
      guard let value = find(object.assumingMemoryBound(to: Root.self).pointee) else { return }
      withUnsafePointer(to: value) { body(UnsafeRawPointer($0)) }
    }
  }

  private init() {
    offset = nil
    size = 0
    alignment = 1
    makePropertyPatch = nil
    isUpdatedInside = false
    withValue = { _, _ in }
  }

  /// Reads nothing.
  static let none = PropertyAccess()
}

extension PropertyAccess {
  /// Whether properties are laid out one after the other from an object's first byte to its last one, as Swift lays out the stored
  /// properties of a struct: then nothing else is stored after, before or between them but what fits where alignment leaves room.
  static func fill(_ size: Int, with properties: [PropertyAccess]) -> Bool {
    var end = 0
    let known = properties.compactMap { property in property.offset.map { ($0, property) } }
    for (offset, property) in known.sorted(by: { $0.0 < $1.0 }) {
      let next = (end + property.alignment - 1) / property.alignment * property.alignment
      guard offset == next else { return false }
      end = offset + property.size
    }
    return known.count == properties.count && end == size
  }
}
