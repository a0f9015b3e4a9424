/// What an update does to an object: checked and made in advance, so that applying it cannot fail half way.
final class Patch {
  /// The part of it that is about one property.
  struct Step {
    /// What is missing where the object has nothing to update; nil where the step can be done.
    let missing: (_ object: UnsafeRawPointer) -> String?
    let apply: (_ object: UnsafeMutableRawPointer) -> Void

    init(
      missing: @escaping (UnsafeRawPointer) -> String? = { _ in nil },
      apply: @escaping (UnsafeMutableRawPointer) -> Void
    ) {
      self.missing = missing
      self.apply = apply
    }
  }

  let steps: [Step]
  /// Makes the whole object, where all that it needs was there: `body` is given it.
  let withWhole: ((_ body: (UnsafeRawPointer) -> Void) -> Void)?

  init(steps: [Step], withWhole: ((_ body: (UnsafeRawPointer) -> Void) -> Void)?) {
    self.steps = steps
    self.withWhole = withWhole
  }

  /// What is missing for the patch to be applied.
  func missing(in object: UnsafeRawPointer) -> String? {
    for step in steps { if let missing = step.missing(object) { return missing } }
    return nil
  }

  func apply(to object: UnsafeMutableRawPointer) {
    for step in steps { step.apply(object) }
  }
}

/// Makes patches of the objects that another mapping makes.
final class PatchOperations<Root>: TypedOperations<Patch>, @unchecked Sendable {
  private let make: ObjectOperations<Root>.Make
  private let fields: [PropertyAccess]

  init(
    isOptional: Bool = false, make: @escaping ObjectOperations<Root>.Make, fields: [PropertyAccess]
  ) {
    self.make = make
    self.fields = fields
    super.init(isOptional: isOptional)
  }

  override func optional() -> ValueOperations {
    PatchOperations(isOptional: true, make: make, fields: fields)
  }

  override func makePatch(
    _ slots: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>,
    states: UnsafeMutablePointer<UInt8>, into slot: UnsafeMutableRawPointer
  ) {
    var steps: [Patch.Step] = []
    var isWhole = true
    for (index, field) in fields.enumerated() {
      if states[index] == SlotState.filled, let makeStep = field.makeStep {
        steps.append(makeStep(slots + offsets[index]))
      }
      // What is patched itself is no whole value.
      if states[index] == SlotState.unset || field.isUpdatedInside { isWhole = false }
    }
    var withWhole: ((_ body: (UnsafeRawPointer) -> Void) -> Void)?
    if isWhole {
      let memory = UnsafeMutablePointer<Root>.allocate(capacity: 1)
      make(slots, offsets, UnsafeMutableRawPointer(memory), false)
      for index in fields.indices { states[index] = SlotState.unset }
      let whole = memory.move()
      memory.deallocate()
      withWhole = { body in withUnsafePointer(to: whole) { body(UnsafeRawPointer($0)) } }
    }
    store(Patch(steps: steps, withWhole: withWhole), in: slot)
  }
}

/// Whether a slot holds a value.
enum SlotState {
  static let unset: UInt8 = 0
  static let filled: UInt8 = 1
  static let failed: UInt8 = 2
  /// Of a patch: it holds what stands in for a value that was not there, which is not written.
  static let standsIn: UInt8 = 3
}
