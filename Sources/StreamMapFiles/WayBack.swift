import StreamMap

/// Turns a mapping round: the way from a source to a record becomes a mapping from records to sources.
///
/// Fields without a way back are collected, so that all are reported at once.
struct WayBack {
  /// A part of a mapping without a way back, and why.
  struct Problem: Hashable {
    /// The field, as a path of the result.
    let field: String
    let reason: String
  }

  private(set) var problems: [Problem] = []

  /// The members of a source, as far as fields say what is in them.
  private struct Members {
    /// What is there, and the path in the mapped record that it comes from.
    var value: (path: [String], value: ValueSpec)?
    var inside: [(key: String, members: Members)] = []

    enum Outcome {
      case set
      /// Another field gives it back.
      case known
      /// Another field gives back a part of it, or more.
      case overlaps
    }

    /// Puts a value where a path leads; the places on it are made.
    mutating func set(
      _ value: (path: [String], value: ValueSpec), at path: ArraySlice<String>
    ) -> Outcome {
      guard let key = path.first else {
        if !inside.isEmpty { return .overlaps }
        if self.value != nil { return .known }
        self.value = value
        return .set
      }
      if self.value != nil { return .overlaps }
      let index = inside.firstIndex { $0.key == key } ?? inside.count
      if index == inside.count { inside.append((key, Members())) }
      return inside[index].members.set(value, at: path.dropFirst())
    }
  }

  // MARK: Records

  /// The mapping of the other direction; of no use if there are problems.
  mutating func reversed(_ spec: MappingSpec) -> MappingSpec {
    var reversed = MappingSpec()
    reversed.name = spec.name
    reversed.limits = spec.limits
    let omitsNulls = spec.output.omitsNulls
    if spec.output.arrays.exploded != .none {
      refuse(
        [], "'arrays: explode' makes rows of it, and a row does not say which others it belongs to")
    }
    if spec.output.arrays.joint != nil {
      refuse(
        [],
        "'arrays: { joined }' makes texts of arrays, and a text does not say what its elements were"
      )
    }
    if let value = spec.value {
      reversed.value = back(value, [], omitsNulls)
      return reversed
    }
    let (members, rest) = members(of: spec.record, omitsNulls)
    if let whole = members.value {
      if spec.record.rest != nil { refuse([], "a field has the whole record, and the others, too") }
      reversed.value = Self.inside(whole.path, whole.value)
    } else {
      reversed.record = ObjectSpec(fields: Self.fields(of: members))
      reversed.record.rest = rest
      if spec.record.own != nil { reversed.record.own = OwnRecord(reversed.record) }
    }
    return reversed
  }

  /// What is in the source of an object, and what of its record is kept besides.
  private mutating func members(of object: ObjectSpec, _ omitsNulls: Bool, _ path: [String] = [])
    -> (Members, RestSpec?)
  {
    var members = Members()
    var fixed: [String] = []
    collect(object, from: [], path, omitsNulls, &members, &fixed)
    let rest = object.rest.map { _ in
      RestSpec(except: fixed.map { JSONPath([.key($0)]).description })
    }
    return (members, rest)
  }

  /// Puts what the fields of an object have where it comes from; notes the names of fields that come from nowhere, or whose value
  /// another one gives back, and tells whether there are others.
  @discardableResult
  private mutating func collect(
    _ object: ObjectSpec, from start: [String], _ path: [String], _ omitsNulls: Bool,
    _ members: inout Members, _ fixed: inout [String]
  ) -> Bool {
    var givesBack = false
    for field in object.fields {
      let here = path + [field.name]
      switch field.source {
      // They come from nowhere in the source.
      case .constant, .fact, .step, .context, .ofContext: fixed.append(field.name)
      case .unknownKeys: refuse(here, "the members that it collects have no place of their own")
      case .calculated: refuse(here, "a calculated value does not say what it was made from")
      case .cases: refuse(here, "it is not known which case a value came from")
      case .path(let text, let value):
        guard let (keys, value) = place(text, value, here) else { continue }
        if case .object(let inner) = value.kind, value.policy == .required, inner.rest == nil,
          inner.own == nil
        {
          var others: [String] = []
          if collect(inner, from: start + keys, here, omitsNulls, &members, &others) {
            givesBack = true
          } else {
            fixed.append(field.name)
          }
          continue
        }
        guard let back = back(value, here, omitsNulls) else { continue }
        switch members.set((here, back), at: (start + keys)[...]) {
        case .set: givesBack = true
        case .known: fixed.append(field.name)
        case .overlaps: refuse(here, "another field has a part of what it has, or more")
        }
      }
    }
    return givesBack
  }

  /// Where a field's value is in the source; of several places the first one.
  private mutating func place(_ text: String, _ value: ValueSpec, _ path: [String])
    -> ([String], ValueSpec)?
  {
    var value = value
    var text = text
    switch value.kind {
    case .firstOf(let alternatives):
      let first = alternatives.first
      guard case .inside(let inner, let found, _)? = first?.kind,
        alternatives.allSatisfy({ other in
          if case .inside(_, let value, _) = other.kind { value == found } else { false }
        })
      else {
        refuse(path, "it is not known which alternative of first_of a value came from")
        return nil
      }
      text = inner
      value.kind = found.kind
      if value.policy == .required { value.policy = found.policy }
    case .scalar, .object, .ownRecord, .array, .dictionary, .inside, .composed, .dispatch, .made,
      .shaped, .joinedElements, .count:
      break
    }
    guard let keys = keys(of: text, path) else { return nil }
    return (keys, value)
  }

  /// The keys of a path; nil if it leads through an array.
  private mutating func keys(of text: String, _ path: [String]) -> [String]? {
    var keys: [String] = []
    for step in (try? PathPattern(parsing: text))?.steps ?? [] {
      guard case .key(let key) = step else {
        refuse(path, "it is one element of an array whose other elements are not known")
        return nil
      }
      keys.append(key)
    }
    return keys
  }

  private mutating func refuse(_ path: [String], _ reason: String) {
    problems.append(
      Problem(field: path.isEmpty ? "the record" : path.joined(separator: "."), reason: reason))
  }

  // MARK: Building

  private static func fields(of members: Members) -> [FieldSpec] {
    members.inside.map { key, members in
      if let (path, value) = members.value {
        return FieldSpec(name: key, source: .path(text(path), value))
      }
      let object = ValueSpec(.object(ObjectSpec(fields: fields(of: members))))
      return FieldSpec(name: key, source: .path("$", object))
    }
  }

  private static func text(_ path: [String]) -> String {
    JSONPath(path.map { .key($0) }).description
  }

  private static func inside(_ path: [String], _ value: ValueSpec) -> ValueSpec {
    path.isEmpty ? value : ValueSpec(.inside(text(path), value, .last))
  }

  // MARK: Values

  private mutating func back(_ value: ValueSpec, _ path: [String], _ omitsNulls: Bool) -> ValueSpec?
  {
    let kind: ValueSpec.Kind?
    switch value.kind {
    case .scalar(let scalar): kind = back(scalar, path).map { .scalar($0) }
    case .object(let object): kind = back(object, path, omitsNulls)
    case .ownRecord: kind = .ownRecord
    case .array(let element, _):
      kind = back(element, path + ["[*]"], omitsNulls).map { .array(of: $0, omitsInvalid: false) }
    case .dictionary(let member, _):
      kind = back(member, path + ["*"], omitsNulls).map { .dictionary(of: $0, .last) }
    case .inside(let text, let inner, _):
      guard let keys = keys(of: text, path), let inner = back(inner, path, omitsNulls) else {
        return nil
      }
      var members = Members()
      _ = members.set(([], inner), at: keys[...])
      kind = .object(ObjectSpec(fields: Self.fields(of: members)))
    case .shaped(let shape, let then): kind = back(shape, then, path, omitsNulls)
    case .joinedElements(let array, let separator):
      kind = back(joined: array, separator, path, omitsNulls)
    case .firstOf:
      refuse(path, "it is not known which alternative of first_of a value came from")
      return nil
    case .composed:
      refuse(path, "it is not known where joined texts begin and end")
      return nil
    case .dispatch:
      refuse(path, "it is not known which case a value came from")
      return nil
    case .made:
      refuse(path, "a calculated value does not say what it was made from")
      return nil
    case .count:
      refuse(path, "elements cannot be made from their number")
      return nil
    }
    guard let kind else { return nil }
    var back = ValueSpec(kind)
    back.isRedacted = value.isRedacted
    switch value.policy {
    case .nullable, .default(.null), .optionally(.null): back.policy = .nullable
    // Its null was left out.
    case .required where omitsNulls && value.takesNull: back.policy = .nullable
    case .required, .default, .optionally: break
    }
    return back
  }

  private mutating func back(_ object: ObjectSpec, _ path: [String], _ omitsNulls: Bool)
    -> ValueSpec.Kind?
  {
    let count = problems.count
    // Paths are relative to the object.
    var inner = WayBack()
    let (members, rest) = inner.members(of: object, omitsNulls)
    problems += inner.problems.map {
      Problem(field: (path + [$0.field]).joined(separator: "."), reason: $0.reason)
    }
    if problems.count > count { return nil }
    if let whole = members.value {
      if object.rest == nil, object.own == nil { return Self.inside(whole.path, whole.value).kind }
      refuse(path, "a field has the whole object, and the others, too")
      return nil
    }
    var reversed = ObjectSpec(fields: Self.fields(of: members))
    reversed.rest = rest
    if object.own != nil { reversed.own = OwnRecord(reversed) }
    return .object(reversed)
  }

  private mutating func back(
    _ shape: ShapeSpec, _ then: ValueSpec, _ path: [String], _ omitsNulls: Bool
  ) -> ValueSpec.Kind? {
    switch shape {
    case .split(let separator, let text):
      guard text.text.isEmpty, text.otherwise == nil else {
        refuse(path, "its text is changed one way")
        return nil
      }
      return back(then, path, omitsNulls).map { .joinedElements($0, separator: separator) }
    case .json:
      refuse(path, "JSON cannot be written into a string")
    case .row:
      refuse(path, "the columns of a table do not say what was looked up")
    case .query:
      refuse(path, "the query of a URL cannot be written from its values")
    case .groups:
      refuse(path, "a text cannot be made from some of its parts")
    case .entries(let key, let value, _):
      if case .array(let element, _) = then.kind, element.kind == .scalar(ScalarSpec(.json)) {
        let members = ValueSpec(.dictionary(of: ValueSpec(.scalar(ScalarSpec(.json))), .last))
        return .shaped(.fromEntries(key: key, value: value), members)
      }
      refuse(path, "entries that are mapped further cannot be put together again")
    case .fromEntries(let key, let value):
      if case .dictionary(let member, _) = then.kind, member.kind == .scalar(ScalarSpec(.json)) {
        let elements = ValueSpec(
          .array(of: ValueSpec(.scalar(ScalarSpec(.json))), omitsInvalid: false))
        return .shaped(.entries(key: key, value: value, .last), elements)
      }
      refuse(path, "members that are mapped further cannot be taken apart again")
    case .unwrapped:
      refuse(path, "it is not known what its values were wrapped in")
    case .zip:
      refuse(path, "lists that were joined cannot be taken apart again")
    case .selected:
      refuse(path, "it is not known where the values that its path selects were")
    case .list:
      refuse(path, "a list cannot be made from what its steps left of it")
    }
    return nil
  }

  private mutating func back(
    joined array: ValueSpec, _ separator: String, _ path: [String], _ omitsNulls: Bool
  ) -> ValueSpec.Kind? {
    if separator.isEmpty {
      refuse(path, "without a separator it is not known where joined texts begin and end")
      return nil
    }
    return back(array, path, omitsNulls).map {
      .shaped(.split(separator, of: ScalarSpec(.scalar(.string))), $0.readingTexts())
    }
  }

  // MARK: Scalars

  private mutating func back(_ scalar: ScalarSpec, _ path: [String]) -> ScalarSpec? {
    guard scalar.text.isEmpty else {
      refuse(path, "what was done with its text cannot be undone (text, extract, lookup)")
      return nil
    }
    guard scalar.units == nil else {
      refuse(path, "the units of its numbers are not known any more")
      return nil
    }
    guard scalar.otherwise == nil else {
      refuse(path, "otherwise stands for texts that are not known any more")
      return nil
    }
    switch scalar.type {
    case .enum: return back(table: scalar, path)
    case .scalar(.date): return back(date: scalar, path)
    default: break
    }
    guard let change = scalar.decimal else { return ScalarSpec(scalar.type) }
    guard let inverted = change.inverted else {
      refuse(path, "it is rounded, or scaled by a number that cannot be divided by exactly")
      return nil
    }
    var back = ScalarSpec(.scalar(.number))
    back.decimal = inverted
    return back
  }

  private mutating func back(table scalar: ScalarSpec, _ path: [String]) -> ScalarSpec? {
    var back = ScalarSpec(.enum)
    var texts: Set<ExactText> = []
    for one in scalar.values {
      guard let text = one.target.scalarText, texts.insert(ExactText(text)).inserted else {
        refuse(path, "two texts of its table become the same, or one becomes null")
        return nil
      }
      switch one.target {
      case .number: back.coercions.insert(.number)
      case .bool: back.coercions.insert(.bool)
      default: break
      }
      back.values.append(ScalarSpec.EnumCase(source: text, target: .string(one.source)))
    }
    return back
  }

  private mutating func back(date scalar: ScalarSpec, _ path: [String]) -> ScalarSpec? {
    // It has kept its text.
    if scalar == ScalarSpec(scalar.type) { return scalar }
    let formats = scalar.formats.isEmpty ? [DateFormat.rfc3339] : scalar.formats
    guard let format = formats.first(where: { $0 == .rfc3339 }) ?? formats.first,
      formats.count == 1 || format == .rfc3339
    else {
      refuse(path, "it is not known which of its formats a date had")
      return nil
    }
    let written = scalar.form?.format ?? .rfc3339
    if written.mistake(isRead: true) != nil {
      refuse(path, "'\(written.name)' does not give the year")
      return nil
    }
    var back = ScalarSpec(.scalar(.date))
    back.formats = [written]
    back.zone = scalar.form?.zone ?? .gmt
    back.form = format == .rfc3339 ? nil : DateForm(format: format, zone: scalar.zone ?? .gmt)
    return back
  }
}
