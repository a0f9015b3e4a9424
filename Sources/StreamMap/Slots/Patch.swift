/// The changes that an update makes to an object: checked and made in advance, so that applying them cannot fail half way.
///
/// Two things need the object's other properties: rules that compare properties with each other, and functions on the
/// finished object. They run when the object is changed; if one of them fails, everything is restored.
final class Patch {
  /// Where in the document the patch comes from, for errors.
  struct Origin {
    let path: JSONPath
    let target: JSONPath
    let position: SourcePosition?

    static let none = Origin(path: JSONPath(), target: JSONPath(), position: nil)

    /// The place of the array whose element is here.
    ///
    /// Its position is that of the element.
    var parent: Origin {
      Origin(
        path: JSONPath(path.components.dropLast()), target: JSONPath(target.components.dropLast()),
        position: position)
    }
  }

  /// What has to be reported about a patch and the object that it is applied to.
  struct Finding {
    let origin: Origin
    /// A fatal finding forbids the update.
    let severity: MappingError.Severity
    let cause: Cause

    enum Cause {
      /// What a new object would need, because there is none to update.
      case missing(String)
      /// A rule that is broken, or an error that a function on the finished object threw or reported.
      case thrown(any Error, expected: String)
    }
  }

  /// What happens to the changed object, in this order.
  enum Stage {
    /// Rules are checked; each returns its failure.
    case rules([@Sendable (UnsafeRawPointer) -> (any Error)?])
    /// A function of the mapping's author changes it.
    case process(expected: String, (UnsafeMutableRawPointer, inout ValueIssues) throws -> Void)
  }

  /// Changes a finished value; it also receives the JSON of the value, and may report issues.
  typealias Process =
    @Sendable (
      _ json: UnsafeRawPointer, _ value: UnsafeMutableRawPointer, _ issues: inout ValueIssues
    ) throws -> Void

  typealias Change = (_ object: UnsafeMutableRawPointer) -> Void

  /// The part of the patch that is about one property.
  struct PropertyPatch {
    let apply: Change
    /// Saves the value of an object's property; returns the change that restores it.
    let keep: (_ object: UnsafeRawPointer) -> Change
    /// What the property's value lacks for a change inside it.
    let missing: (_ object: UnsafeRawPointer) -> Finding?
    /// Applies the stages to the property's value.
    let finish: (_ object: UnsafeMutableRawPointer) -> [Finding]

    init(
      apply: @escaping Change, keep: @escaping (UnsafeRawPointer) -> Change,
      missing: @escaping (UnsafeRawPointer) -> Finding? = { _ in nil },
      finish: @escaping (UnsafeMutableRawPointer) -> [Finding] = { _ in [] }
    ) {
      self.apply = apply
      self.keep = keep
      self.missing = missing
      self.finish = finish
    }
  }

  /// Passes a value to `body`; where this function itself is nil, there is no value.
  typealias WithValue = (_ body: (UnsafeRawPointer) -> Void) -> Void

  let properties: [PropertyPatch]
  /// Makes the whole object, if everything that it needs was there, and passes it to `body`.
  let withWhole: WithValue?
  /// The type of the object.
  let type: String
  let origin: Origin
  private let stages: [Stage]

  init(
    properties: [PropertyPatch], withWhole: WithValue?, type: String, origin: Origin,
    stages: [Stage]
  ) {
    self.properties = properties
    self.withWhole = withWhole
    self.type = type
    self.origin = origin
    self.stages = stages
  }

  /// A patch that changes nothing.
  static func empty(_ type: String) -> Patch {
    Patch(
      properties: [], withWhole: nil, type: type, origin: .none, stages: [])
  }

  /// A function of the JSON and the finished value, without their types.
  static func process<JSON, Value>(
    _ change: @escaping @Sendable (JSON, Value, inout ValueIssues) throws -> Value
  ) -> Process {
    { json, value, issues in
      let value = value.assumingMemoryBound(to: Value.self)
      value.pointee = try change(
        json.assumingMemoryBound(to: JSON.self).pointee, value.pointee, &issues)
    }
  }

  /// The patch with one more stage.
  func followed(by stage: Stage) -> Patch {
    Patch(
      properties: properties, withWhole: withWhole, type: type, origin: origin,
      stages: stages + [stage])
  }

  /// What is missing to apply the patch.
  func missing(in object: UnsafeRawPointer) -> Finding? {
    for property in properties {
      if let missing = property.missing(object) { return missing }
    }
    return nil
  }

  /// What is missing where there is nothing to apply the patch to, which has this reason.
  func missingWhole(_ reason: String) -> Finding? {
    guard withWhole == nil else { return nil }
    return Finding(
      origin: origin, severity: .fatal,
      cause: .missing("all that a new \(type) needs (\(reason))"))
  }

  func apply(to object: UnsafeMutableRawPointer) {
    for property in properties { property.apply(object) }
  }

  /// Saves what the patch changes in an object; returns the change that restores it.
  func keep(of object: UnsafeRawPointer) -> Change {
    let changes = properties.map { $0.keep(object) }
    return { object in for change in changes { change(object) } }
  }

  /// Applies the stages to an object to which the patch was applied, the values inside first; returns what has to be
  /// reported about it.
  func finish(_ object: UnsafeMutableRawPointer) -> [Finding] {
    var findings = properties.flatMap { $0.finish(object) }
    func add(_ errors: [any Error], _ severity: MappingError.Severity, _ expected: String) {
      findings += errors.map {
        Finding(origin: origin, severity: severity, cause: .thrown($0, expected: expected))
      }
    }
    for stage in stages {
      switch stage {
      case .rules(let rules):
        add(rules.compactMap { $0(UnsafeRawPointer(object)) }, .fatal, type)
      case .process(let expected, let process):
        // As in decoding: the function receives no value that breaks a rule.
        if findings.contains(where: { $0.severity == .fatal }) { return findings }
        var issues = ValueIssues([])
        var thrown: [any Error] = []
        do { try process(object, &issues) } catch { thrown = [error] }
        add(issues.reported, .issue, expected)
        add(thrown, .fatal, expected)
      }
    }
    return findings
  }
}

/// Makes patches for the objects that another mapping makes.
final class PatchOperations<Root>: TypedOperations<Patch>, @unchecked Sendable {
  /// Nil if there is always an object to change.
  private let makeWhole: ObjectOperations<Root>.Make?
  private let fields: [PropertyAccess]
  private let rules: [@Sendable (UnsafeRawPointer) -> (any Error)?]

  init(
    isOptional: Bool = false, makeWhole: ObjectOperations<Root>.Make?, fields: [PropertyAccess],
    rules: [@Sendable (UnsafeRawPointer) -> (any Error)?]
  ) {
    self.makeWhole = makeWhole
    self.fields = fields
    self.rules = rules
    super.init(isOptional: isOptional)
  }

  override func optional() -> ValueOperations {
    PatchOperations(isOptional: true, makeWhole: makeWhole, fields: fields, rules: rules)
  }

  override func makePatch(
    _ slots: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>,
    states: UnsafeMutablePointer<UInt8>, at origin: Patch.Origin,
    into slot: UnsafeMutableRawPointer
  ) {
    var properties: [Patch.PropertyPatch] = []
    var isWhole = true
    for (index, field) in fields.enumerated() {
      if states[index] == SlotState.filled, let makePropertyPatch = field.makePropertyPatch {
        properties.append(makePropertyPatch(slots + offsets[index]))
      }
      // A field that is itself a patch does not hold a whole value.
      if states[index] == SlotState.unset || field.isUpdatedInside { isWhole = false }
    }
    var withWhole: Patch.WithValue?
    if isWhole, let makeWhole {
      let memory = UnsafeMutablePointer<Root>.allocate(capacity: 1)
      makeWhole(slots, offsets, UnsafeMutableRawPointer(memory), false)
      for index in fields.indices { states[index] = SlotState.unset }
      let whole = memory.move()
      memory.deallocate()
      withWhole = { body in withUnsafePointer(to: whole) { body(UnsafeRawPointer($0)) } }
    }
    store(
      Patch(
        properties: properties, withWhole: withWhole, type: typeName(Root.self), origin: origin,
        stages: rules.isEmpty ? [] : [.rules(rules)]),
      in: slot)
  }
}

extension ObjectOperations<Patch> {
  /// Operations on a patch made from two fields: the JSON of the update, and the patch before a function on the
  /// finished value.
  static func processed<JSON: Sendable>(
    by process: @escaping Patch.Process, expected: String, _: JSON.Type,
    then rules: [@Sendable (UnsafeRawPointer) -> (any Error)?], ofOptional takesOptional: Bool
  ) -> ObjectOperations<Patch> {
    ObjectOperations(
      make: { slots, offsets, slot, isOptional in
        var reader = SlotReader(slots: slots, offsets: offsets)
        let json = reader.take(JSON.self)
        let stage = Patch.Stage.process(expected: expected) { object, issues in
          try withUnsafePointer(to: json) { try process(UnsafeRawPointer($0), object, &issues) }
        }
        let patch = takesOptional ? reader.take(Patch?.self) : reader.take(Patch.self)
        let processed = (patch ?? .empty("object")).followed(by: stage)
        Slot.store(
          rules.isEmpty ? processed : processed.followed(by: .rules(rules)), in: slot,
          isOptional: isOptional)
      }, fields: [])
  }
}

/// Whether a slot holds a value.
enum SlotState {
  static let unset: UInt8 = 0
  static let filled: UInt8 = 1
  static let failed: UInt8 = 2
  /// For a patch: the slot holds a substitute for an absent value; it is not written.
  static let standsIn: UInt8 = 3
  /// For a field with several sources: added to another state, it says that the state is because of a null.
  static let ofNull: UInt8 = 4
  /// The slot holds no value, because its source is absent.
  static let absent: UInt8 = 8
  /// The slot holds no value, because a condition leaves it out.
  static let omitted: UInt8 = 16
}
