// What is known of each kind of value in a mapping file. A new kind says it here.

extension ValueSpec.Kind {
  /// What is known of the values.
  var domain: RuleDomain {
    switch self {
    case .scalar(let scalar), .composed(_, let scalar, _): scalar.domain
    case .object, .ownRecord, .dictionary: .object
    case .array: .array
    case .inside(_, let value, _): value.kind.domain
    case .firstOf(let alternatives):
      alternatives.dropFirst().reduce(alternatives.first?.kind.domain ?? .unknown) {
        $0 == $1.kind.domain ? $0 : .unknown
      }
    case .made(let field, _): field.domain
    case .dispatch: .unknown
    case .shaped(_, let then): then.kind.domain
    case .joinedElements: .text
    case .count: .number
    }
  }

  /// Whether a list may be what it is made of; a scalar of any type takes one as it stands.
  var takesList: Bool {
    switch self {
    case .scalar(let scalar): scalar == ScalarSpec(.scalar(.any)) || scalar.type == .json
    case .array, .joinedElements, .count: true
    case .dispatch(let dispatch):
      switch dispatch.choice {
      case .kind(let cases): cases.contains { $0.0 == .array }
      case .member: false
      }
    case .shaped(let shape, _): shape.takesList
    case .firstOf(let alternatives): alternatives.contains { $0.kind.takesList }
    case .object, .ownRecord, .dictionary, .inside, .composed, .made: false
    }
  }
}

extension ValueSpec {
  /// Whether it takes null for a value.
  var takesNull: Bool {
    switch kind {
    case .scalar(let scalar): scalar.text.isEmpty && scalar.written.isNullable
    case .object, .ownRecord, .array, .dictionary, .inside, .firstOf, .composed, .dispatch, .made,
      .shaped, .joinedElements, .count:
      false
    }
  }

  /// How many fields there are in it.
  var fieldCount: Int {
    switch kind {
    case .object(let object): object.fieldCount
    case .array(let value, _), .dictionary(let value, _), .inside(_, let value, _),
      .joinedElements(let value, _):
      value.fieldCount
    case .shaped(.zip(let zip), let value): value.fieldCount + (zip.fields?.fieldCount ?? 0)
    case .shaped(_, let value): value.fieldCount
    case .firstOf(let values): values.reduce(0) { $0 + $1.fieldCount }
    case .dispatch(let dispatch):
      switch dispatch.choice {
      case .kind(let cases):
        cases.reduce(dispatch.otherwise?.fieldCount ?? 0) { $0 + $1.1.fieldCount }
      case .member(_, let cases):
        cases.reduce(dispatch.otherwise?.fieldCount ?? 0) { $0 + $1.1.fieldCount }
      }
    case .made(let field, _): field.source.fieldCount
    case .scalar, .composed, .count, .ownRecord: 0
    }
  }

  /// The value where it is a part of a text: numbers, booleans and dates are read from texts without being asked to.
  func readingTexts() -> ValueSpec {
    var value = self
    switch kind {
    case .scalar(var scalar):
      // A date is a text already, if no number is its form: it stays as it stands.
      let isText = scalar.type.family == .date && !scalar.formats.contains(where: \.isNumber)
      if scalar.text.isEmpty, scalar.type.coercions.contains(.string), !isText {
        scalar.coercions.insert(.string)
      }
      value.kind = .scalar(scalar)
    case .object(var object):
      object.fields = object.fields.map { field in
        guard case .path(let path, let value) = field.source else { return field }
        return FieldSpec(name: field.name, source: .path(path, value.readingTexts()))
      }
      value.kind = .object(object)
    case .array(let element, let omitsInvalid):
      value.kind = .array(of: element.readingTexts(), omitsInvalid: omitsInvalid)
    case .firstOf(let alternatives): value.kind = .firstOf(alternatives.map { $0.readingTexts() })
    case .inside(let path, let inner, let duplicates):
      value.kind = .inside(path, inner.readingTexts(), duplicates)
    case .shaped(.list(let steps), let then):
      value.kind = .shaped(.list(steps), then.readingTexts())
    case .dictionary(let member, let duplicates):
      value.kind = .dictionary(of: member.readingTexts(), duplicates)
    case .composed, .dispatch, .shaped, .joinedElements, .count, .made, .ownRecord: break
    }
    return value
  }
}
