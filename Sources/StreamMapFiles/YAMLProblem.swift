import StreamMap

/// What the parser of YAML complains of, in words that say what to write.
struct YAMLProblem {
  let mark: FileMark
  let message: String

  /// Why a text is no YAML; `character` is what stands at its place.
  init(_ failure: YAMLFailure, _ character: Unicode.Scalar?) {
    let start = failure.context?.mark
    var place = failure.mark
    switch failure.problem {
    case "mapping values are not allowed in this context":
      message =
        "no value can start here: quote a text that has a colon and a space in it, or check the indentation"
    case "did not find expected key":
      message =
        "this does not fit the lines before it: check the indentation, and quotes that end too early"
    case "did not find expected '-' indicator":
      message = "this does not fit the list before it: check the indentation"
    case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
      let (open, close) = failure.problem.hasSuffix("'}'") ? ("{", "}") : ("[", "]")
      let line = start.map { " of line \($0.line)" } ?? ""
      message = "a comma, or the \(close) for the \(open)\(line), is missing before this"
    case "did not find expected node content":
      message = "a value is missing here"
    case "could not find expected ':'":
      place = start ?? failure.mark
      message = "a colon and a space are missing after this key"
    case "found character that cannot start any token":
      message =
        character == "\t"
        ? Self.tabs
        : "a text that starts with \(character.map { "\($0)" } ?? "this character") has to be quoted"
    case "found a tab character where an indentation space is expected",
      "found a tab character that violates indentation":
      message = Self.tabs
    case "block sequence entries are not allowed in this context":
      message = "a list starts on a line of its own, or is written as [a, b]"
    case "mapping keys are not allowed in this context":
      message = "a text that starts with ? has to be quoted"
    case "found unexpected end of stream", "found unexpected document indicator":
      place = start ?? failure.mark
      message = "the quote that starts here does not end"
    case "found unknown escape character", "did not find expected hexdecimal number",
      "found invalid Unicode character escape code":
      message = "inside double quotes \\ starts an escape: use single quotes, or write \\\\"
    case "did not find expected alphabetic or numeric character":
      message = "a text that starts with * or & has to be quoted"
    case "did not find expected <document start>", "but found another document":
      message = "a mapping file is one map, and nothing can follow it"
    case YAMLFailure.tooDeep: message = failure.problem
    default:
      let phrase = [failure.context?.text, failure.problem].compactMap(\.self).joined(
        separator: ": ")
      message = "not YAML: \(phrase)"
    }
    mark = place
  }

  private static let tabs = "YAML is not indented by tabs: use spaces"
}
