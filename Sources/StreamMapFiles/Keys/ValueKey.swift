import StreamMap

/// The keys of what becomes of a value: a field, an element, a case; a value of `context`; an argument.
enum ValueKey: String, MapKey {
  case when
  case from
  case firstOf = "first_of"
  case join, template, zip, by
  case calc, cases
  case type, object, each, map, use, dispatch
  case nullable, required
  case substitute = "default"
  case optionally
  case with, schemes, format, zone, values, coerce
  case onItemError = "on_item_error"
  case validate, redact, rest, drop, `where`
  case late
  case text, extract, lookup, otherwise, units, scale, round, `as`
  case asZone = "as_zone"
  case split, parse, entries, list, unwrap
  case fromEntries = "from_entries"
  case joined, count
  case const, meta, context, arg

  /// What a map of these keys says.
  enum Place: Sendable {
    case field, element, `case`, context, argument

    /// The groups of its keys, in the order in which messages list them.
    fileprivate var groups: [Group] {
      switch self {
      case .field: Place.element.groups + Group.fixed
      case .element:
        Group.sources + [.made] + Group.kinds + Group.policies + [.companion, .change, .shape]
      case .case: [.condition] + Place.field.groups
      case .context:
        Group.sources + Group.kinds + [.companion, .lateness] + Group.policies
          + [.change, .shape] + Group.fixed
      case .argument: Group.kinds + [.companion] + Group.policies
      }
    }
  }

  /// What keys have in common.
  enum Group: Hashable, Sendable {
    /// When a case holds.
    case condition
    /// Where a value comes from.
    case source(Source)
    /// What takes a field's place altogether.
    case fixed(Fixed)
    /// What makes a value of others.
    case made
    /// What a value is.
    case kind(Kind)
    /// The substitute for a value.
    case policy(Policy)
    /// What belongs to one of the others.
    case companion
    /// When the value of a context comes.
    case lateness
    /// Changes of a text before it becomes a value, and of the value.
    case change
    /// The other form that a value gets.
    case shape

    fileprivate static let sources = Source.allCases.map { Group.source($0) }
    fileprivate static let fixed = Fixed.allCases.map { Group.fixed($0) }
    fileprivate static let kinds = Kind.allCases.map { Group.kind($0) }
    fileprivate static let policies = Policy.allCases.map { Group.policy($0) }

    /// Where these keys may stand, if a key says nothing else.
    fileprivate var places: [Place] {
      switch self {
      case .condition: [.case]
      case .fixed: [.field, .case]
      case .lateness: [.context]
      case .kind, .shape: [.field, .element, .case, .context]
      case .source, .made, .policy, .companion, .change: [.field, .element, .case]
      }
    }
  }

  /// The ways to say where a value comes from, each with a key of its own.
  ///
  /// What reads them names every case, so a new one cannot be forgotten there.
  enum Source: CaseIterable, Sendable {
    case from, firstOf, join, template, zip
  }

  /// What takes a field's place, as those above.
  enum Fixed: CaseIterable, Sendable {
    case const, meta, context, arg
  }

  /// The ways to say what a value is, as those above.
  enum Kind: CaseIterable, Sendable {
    case type, object, each, map, use, dispatch
  }

  /// The ways to say what stands for a value, as those above.
  enum Policy: CaseIterable, Sendable {
    case nullable, required, substitute, optionally
  }

  // MARK: Tables

  static let field = table(.field)
  static let element = table(.element)
  static let `case` = table(.case)
  static let contextValue = table(.context)
  static let argument = table(.argument)

  /// The keys that may stand in a place.
  static func table(_ place: Place) -> KeyTable<ValueKey> {
    KeyTable(
      place.groups.flatMap { group in
        known.filter { $0.group == group && $0.places.contains(place) }.map(\.key)
      })
  }

  private static func keys(of groups: Group...) -> [ValueKey] { keys(of: groups) }

  private static func keys(of groups: [Group]) -> [ValueKey] {
    known.filter { groups.contains($0.group) }.map(\.key)
  }

  private var group: Group? { Self.known.first { $0.key == self }?.group }

  /// Where the key says that the value comes from, if it is about that.
  var source: Source? { if case .source(let source)? = group { source } else { nil } }
  /// Whether it says what the value is made from.
  var isMade: Bool { group == .made }
  /// What the key says that takes the field's place.
  var fixed: Fixed? { if case .fixed(let fixed)? = group { fixed } else { nil } }
  /// What the key says that the value is.
  var kind: Kind? { if case .kind(let kind)? = group { kind } else { nil } }
  /// What the key says that stands for the value.
  var policy: Policy? { if case .policy(let policy)? = group { policy } else { nil } }

  // PERF: the facts of all keys are made once.
  private static let known = allCases.map { key in
    let facts = key.facts
    return (key: key, group: facts.group, places: facts.group.places + facts.otherPlaces)
  }

  static let sources = keys(of: Group.sources)
  static let fixed = keys(of: Group.fixed)
  static let kinds = keys(of: Group.kinds)
  /// The kinds that are not scalars.
  static let containers = kinds.filter { $0 != .type }
  static let policies = keys(of: Group.policies)
  static let shapes = keys(of: .shape)

  // MARK: Facts

  var spec: KeySpec { facts.spec }

  /// What stands under the key in a place.
  func spec(in place: Place) -> KeySpec {
    let spec = spec
    let required = KeySpec(spec.form, spec.note, isRequired: true)
    switch place {
    case .field, .element: return spec
    case .case: return self == .when ? required : spec
    case .context:
      if self == .from { return required }
      if self == .meta {
        return KeySpec(
          .values { [.string(RecordFact.key.rawValue), .string(RecordFact.index.rawValue)] },
          "The key or the index, at the path, of what the record is in.")
      }
      // No cases are there.
      return self == .otherwise
        ? KeySpec(.scalar, "What stands for texts that values or lookup do not have.") : spec
    case .argument:
      if self == .type {
        return KeySpec(.values { TypeName.schemaNames { _ in true } }, "What the value is.")
      }
      if self == .redact {
        return KeySpec(
          .flag, "Whether it is a secret: nothing shows it, and only key of hmac takes it.")
      }
      return self == .substitute ? KeySpec(.scalar, spec.note) : spec
    }
  }

  fileprivate struct Facts {
    let group: Group
    /// Where it may stand besides the places of its group.
    let otherPlaces: [Place]
    let spec: KeySpec

    init(_ group: Group, _ form: KeyForm, and otherPlaces: Place..., note: String) {
      self.group = group
      self.otherPlaces = otherPlaces
      spec = KeySpec(form, note)
    }
  }
}

extension ValueKey {
  fileprivate var facts: Facts {
    switch self {
    case .when:
      Facts(
        .condition, .part(.condition),
        note: "The condition of the case; it looks at the source.")
    case .from:
      Facts(
        .source(.from), .part(.path), and: .context,
        note: "The path of the value, as user.name, tags[0], ['a.b'] or /a/b; $ is the whole.")
    case .firstOf:
      Facts(
        .source(.firstOf), .list(of: .either([.part(.path), .part(.element)]), atLeast: 1),
        and: .context,
        note: "The first of these paths, or of these values, that is there and fits.")
    case .join:
      Facts(
        .source(.join), .list(of: .part(.path), atLeast: 1), and: .context,
        note: "The texts at these paths as one text.")
    case .template:
      Facts(
        .source(.template), .text(atLeast: 1), and: .context,
        note:
          "One text with the values at paths in braces, as '{name}{? ({unit})}'; what is in {? } vanishes where one of its values is absent."
      )
    case .zip:
      Facts(
        .source(.zip), .either([.part(.path), .part(.fields)]),
        note:
          "Several lists as one list of objects, each with an element of each list; their names and paths, or the path of an object that has them."
      )
    case .by:
      Facts(
        .companion, .part(.path),
        note:
          "With zip: what elements that belong together have in common; without it their position."
      )
    case .calc:
      Facts(
        .made, .scalar,
        note:
          "A formula: paths, literals, + - * / %, == != < <= > >=, and or not, ??, round floor abs min max length number, and $name for an argument."
      )
    case .cases:
      Facts(
        .made, .list(of: .part(.case), atLeast: 1),
        note: "Several values, each under a condition: the first whose condition holds.")
    case .type:
      Facts(
        .kind(.type),
        .either([
          .values { TypeName.schemaNames { _ in true } }, TypeName.nullablePattern { _ in true },
        ]), and: .argument,
        note: "What the value is; null, too, with a question mark, as in int64?.")
    case .object: Facts(.kind(.object), .part(.fields), note: "A nested record.")
    case .each: Facts(.kind(.each), .part(.part), note: "An array: what each element becomes.")
    case .map:
      Facts(.kind(.map), .part(.part), note: "An object with any keys: what each value becomes.")
    case .use:
      Facts(
        .kind(.use), .text(),
        note:
          "The record of another file, by its name under the file's use; record is that of this file itself."
      )
    case .dispatch:
      Facts(.kind(.dispatch), .part(.dispatch), note: "One of several, chosen by what is there.")
    case .nullable:
      Facts(.policy(.nullable), .flag, and: .context, note: "Null if it is absent or null.")
    case .required:
      Facts(
        .policy(.required), .flag, and: .context, note: "Whether it has to be there; the default.")
    case .substitute:
      Facts(
        .policy(.substitute), .any, and: .context, .argument,
        note: "Its value if it is absent or null.")
    case .optionally:
      Facts(
        .policy(.optionally), .any, and: .context,
        note: "Its value if it is absent, null or wrong; an issue.")
    case .with:
      Facts(
        .companion, .text(), and: .context, note: "What stands between the joined texts.")
    case .schemes:
      Facts(
        .companion, .oneOrList(of: .text()), and: .context, .argument,
        note: "The schemes of a URL.")
    case .format:
      Facts(
        .companion, .oneOrList(of: .text()), and: .context, .argument,
        note:
          "The format of a date, or several, tried in their order: \(DateFormat.names), or a pattern by Unicode."
      )
    case .zone:
      Facts(
        .companion, .text(), and: .context, .argument,
        note: "The time zone of dates whose text has none, as Europe/Berlin or +02:00.")
    case .values:
      Facts(
        .companion,
        .either([.map(of: .scalar, atLeast: 1), .list(of: .text(), atLeast: 1)]),
        and: .context, .argument,
        note: "The texts of an enum and what they stand for, or a list of texts.")
    case .coerce:
      Facts(
        .companion, .oneOrList(of: .part(.coercion)), and: .context,
        note: "What of another kind becomes the type, too.")
    case .onItemError:
      Facts(
        .companion, .choice(ValueReader.ItemError.self), and: .context,
        note: "What becomes of an array with an element that does not fit.")
    case .validate:
      Facts(
        .companion, .part(.rules), and: .context, .argument, note: "What the value has to be.")
    case .redact:
      Facts(
        .companion, .flag, and: .context, .argument,
        note: "Whether errors and rejected records must not show it: see the guide Errors.")
    case .rest:
      Facts(
        .companion, .choice(KeptMembers.self), and: .context,
        note: "Whether members that no field takes come after the fields, as they stand.")
    case .drop:
      Facts(
        .companion, .oneOrList(of: .part(.path)), and: .context,
        note:
          "With rest: keep, the paths of what is left out of them, from the object on, as password or audit.*."
      )
    case .where:
      Facts(
        .companion, .part(.condition), and: .context,
        note: "The elements that are kept; paths are relative to the element.")
    case .late:
      Facts(
        .lateness, .values { ["fail", "null", nil] },
        note:
          "What becomes of a value that comes after records: it is an error (fail, the default), or they have null, or the default."
      )
    case .text:
      Facts(
        .change, .oneOrList(of: .part(.step), atLeast: 1), and: .context,
        note:
          "What is done with a text before it is read: a step, or a list of steps in their order.")
    case .extract:
      Facts(
        .change, .text(), and: .context,
        note:
          "A pattern (RE2): its first group, or the whole match, is taken; with object, the groups with names."
      )
    case .lookup:
      Facts(
        .change, .part(.lookup), and: .context,
        note: "A table from a CSV file: what stands for the text.")
    case .otherwise:
      Facts(
        .change, .either([.scalar, .list(of: .any), .part(.field)]), and: .context,
        note:
          "What stands for texts that values or lookup do not have, a scalar; with cases what the value is where no case holds, a scalar or a map as a field's."
      )
    case .units:
      Facts(
        .change, .map(of: .number(), atLeast: 1), and: .context,
        note:
          "What may stand after a number in a text, as { m: 0.001, Ki: 1024 }, and what it multiplies the number by."
      )
    case .scale:
      Facts(
        .change, .number(), and: .context, note: "What a number is multiplied by, exactly.")
    case .round:
      Facts(
        .change, .whole(atLeast: -100, atMost: 100), and: .context,
        note:
          "How many places after the point a number is rounded to, or the result of calc; a half goes away from zero."
      )
    case .as:
      Facts(
        .change, .text(), and: .context,
        note:
          "The form that a date is written in: \(DateFormat.names), or a pattern by Unicode; default: rfc3339."
      )
    case .asZone:
      Facts(
        .change, .text(), and: .context,
        note: "The time zone of dates that are written by a pattern, as Europe/Berlin.")
    case .split:
      Facts(
        .shape, .text(atLeast: 1),
        note: "The text between the parts of a text, which becomes an array.")
    case .parse: Facts(.shape, .choice(ValueReader.Parsed.self), note: "What is in a string.")
    case .entries:
      Facts(
        .shape, .tuple([.text(), .text()]),
        note: "An object as a list of its members: what their key and their value are called.")
    case .list:
      Facts(
        .shape, .oneOrList(of: .part(.listStep), atLeast: 1),
        note:
          "What is done with the elements of an array: a step, or a list of steps in their order; the last may make one value of them."
      )
    case .fromEntries:
      Facts(
        .shape, .tuple([.text(), .text()]),
        note: "A list of entries as an object: what their key and their value are called.")
    case .unwrap:
      Facts(
        .shape,
        .either([
          .map(
            of: .values { WrappedContent.allCases.map { .string($0.rawValue) } + [nil] },
            atLeast: 1),
          .list(of: .text(), atLeast: 1),
        ]),
        note:
          "The keys of objects of one member that wrap a value, as { S: value, N: number, M: members }, at any depth; what they hold is mapped."
      )
    case .joined:
      Facts(
        .shape, .text(),
        note: "The text between the elements of an array, which becomes one text.")
    case .count: Facts(.shape, .values { [true] }, note: "The number of elements or members.")
    case .const: Facts(.fixed(.const), .any, note: "A fixed value.")
    case .meta:
      Facts(
        .fixed(.meta), .choice(RecordFact.self), and: .context,
        note: "What the record tells of itself.")
    case .context:
      Facts(
        .fixed(.context), .text(),
        note: "A value from outside the record, by its name under the file's context.")
    case .arg:
      Facts(
        .fixed(.arg), .text(), note: "The value of an argument, by its name under the file's args.")
    }
  }
}
