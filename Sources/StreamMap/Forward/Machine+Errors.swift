// Errors, and the substitutes for values that did not come.
extension Machine {
  /// Rejects a token that the node does not take.
  // PERF: not inlined, and with as few arguments as possible, so that the caller keeps little for it.
  @inline(never)
  func reject(
    _ verdict: Verdict, _ kind: JSONKind, by node: UnsafePointer<PlanNode>,
    in slot: UnsafeMutableRawPointer
  ) -> Outcome {
    let (code, found) = verdict.error(of: kind)
    return reject(
      code, by: node, node.pointee.invalid,
      expected: plan.details[Int(node.pointee.detail)].expected,
      found: found, in: slot)
  }

  /// Records an error, with the severity that the action gives it, and takes the action.
  func reject(
    _ code: ErrorCode, by node: UnsafePointer<PlanNode>, _ action: PlanAction, expected: String?,
    found: String?, below steps: [JSONPath.Component]? = nil, in slot: UnsafeMutableRawPointer
  ) -> Outcome {
    if action.kind == .fail || action.isReported {
      note(
        code, action.severity, expected: expected, found: found, below: steps
      )
    }
    return substitute(action, node, in: slot)
  }

  /// Records an error at the current position.
  func note(
    _ code: ErrorCode, _ severity: MappingError.Severity, expected: String?, found: String? = nil,
    rule: String? = nil, underlying: [any Error] = [], inner: [ErrorLog.Entry] = [],
    below steps: [JSONPath.Component]? = nil
  ) {
    if errors.isFull(of: severity) {
      errors.omit(severity)
    } else {
      errors.add(
        ErrorLog.Entry(
          severity: severity, code: code, path: currentPath(missing: code == .missing, steps),
          target: targetPath(to: frames.count), address: address, expected: expected, found: found,
          underlying: underlying, inner: inner, rule: rule,
          visible: plan.hidesValues ? visible : nil))
    }
  }

  /// How much of the current paths may be shown: up to the outermost redacted field.
  private var visible: ErrorLog.Entry.Visible? {
    if plan.redactsRecord { return ErrorLog.Entry.Visible(path: 0, target: 0) }
    for index in 0..<frames.count {
      let frame = frames[index]
      switch frame.pointee.kind {
      case .object, .path, .pathEntry, .wholeObject:
        guard frame.pointee.field >= 0, plan.redacted[Int(frame.pointee.field)] else { continue }
        // The key of a collected member comes from the feed.
        let isCollected = frame.pointee.pending == Self.collected
        var path = path(to: isCollected ? index : index + 1)
        if frame.pointee.pending == -1 {
          path.components += plan.sources[Int(frame.pointee.field)].components
        }
        return ErrorLog.Entry.Visible(
          path: path.components.count, target: targetPath(to: index + 1).components.count)
      case .array, .dictionary, .target, .transform, .chosen: continue
      }
    }
    return nil
  }

  // MARK: Rules

  /// A value is made: decides whether it may stay.
  @inline(__always)
  func made(_ node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer) -> Outcome {
    node.pointee.checkCount == 0 ? .filled : checked(node, in: slot)
  }

  @inline(never)
  private func checked(_ node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer)
    -> Outcome
  {
    guard let failures = builder.failures(as: node, in: slot) else { return .filled }
    builder.discard(as: node, in: slot)
    return reject(failures, by: node, in: slot)
  }

  /// Rejects a value because of errors that the author's code threw for it: broken rules, or the error of a conversion.
  @inline(never)
  func reject(
    _ thrown: [any Error], by node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer
  ) -> Outcome {
    let action = node.pointee.invalid
    if action.kind == .fail || action.isReported {
      for error in thrown { note(error, action.severity, by: node) }
    }
    return substitute(action, node, in: slot)
  }

  /// Records an error that the author's code threw or reported.
  func note(
    _ error: any Error, _ severity: MappingError.Severity, by node: UnsafePointer<PlanNode>
  ) {
    let thrown = ThrownError(
      error, expected: plan.details[Int(node.pointee.detail)].expected, from: plan.source(of: node),
      hidesValues: plan.hidesValues)
    note(
      thrown.code, severity, expected: thrown.expected, found: thrown.found, rule: thrown.rule,
      underlying: thrown.underlying)
  }

  /// A value inside failed and reported it: applies the node's policy.
  ///
  /// Where the value only lacks what is absent, the node's policy for absent values applies.
  func fallBack(
    _ node: UnsafePointer<PlanNode>, after outcome: Outcome, errorsBefore: ErrorLog.Mark,
    in slot: UnsafeMutableRawPointer
  ) -> Outcome {
    var action = node.pointee.invalid
    if outcome.isLacking,
      node.pointee.absent.kind == .useNil || node.pointee.absent.kind == .substitute
    {
      action = node.pointee.absent
      if !action.isReported { errors.remove(from: errorsBefore) }
    }
    if action.kind == .fail { return outcome }
    errors.downgrade(from: errorsBefore)
    return substitute(action, node, in: slot)
  }

  func rejectCapture(
    _ overflow: Overflow, by node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer
  ) -> Outcome {
    reject(
      .limitExceeded, by: node, beyondLimit(node), expected: message(for: overflow),
      found: nil, in: slot)
  }

  /// What happens to a value that exceeds a limit: a formula must not take it for an absent one.
  func beyondLimit(_ node: UnsafePointer<PlanNode>) -> PlanAction {
    node.pointee.isOperand
      ? PlanAction(kind: .fail, isReported: false, substitute: -1) : node.pointee.invalid
  }

  /// The message for the limit that a recorded value exceeds.
  func message(for overflow: Overflow) -> String {
    switch overflow {
    case .size: Limits.message(.capturedValue, captureLimit)
    case .depth: JSONValue.depthMessage
    }
  }

  func substitute(
    _ action: PlanAction, _ node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer
  ) -> Outcome {
    switch action.kind {
    case .fail, .take, .leave, .contested: return .failed
    case .useNil:
      builder.storeNil(as: node, in: slot)
      return .filled
    case .substitute:
      builder.store(substitute: action.substitute, as: node, in: slot)
      return .filled
    }
  }

  /// Forgets the errors at and below a place (the current member of the innermost object) that belong to the fields
  /// there.
  ///
  /// Errors of other fields of the same part of the feed stay.
  func forgetErrors(of place: PlanPlace) {
    let owner = Int(max(frames.top.pointee.owner, 0))
    let start = frames[owner].pointee.errorsBefore
    guard errors.count > start.count else { return }
    let prefix = targetPath(to: owner)
    var targets: [JSONPath] = []
    var hasOperand = false
    for offset in 0..<place.subtreeFieldCount {
      let field = plan.placeFields[place.fieldStart + offset].pointee
      if nodes[Int(fields[Int(field)].node)].isOperand {
        hasOperand = true
      } else {
        targets.append(JSONPath(prefix.components + plan.targets[Int(field)].map { .key($0) }))
      }
    }
    let here = currentPath(missing: false)
    errors.removeAll(from: start, under: here) { entry in
      // A field that takes the whole object may have been given all of it already: what is after this key stays.
      guard entry.address.start <= address.start else { return false }
      // That the key came before stays true, although a field without a name of its own has the same target.
      if entry.code == .duplicateKey, entry.target == prefix, entry.path == here { return false }
      // A key that is not allowed there belongs to no field.
      if entry.code == .unknownKey, entry.target == prefix { return true }
      // What a formula reads has no target; all that can be wrong with it is a limit.
      if hasOperand, entry.code == .limitExceeded, entry.target == prefix { return true }
      let count = entry.target.components.count
      return targets.contains { $0.components.count <= count && entry.target.starts(with: $0) }
    }
  }

  /// Forgets the errors of one source of a field, because the field has its value from another source; its object ends.
  func forgetErrors(of other: Int32, for chosen: Int32) {
    let start = frames.top.pointee.errorsBefore
    guard errors.count > start.count else { return }
    let here = path(to: frames.count)
    let source = JSONPath(here.components + plan.sources[Int(other)].components)
    let kept = JSONPath(here.components + plan.sources[Int(chosen)].components)
    let target = JSONPath(
      targetPath(to: frames.count - 1).components + plan.targets[Int(other)].map { .key($0) })
    var isKnown = false
    errors.removeAll(from: start, under: here) { entry in
      guard entry.target.starts(with: target) else { return false }
      if entry.path.starts(with: source) { return true }
      guard source.starts(with: entry.path) else { return false }
      // A container is wrong only for the source that goes through it by steps of the other kind.
      if Self.isWrong(entry, for: source, butNot: kept) { return true }
      // The error is on the way to both sources: it is kept once.
      defer { isKnown = isKnown || kept.starts(with: entry.path) }
      return isKnown || !kept.starts(with: entry.path)
    }
  }

  /// Whether an error is about a container that one path goes through by steps of the other kind, and another path does not.
  private static func isWrong(
    _ entry: ErrorLog.Entry, for path: JSONPath, butNot other: JSONPath
  ) -> Bool {
    let depth = entry.path.components.count
    guard path.components.count > depth, other.components.count > depth else { return false }
    switch (path.components[depth], other.components[depth]) {
    case (.key, .index): return entry.found == JSONKind.array.phrase
    case (.index, .key): return entry.found == JSONKind.object.phrase
    case (.key, .key), (.index, .index): return false
    }
  }

  // MARK: Paths

  /// The place of the object that ends here, for errors that appear when its patch is used.
  var placeOfPatch: Patch.Origin {
    Patch.Origin(
      path: path(to: frames.count), target: targetPath(to: frames.count), position: address.position
    )
  }

  /// Where the machine is in the record; for a missing field, where the field would be.
  private func currentPath(missing: Bool, _ steps: [JSONPath.Component]? = nil) -> JSONPath {
    var path = path(to: frames.count)
    if let steps {
      path.components += steps
    } else if missing, frames.top.pointee.pending != Machine.absent, frames.top.pointee.field >= 0 {
      path.components += plan.sources[Int(frames.top.pointee.field)].components
    }
    return path
  }

  /// The path in the record of this many outermost frames.
  func path(to depth: Int) -> JSONPath {
    var components: [JSONPath.Component] = []
    for index in 0..<depth {
      let frame = frames[index]
      if frame.pointee.pending == Machine.absent, frame.pointee.field >= 0 {
        components += plan.sources[Int(frame.pointee.field)].components
        continue
      }
      switch frame.pointee.kind {
      case .object, .path:
        if frame.pointee.pending >= 0, let step = plan.steps[Int(frame.pointee.pending)] {
          components.append(frame.pointee.isArray ? .index(frame.pointee.index) : step)
        } else if frame.pointee.pending == Machine.collected {
          components.append(.key(String(decoding: key(of: frame), as: UTF8.self)))
        }
      case .array: components.append(.index(frame.pointee.index))
      case .dictionary: components.append(.key(String(decoding: key(of: frame), as: UTF8.self)))
      case .target, .pathEntry, .wholeObject, .transform, .chosen: break
      }
    }
    return JSONPath(components)
  }

  /// The path in the result of this many outermost frames.
  func targetPath(to depth: Int) -> JSONPath {
    var components: [JSONPath.Component] = []
    for index in 0..<depth {
      let frame = frames[index]
      switch frame.pointee.kind {
      case .object, .path, .pathEntry, .wholeObject:
        if frame.pointee.field >= 0 {
          components += plan.targets[Int(frame.pointee.field)].map { .key($0) }
        }
      case .array: components.append(.index(frame.pointee.index))
      case .dictionary: components.append(.key(String(decoding: key(of: frame), as: UTF8.self)))
      case .target, .transform, .chosen: break
      }
    }
    return JSONPath(components)
  }
}
