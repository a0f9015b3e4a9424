/// A function from a text to a text, which may fail; one-way.
package struct TextFunction: Sendable, Hashable {
  /// What becomes of a text, as UTF-8: a part of the text, or a text in the room.
  package typealias Change =
    @Sendable (UnsafeBufferPointer<UInt8>, TextRoom) throws(ConversionFailure) ->
    UnsafeBufferPointer<UInt8>

  /// In explanations; functions with the same name are the same.
  package let name: String
  let change: Change

  package init(_ name: String, _ change: @escaping Change) {
    self.name = name
    self.change = change
  }

  package static func == (a: TextFunction, b: TextFunction) -> Bool { a.name == b.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(name)) }
}

/// One step that makes a text from a text.
///
/// Steps count Unicode scalars, as the rules about lengths do: their number does not depend on the version of Unicode.
package enum TextStep: Sendable, Hashable {
  /// Without white space (Unicode's White_Space) at either end.
  case trim
  /// In lower case, by Unicode, without a locale: each scalar by itself, but for a Σ that ends a word.
  case lower
  /// In upper case, by Unicode's mapping of each scalar.
  case upper
  /// With one space for each run of white space.
  case squeeze
  /// With another text for each occurrence of a text, from the start on.
  case replace(String, with: String)
  case prefix(String)
  case suffix(String)
  /// Without a text at the start, if it is there.
  case stripPrefix(String)
  /// Without a text at the end, if it is there.
  case stripSuffix(String)
  /// From one scalar up to another, or to the end; a negative number counts from the end. Missing scalars are left out.
  case slice(from: Int, to: Int?)
  /// One of the parts between occurrences of a text, from 0 up; a negative number counts from the end.
  case part(Int, between: String)
  /// With a scalar before it as often as it takes for this length.
  case pad(Int, Unicode.Scalar)
  /// With a scalar after it as often as it takes for this length.
  case padEnd(Int, Unicode.Scalar)
  /// What a function makes of the text.
  case function(TextFunction)

  /// The longest padding that a step may make.
  package static let longestPadding = 10_000

  /// What is wrong with the step; nil if it is right.
  package var mistake: String? {
    switch self {
    case .replace("", _): "the text to replace is empty"
    case .part(_, ""): "the text to split at is empty"
    case .pad(let width, _), .padEnd(let width, _):
      (0...Self.longestPadding).contains(width)
        ? nil : "a text can be padded to at most \(Self.longestPadding) characters"
    default: nil
    }
  }

  /// In explanations.
  package var name: String {
    switch self {
    case .trim: "trim"
    case .lower: "lower"
    case .upper: "upper"
    case .squeeze: "squeeze"
    case .replace(let old, let new): "replace \(ValueList.text(old)) by \(ValueList.text(new))"
    case .prefix(let text): "prefix \(ValueList.text(text))"
    case .suffix(let text): "suffix \(ValueList.text(text))"
    case .stripPrefix(let text): "strip prefix \(ValueList.text(text))"
    case .stripSuffix(let text): "strip suffix \(ValueList.text(text))"
    case .slice(let start, let end): "slice \(start) to \(end.map { "\($0)" } ?? "the end")"
    case .part(let index, let text): "part \(index) between \(ValueList.text(text))"
    case .pad(let width, _): "pad to \(width)"
    case .padEnd(let width, _): "pad at the end to \(width)"
    case .function(let function): function.name
    }
  }

  /// Whether the way back is known: forward again, what the way back makes becomes the same.
  package var hasWayBack: Bool {
    switch self {
    case .replace, .slice, .part, .function: false
    default: true
    }
  }

  /// The step of the way back; nil if the text goes back as it is.
  var wayBack: TextStep? {
    switch self {
    case .prefix(let text): .stripPrefix(text)
    case .suffix(let text): .stripSuffix(text)
    case .stripPrefix(let text): .prefix(text)
    case .stripSuffix(let text): .suffix(text)
    default: nil
    }
  }
}
