import Foundation

@testable import StreamMap

/// A formula, read and calculated in the slow and obvious way: as a tree, with the numbers of Foundation.
///
/// Only for formulas that can be read, and for numbers that Foundation calculates exactly.
struct NaiveFormula {
  enum Value {
    case missing
    case bool(Bool)
    case number(Decimal, written: String?)
    case text(String)
    case container(Int)

    var isMissing: Bool { if case .missing = self { true } else { false } }
  }

  /// A value, and the path that it is at, if it is at one.
  struct Found {
    let value: Value
    var path: JSONPath?
    /// Whether it stands for an operation that has no value because this operand is missing.
    var isLacking = false

    var lacking: Found { Found(value: value, path: path, isLacking: true) }
  }

  struct Fault: Error {
    let code: ErrorCode
    let path: JSONPath
  }

  private indirect enum Tree {
    case literal(JSONValue)
    case path(JSONPath)
    case operation(String, [Tree])
  }

  private let tree: Tree

  init?(_ text: String) {
    guard var parser = try? Parser(scanner: FormulaScanner(text)), let tree = try? parser.tree(0)
    else { return nil }
    self.tree = tree
  }

  /// Precedence climbing.
  private struct Parser {
    var scanner: FormulaScanner

    static let levels: [String: Int] = [
      "or": 1, "and": 2, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5,
      "*": 6, "/": 6, "%": 6, "??": 8,
    ]

    private var sign: String? {
      switch scanner.token {
      case .symbol(let sign), .word(let sign): Self.levels[sign] == nil ? nil : sign
      default: nil
      }
    }

    mutating func tree(_ least: Int) throws -> Tree {
      var left = try prefix()
      while let sign, let level = Self.levels[sign], level >= least {
        try scanner.advance()
        left = .operation(sign, [left, try tree(level + 1)])
      }
      return left
    }

    private mutating func prefix() throws -> Tree {
      let token = scanner.token
      try scanner.advance()
      switch token {
      case .number(let text): return .literal(.number(text))
      case .string(let text): return .literal(.string(text))
      case .path(let path, _): return .path(path)
      case .word("true"): return .literal(.bool(true))
      case .word("false"): return .literal(.bool(false))
      case .word("null"): return .literal(.null)
      case .word("not"): return .operation("not", [try tree(3)])
      case .symbol("-"): return .operation("negate", [try tree(7)])
      case .symbol("("):
        let inner = try tree(0)
        try scanner.advance()
        return inner
      case .word(let word):
        guard scanner.token == .symbol("(") else { return .path([.key(word)]) }
        var parts: [Tree] = []
        repeat {
          try scanner.advance()
          parts.append(try tree(0))
        } while scanner.token == .symbol(",")
        try scanner.advance()
        return .operation(word, parts)
      default: throw scanner.fault("not a formula")
      }
    }
  }

  // MARK: Values

  func value(in json: NaiveJSON, takesFirst: Bool) throws -> Found {
    let found = try value(tree, json, takesFirst)
    if found.isLacking { throw fault(found) }
    return found
  }

  func holds(in json: NaiveJSON, takesFirst: Bool) throws -> Bool {
    try bool(value(in: json, takesFirst: takesFirst))
  }

  private func value(_ tree: Tree, _ json: NaiveJSON, _ takesFirst: Bool) throws -> Found {
    switch tree {
    case .literal(let value): return Found(value: Self.value(of: value))
    case .path(let path):
      let found = ReferenceInterpreter.operand(at: path, in: json, takesFirst: takesFirst)
      return Found(value: found.map { Self.value(of: $0.json) } ?? .missing, path: path)
    case .operation(let word, let parts) where word == "and" || word == "or":
      let first = try value(parts[0], json, takesFirst)
      if first.value.isMissing { return first.lacking }
      if try bool(first) == (word == "or") { return first }
      let second = try value(parts[1], json, takesFirst)
      if second.value.isMissing { return second.lacking }
      return Found(value: .bool(try bool(second)))
    case .operation("??", let parts):
      let first = try value(parts[0], json, takesFirst)
      return first.value.isMissing ? try value(parts[1], json, takesFirst) : first
    case .operation(let sign, let parts) where sign == "==" || sign == "!=":
      let (a, b) = (
        try value(parts[0], json, takesFirst), try value(parts[1], json, takesFirst)
      )
      let areEqual: Bool
      if Self.isNull(parts[0]) || Self.isNull(parts[1]) {
        areEqual = a.value.isMissing && b.value.isMissing
      } else if let missing = try missing([a, b], of: sign) {
        return missing
      } else {
        areEqual = try order(a, b, hasBools: true) == 0
      }
      return Found(value: .bool(areEqual == (sign == "==")))
    case .operation(let sign, let parts):
      let operands = try parts.map { try value($0, json, takesFirst) }
      if let missing = try missing(operands, of: sign) { return missing }
      return Found(value: try calculated(sign, operands))
    }
  }

  /// The first operand that is missing, if all others suit the operation.
  private func missing(_ operands: [Found], of sign: String) throws -> Found? {
    guard let missing = operands.first(where: \.value.isMissing) else { return nil }
    for operand in operands where !operand.value.isMissing {
      switch (operand.value, sign) {
      case (.number, _): break
      case (.text, "=="), (.text, "!="), (.text, "<"), (.text, "<="), (.text, ">"), (.text, ">="):
        break
      case (.bool, "=="), (.bool, "!="): break
      default: throw fault(operand)
      }
    }
    return missing.lacking
  }

  private static func isNull(_ tree: Tree) -> Bool {
    if case .literal(.null) = tree { true } else { false }
  }

  private static func value(of json: JSONValue) -> Value {
    switch json {
    case .null: .missing
    case .bool(let value): .bool(value)
    case .number(let text): .number(Decimal(string: text) ?? .nan, written: text)
    case .string(let text): .text(text)
    case .array(let elements): .container(elements.count)
    case .object(let members): .container(members.count)
    }
  }

  private func fault(_ found: Found) -> Fault {
    Fault(code: found.value.isMissing ? .missing : .wrongType, path: found.path ?? JSONPath())
  }

  /// What the record has is at fault, rather than what the formula says.
  private func mismatch(_ a: Found, _ b: Found) -> Fault {
    fault(b.path == nil && a.path != nil && !b.value.isMissing ? a : b)
  }

  private func bool(_ found: Found) throws -> Bool {
    guard case .bool(let value) = found.value else { throw fault(found) }
    return value
  }

  private func number(_ found: Found) throws -> Decimal {
    guard case .number(let value, _) = found.value else { throw fault(found) }
    return value
  }

  private func order(_ a: Found, _ b: Found, hasBools: Bool) throws -> Int {
    switch (a.value, b.value) {
    case (.text(let a), .text(let b)):
      let (a, b) = (Array(a.unicodeScalars), Array(b.unicodeScalars))
      return a.elementsEqual(b) ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    case (.bool(let a), .bool(let b)) where hasBools: return a == b ? 0 : 1
    case (.number(let a, _), .number(let b, _)): return a < b ? -1 : a == b ? 0 : 1
    case (.text, _), (.number, _): throw mismatch(a, b)
    case (.bool, _) where hasBools: throw mismatch(a, b)
    default: throw fault(a)
    }
  }

  private func calculated(_ sign: String, _ parts: [Found]) throws -> Value {
    func number(_ value: Decimal) -> Value { .number(value, written: nil) }
    switch sign {
    case "not": return .bool(try !bool(parts[0]))
    case "<": return .bool(try order(parts[0], parts[1], hasBools: false) < 0)
    case "<=": return .bool(try order(parts[0], parts[1], hasBools: false) <= 0)
    case ">": return .bool(try order(parts[0], parts[1], hasBools: false) > 0)
    case ">=": return .bool(try order(parts[0], parts[1], hasBools: false) >= 0)
    case "length":
      switch parts[0].value {
      case .text(let text): return number(Decimal(text.unicodeScalars.count))
      case .container(let count): return number(Decimal(count))
      default: throw fault(parts[0])
      }
    case "number":
      switch parts[0].value {
      case .text(let text):
        guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/) != nil,
          let value = Decimal(string: text)
        else { throw fault(parts[0]) }
        return number(value)
      case .number(let value, _): return number(value)
      default: throw fault(parts[0])
      }
    default: break
    }
    let numbers = try parts.map { try self.number($0) }
    switch sign {
    case "negate": return number(0 - numbers[0])
    case "+": return number(numbers[0] + numbers[1])
    case "-": return number(numbers[0] - numbers[1])
    case "*": return number(numbers[0] * numbers[1])
    case "/", "%":
      if numbers[1] == 0 { throw Fault(code: .invalidValue, path: JSONPath()) }
      let quotient = numbers[0] / numbers[1]
      if sign == "/" { return number(quotient) }
      let whole = rounded(quotient, 0, quotient < 0 ? .up : .down)
      return number(numbers[0] - whole * numbers[1])
    case "abs": return number(abs(numbers[0]))
    case "floor": return number(rounded(numbers[0], 0, .down))
    case "round":
      let places = numbers.count > 1 ? NSDecimalNumber(decimal: numbers[1]).intValue : 0
      let value = rounded(abs(numbers[0]), places, .plain)
      return number(numbers[0] < 0 ? 0 - value : value)
    case "min": return number(numbers.min() ?? 0)
    default: return number(numbers.max() ?? 0)
    }
  }

  private func rounded(_ value: Decimal, _ places: Int, _ mode: NSDecimalNumber.RoundingMode)
    -> Decimal
  {
    var (value, result) = (value, Decimal())
    NSDecimalRound(&result, &value, places, mode)
    return result
  }
}

extension NaiveFormula.Value {
  /// The value as JSON; nil for what is missing or a container.
  var json: JSONValue? {
    switch self {
    case .missing, .container: nil
    case .bool(let value): .bool(value)
    case .number(let value, let written): .number(written ?? "\(value)")
    case .text(let text): .string(text)
    }
  }
}
