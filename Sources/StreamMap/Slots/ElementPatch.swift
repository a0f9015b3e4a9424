/// What an update does to the element of an array that has this identifier.
struct ElementPatch<ID: Sendable> {
  let id: ID
  let patch: Patch
}

/// An element of a document: its patch, and its identifier; nil if that is null.
struct ReadElement<ID: Sendable> {
  let id: ID?
  let patch: Patch
}

/// A property, compared by what it leads through.
struct PropertyIdentity: Sendable, Hashable {
  let property: AnyKeyPath & Sendable

  static func == (a: PropertyIdentity, b: PropertyIdentity) -> Bool {
    (a.property as AnyKeyPath) == (b.property as AnyKeyPath)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(property as AnyKeyPath) }
}

/// How an update merges the elements of a document into an array, without their type.
struct ElementMerge: Sendable {
  /// The property by which an element is found.
  let identifier: PropertyIdentity
  /// What makes a ``ReadElement`` of two fields, the identifier and the patch of the element.
  let element: ValueOperations
  /// What makes an array of these.
  let array: ValueOperations
  /// What makes the patch of the array, with its rules.
  let patch: @Sendable (_ rules: [@Sendable (UnsafeRawPointer) -> (any Error)?]) -> ValueOperations

  init<Element, ID: Hashable & Sendable>(by id: KeyPath<Element, ID> & Sendable) {
    identifier = PropertyIdentity(property: id)
    element = ObjectOperations<ReadElement<ID>>(
      make: { slots, offsets, slot, isOptional in
        var reader = SlotReader(slots: slots, offsets: offsets)
        let id = reader.take(ID?.self)
        Slot.store(
          ReadElement(id: id, patch: reader.take(Patch.self)), in: slot, isOptional: isOptional)
      }, fields: [])
    array = ArrayOperations<ReadElement<ID>>(access: .of(ReadElement<ID>.self))
    patch = { rules in
      TransformOperations<[ReadElement<ID>], Patch>(
        forward: { try Patch(merging: $0, by: id, rules) }, reverse: nil)
    }
  }
}

extension Patch {
  /// The patch of an array.
  ///
  /// - Parameters:
  ///   - read: The elements of the document.
  ///   - id: The property by which they are found.
  ///   - rules: The rules for the changed array; each returns its failure.
  /// - Throws: ``ConversionFailure`` if an element has no identifier, or two have the same one.
  fileprivate convenience init<Element, ID: Hashable & Sendable>(
    merging read: [ReadElement<ID>], by id: KeyPath<Element, ID> & Sendable,
    _ rules: [@Sendable (UnsafeRawPointer) -> (any Error)?]
  ) throws {
    var places: [ID: Int] = [:]
    let elements = try read.enumerated().map { place, element in
      guard let id = element.id else {
        throw ConversionFailure(expected: "elements with identifiers; that of [\(place)] is null")
      }
      if let other = places.updateValue(place, forKey: id) {
        throw ConversionFailure(
          expected:
            "elements with different identifiers; [\(other)] and [\(place)] have the same one")
      }
      return ElementPatch(id: id, patch: element.patch)
    }
    let merging = PropertyPatch(merging: elements, by: id)
    var made: [Element] = []
    let canBeMade = withUnsafeMutablePointer(to: &made) { made in
      let made = UnsafeMutableRawPointer(made)
      guard merging.missing(made) == nil else { return false }
      merging.apply(made)
      return true
    }
    let whole = made
    self.init(
      properties: [merging],
      withWhole: canBeMade
        ? { body in withUnsafePointer(to: whole) { body(UnsafeRawPointer($0)) } } : nil,
      type: typeName([Element].self),
      // A transform does not know its place. The first element does; without one there is nothing to report.
      origin: elements.first?.patch.origin.parent ?? .none,
      stages: rules.isEmpty || elements.isEmpty ? [] : [.rules(rules)])
  }
}

extension Patch.PropertyPatch {
  /// The part of a patch that is a whole array: its elements are changed where they are, and new ones come to its end.
  ///
  /// - Complexity: Each step is linear in both arrays, on average.
  fileprivate init<Element, ID: Hashable & Sendable>(
    merging elements: [ElementPatch<ID>], by id: KeyPath<Element, ID> & Sendable
  ) {
    // If several elements of the array have one identifier, the first one is changed.
    @Sendable func places(in array: [Element]) -> [ID: Int] {
      Dictionary(zip(array.map { $0[keyPath: id] }, array.indices)) { first, _ in first }
    }
    self.init(
      apply: { object in
        let array = object.assumingMemoryBound(to: [Element].self)
        let places = places(in: array.pointee)
        for element in elements {
          if let place = places[element.id] {
            withUnsafeMutablePointer(to: &array.pointee[place]) {
              element.patch.apply(to: UnsafeMutableRawPointer($0))
            }
          } else {
            element.patch.withWhole? {
              array.pointee.append($0.assumingMemoryBound(to: Element.self).pointee)
            }
          }
        }
      },
      keep: { object in
        let old = object.assumingMemoryBound(to: [Element].self).pointee
        let places = places(in: old)
        // Elements may be instances of a class, which stay the same ones.
        let restores = elements.compactMap { element in
          places[element.id].map { place in
            (place, withUnsafePointer(to: old[place]) { element.patch.keep(of: $0) })
          }
        }
        return { object in
          let array = object.assumingMemoryBound(to: [Element].self)
          array.pointee = old
          for (place, restore) in restores {
            withUnsafeMutablePointer(to: &array.pointee[place]) {
              restore(UnsafeMutableRawPointer($0))
            }
          }
        }
      },
      missing: { object in
        let array = object.assumingMemoryBound(to: [Element].self).pointee
        let places = places(in: array)
        for element in elements {
          let missing: Patch.Finding?
          if let place = places[element.id] {
            missing = withUnsafePointer(to: array[place]) { element.patch.missing(in: $0) }
          } else {
            missing = element.patch.missingWhole("no element has its identifier")
          }
          if let missing { return missing }
        }
        return nil
      },
      finish: { object in
        let array = object.assumingMemoryBound(to: [Element].self)
        let places = places(in: array.pointee)
        return elements.flatMap { element in
          guard let place = places[element.id] else { return [] as [Patch.Finding] }
          return withUnsafeMutablePointer(to: &array.pointee[place]) {
            element.patch.finish(UnsafeMutableRawPointer($0))
          }
        }
      })
  }
}
