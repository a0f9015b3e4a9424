import StreamMap

/// The keys of `lookup`.
enum LookupKey: String, MapKey {
  case file, key, value

  static let keys = KeyTable(allCases)

  var spec: KeySpec {
    switch self {
    case .file:
      KeySpec(
        .text(), "The file, relative to this one: CSV with a header, or objects (.ndjson).",
        isRequired: true)
    case .key:
      KeySpec(
        .oneOrList(of: .text(), atLeast: 1),
        "The column with the texts; or several, for the texts of join.", isRequired: true)
    case .value:
      KeySpec(
        .oneOrList(of: .text(), atLeast: 1),
        "The column with what stands for them; of several, an object.", isRequired: true)
    }
  }
}

/// The keys of `dispatch`.
enum DispatchKey: String, MapKey {
  case on, cases, otherwise

  static let keys = KeyTable(allCases)

  var spec: KeySpec {
    switch self {
    case .on:
      KeySpec(
        .part(.path),
        "The path of keys to the text that chooses; without it the kind of the value does.")
    case .cases:
      KeySpec(
        .map(of: .part(.part), atLeast: 1),
        "What becomes of each text, or kind (\(Self.kinds)).", isRequired: true)
    case .otherwise: KeySpec(.part(.part), "What becomes of all others.")
    }
  }

  private static var kinds: String {
    JSONKind.allCases.map(\.rawValue).joined(separator: ", ")
  }
}

/// The keys of a step of `text`; each but `at` and `key` is a step.
enum StepKey: String, MapKey {
  case replace, prefix, suffix
  case stripPrefix = "strip_prefix"
  case stripSuffix = "strip_suffix"
  case slice, split, pad
  case padEnd = "pad_end"
  case replacePattern = "replace_pattern"
  case numberFormat = "number_format"
  case url, mask, hash, hmac
  case at, key

  static let keys = KeyTable(allCases)
  static let steps = KeyTable(allCases.filter { $0 != .at && $0 != .key })

  var spec: KeySpec {
    switch self {
    case .replace:
      KeySpec(
        .tuple([.text(), .text()]), "A text, and the one that takes its place.")
    case .prefix: KeySpec(.text(), "What is put before the text.")
    case .suffix: KeySpec(.text(), "What is put after the text.")
    case .stripPrefix:
      KeySpec(.text(), "What is taken away before the text, if it is there.")
    case .stripSuffix: KeySpec(.text(), "What is taken away after the text, if it is there.")
    case .slice:
      KeySpec(
        .list(of: .whole(), atLeast: 1, atMost: 2),
        "From one character up to another, or to the end; negative ones count from the end.")
    case .split: KeySpec(.text(atLeast: 1), "What is between the parts; at chooses one of them.")
    case .pad:
      KeySpec(
        Self.padding, "A length, and the character that is put before the text for it.")
    case .padEnd:
      KeySpec(Self.padding, "A length, and the character that is put after the text for it.")
    case .replacePattern:
      KeySpec(
        .either([.tuple([.text(), .text()]), .tuple([.text(), .part(.lookup)])]),
        "A pattern (RE2), and what takes the place of each match: a text, in which $0 is the match, $1, ${1} or ${name} a group and $$ a dollar sign; or a table, by the first group or the match."
      )
    case .numberFormat:
      KeySpec(
        .pattern(NumberFormat.pattern),
        "How the text of a number looks: 0, 0.00, #,##0 or #,##0.00, with any signs between groups and before the fraction."
      )
    case .url: KeySpec(.choice(URLPart.self), "A part of a URL, which has to have it.")
    case .mask:
      KeySpec(
        .whole(),
        "How many characters stay at the end, or at the start if it is negative; * stands for each of the others."
      )
    case .hash: KeySpec(.choice(SecureHash.self), "The hash of the text, as hexadecimal digits.")
    case .hmac:
      KeySpec(
        .choice(SecureHash.self), "The hash of the text with a key (HMAC), as hexadecimal digits.")
    case .at:
      KeySpec(.whole(), "The part, from 0; a negative one counts from the end.")
    case .key: KeySpec(.part(.secret), "The key of hmac.")
    }
  }

  private static var padding: KeyForm {
    .tuple([.whole(), .text(atLeast: 1, atMost: 1)])
  }
}

/// The keys of `key`: where a secret is.
enum SecretKey: String, MapKey {
  case arg, file

  static let keys = KeyTable(allCases)

  var spec: KeySpec {
    switch self {
    case .arg: KeySpec(.text(), "The name of an argument with redact: true.")
    case .file:
      KeySpec(
        .text(), "A file, relative to this one; a line end at its end is no part of the key.")
    }
  }
}

/// The keys of a step of `list`; each is a step.
enum ListKey: String, MapKey {
  case `where`, from, sort, unique, slice, nth, any, all

  static let keys = KeyTable(allCases)

  var spec: KeySpec {
    switch self {
    case .where:
      KeySpec(.part(.condition), "The elements for which the condition holds.")
    case .from:
      KeySpec(
        .part(.path), "What is at the path in each element; one without it is left out.")
    case .sort:
      KeySpec(
        .part(.path),
        "In the order of the numbers or texts at the path; what has none is at the end.")
    case .unique:
      KeySpec(.part(.path), "The first of the elements with equal values at the path.")
    case .slice:
      KeySpec(
        .list(of: .whole(), atLeast: 1, atMost: 2),
        "From one element up to another, or to the end; negative ones count from the end.")
    case .nth:
      KeySpec(.whole(), "One element, from 0; a negative one counts from the end.")
    case .any: KeySpec(.part(.condition), "Whether the condition holds for one element.")
    case .all: KeySpec(.part(.condition), "Whether the condition holds for each element.")
    }
  }
}
