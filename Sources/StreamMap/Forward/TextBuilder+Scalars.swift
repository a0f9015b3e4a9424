// How scalars are checked and written.
extension TextBuilder {
  func check(_ token: Token, _ node: UnsafePointer<PlanNode>) -> Verdict {
    let check = Check(token: token, options: node.pointee.options)
    return node.pointee.scalar.visit(by: self, check)
  }

  /// Writes a token of a type, whose text must not lie in the output.
  func append(_ token: Token, as type: ScalarType) {
    switch token.kind {
    case .string: JSONText.append(quoted: token.text, to: output)
    case .number: output.append(token.text, as: type)
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

extension TextBuilder {
  /// The texts of the values that stand in for others; numbers among them leave as those of their types do.
  static func texts(ofSubstitutes plan: PlanTables) -> [[UInt8]] {
    var texts = plan.substitutes.map { Array($0.json.description.utf8) }
    for index in 0..<plan.nodes.count {
      let node = plan.nodes.start[index]
      guard node.opcode == .scalar else { continue }
      for action in [node.null, node.absent] where action.kind == .substitute {
        let number = Int(action.substitute)
        guard case .number = plan.substitutes[number].json else { continue }
        texts[number] = texts[number].withUnsafeBufferPointer { node.scalar.form(of: $0) }
      }
    }
    return texts
  }

  /// The text of a substitute that is the same for all records; nil for others.
  func text(ofSubstitute index: Int32) -> [UInt8]? {
    let substitute = plan.substitutes[Int(index)]
    return !substitute.isOfRecord ? substitutes[Int(index)] : nil
  }
}
