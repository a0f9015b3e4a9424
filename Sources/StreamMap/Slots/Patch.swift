/// What an update does to an object: checked and made in advance, so that applying it cannot fail half way.
///
/// Only rules that compare properties with each other need what the object holds besides: they are asked when it is changed,
/// and where one is broken, all is put back.
final class Patch {
  /// Where in the document the patch comes from, for errors.
  struct Place {
    let path: JSONPath
    let target: JSONPath
    let position: SourcePosition?
  }

  /// What is wrong with a patch for an object.
  struct Failure {
    let place: Place
    /// What is missing where the object has nothing to update; nil where a rule is broken.
    let missing: String?
    let rule: (any Error)?
  }

  typealias Change = (_ object: UnsafeMutableRawPointer) -> Void

  /// The part of it that is about one property.
  struct Step {
    let apply: Change
    /// Keeps what the property of an object holds; what puts it back.
    let keep: (_ object: UnsafeRawPointer) -> Change
    /// The patch of what the property holds, with that, where an update changes it.
    let inside: (_ object: UnsafeRawPointer) -> (patch: Patch, value: WithValue?)?

    init(
      apply: @escaping Change, keep: @escaping (UnsafeRawPointer) -> Change,
      inside: @escaping (UnsafeRawPointer) -> (patch: Patch, value: WithValue?)? = { _ in nil }
    ) {
      self.apply = apply
      self.keep = keep
      self.inside = inside
    }
  }

  /// Gives a value; nil instead of it stands for none.
  typealias WithValue = (_ body: (UnsafeRawPointer) -> Void) -> Void

  let steps: [Step]
  /// Makes the whole object, where all that it needs was there: `body` is given it.
  let withWhole: WithValue?
  /// The type of the object.
  let type: String
  private let place: Place
  private let rules: [@Sendable (UnsafeRawPointer) -> (any Error)?]

  init(
    steps: [Step], withWhole: WithValue?, type: String, place: Place,
    rules: [@Sendable (UnsafeRawPointer) -> (any Error)?]
  ) {
    self.steps = steps
    self.withWhole = withWhole
    self.type = type
    self.place = place
    self.rules = rules
  }

  /// What is missing for the patch to be applied.
  func missing(in object: UnsafeRawPointer) -> Failure? {
    for step in steps {
      guard let (patch, value) = step.inside(object) else { continue }
      var failure: Failure?
      if let value {
        value { failure = patch.missing(in: $0) }
      } else if patch.withWhole == nil {
        failure = Failure(
          place: patch.place,
          missing: "all that a new \(patch.type) needs (there is none to update)", rule: nil)
      }
      if let failure { return failure }
    }
    return nil
  }

  func apply(to object: UnsafeMutableRawPointer) {
    for step in steps { step.apply(object) }
  }

  /// Keeps what the patch changes in an object; what puts that back.
  func keep(of object: UnsafeRawPointer) -> Change {
    let changes = steps.map { $0.keep(object) }
    return { object in for change in changes { change(object) } }
  }

  /// The rules that an object breaks to which the patch was applied.
  func brokenRules(in object: UnsafeRawPointer) -> [Failure] {
    var failures: [Failure] = []
    for step in steps {
      guard let (patch, value) = step.inside(object) else { continue }
      value? { failures += patch.brokenRules(in: $0) }
    }
    return failures
      + rules.compactMap { $0(object) }.map { Failure(place: place, missing: nil, rule: $0) }
  }
}

/// Makes patches of the objects that another mapping makes.
final class PatchOperations<Root>: TypedOperations<Patch>, @unchecked Sendable {
  private let make: ObjectOperations<Root>.Make
  private let fields: [PropertyAccess]
  private let rules: [@Sendable (UnsafeRawPointer) -> (any Error)?]

  init(
    isOptional: Bool = false, make: @escaping ObjectOperations<Root>.Make, fields: [PropertyAccess],
    rules: [@Sendable (UnsafeRawPointer) -> (any Error)?]
  ) {
    self.make = make
    self.fields = fields
    self.rules = rules
    super.init(isOptional: isOptional)
  }

  override func optional() -> ValueOperations {
    PatchOperations(isOptional: true, make: make, fields: fields, rules: rules)
  }

  override func makePatch(
    _ slots: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>,
    states: UnsafeMutablePointer<UInt8>, at place: Patch.Place,
    into slot: UnsafeMutableRawPointer
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
    var withWhole: Patch.WithValue?
    if isWhole {
      let memory = UnsafeMutablePointer<Root>.allocate(capacity: 1)
      make(slots, offsets, UnsafeMutableRawPointer(memory), false)
      for index in fields.indices { states[index] = SlotState.unset }
      let whole = memory.move()
      memory.deallocate()
      withWhole = { body in withUnsafePointer(to: whole) { body(UnsafeRawPointer($0)) } }
    }
    store(
      Patch(
        steps: steps, withWhole: withWhole, type: typeName(Root.self), place: place, rules: rules),
      in: slot)
  }
}

/// Whether a slot holds a value.
enum SlotState {
  static let unset: UInt8 = 0
  static let filled: UInt8 = 1
  static let failed: UInt8 = 2
  /// Of a patch: it holds what stands in for a value that was not there, which is not written.
  static let standsIn: UInt8 = 3
  /// It holds none, for what it is made of is absent.
  static let absent: UInt8 = 4
}
