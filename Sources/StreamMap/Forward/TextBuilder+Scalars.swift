// How scalars are checked and written.
extension TextBuilder {
  func check(_ token: Token, _ node: UnsafePointer<PlanNode>) -> Verdict {
    let check = Check(token: token, options: node.pointee.options)
    return node.pointee.scalar.visit(by: self, check)
  }

  func write(_ token: Token, in destination: UnsafeMutableRawPointer) {
    let start = output.count
    append(token)
    store(from: start, in: destination)
  }

  /// Writes a token, whose text must not lie in the output.
  func append(_ token: Token) {
    switch token.kind {
    case .string: JSONText.append(quoted: token.text, to: output)
    case .number: output.append(token.text)
    case .boolean: output.append(token.isTrue ? "true" : "false")
    case .null, .object, .array: output.append("null")
    }
  }

  func store(from start: Int, in destination: UnsafeMutableRawPointer) {
    destination.initializeMemory(as: TextRange.self, to: TextRange(start: start, end: output.count))
  }
}

extension TextBuilder: ScalarVisitor {
  /// A token that is to be a scalar's text.
  struct Check {
    let token: Token
    let options: Unmanaged<ScalarOptions>?
  }

  func visit<Value: Scalar>(_ type: Value.Type, _ check: Check) -> Verdict {
    type.takes(check.token.kind) ? type.check(check.token, check.options) : .wrongType
  }
}
