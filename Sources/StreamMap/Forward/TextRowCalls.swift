/// What a program leaves to the maker of rows: values that are made from others, changed or checked, and conditions.
final class TextRowCalls: RowCalls {
  enum Call: BitwiseCopyable {
    /// The value of a node, from its cell.
    case value(Int32)
    /// A field that is made from others.
    case made(field: Int32, object: Int32)
    /// A field with several sources, or one that takes its whole object.
    case field(Int32, object: Int32)
    /// A field of a record that is not plain: what is wrong with it is noted.
    case told(field: Int32, object: Int32)
    /// What a node makes of the text of another one.
    case change(Int32, from: Int32)
    /// The members of an object that are kept beside its fields.
    case rest(object: Int32)
    /// A condition by its formula.
    case condition(Int32, object: Int32)
  }

  // Invariant: the maker owns the program, which owns this and alone calls it.
  // PERF: an unowned reference would be retained for each call.
  private let maker: Unmanaged<TextRowMaker>
  private let calls: FlatTable<Call>

  init(_ maker: TextRowMaker, _ calls: [Call]) {
    self.maker = .passUnretained(maker)
    self.calls = FlatTable(calls)
  }

  override func answer(
    _ call: Int, of row: RecordRow, block: Int, cell: UnsafeMutablePointer<RowCell>?,
    text: UnsafeBufferPointer<UInt8>?
  ) -> Answer {
    maker._withUnsafeGuaranteedRef { maker in
      switch calls.start[call] {
      case .value(let node):
        guard let cell else { return .refused }
        return maker.value(cell, node, row)
      case .made(let field, let object):
        return maker.madeValue(Int(field), Int(object), row.cells + block, row)
      case .field(let field, let object):
        return maker.value(ofField: Int(field), Int(object), block, row)
      case .told(let field, let object):
        return maker.told(field: Int(field), Int(object), block, row)
      case .change(let node, let source):
        guard let text else { return .refused }
        return maker.change(text, node, from: source, row)
      case .rest(let object):
        guard let cell else { return .refused }
        return maker.rest(of: Int(object), cell, block, row)
      case .condition(let formula, let object):
        return maker.answer(formula, Int(object), row.cells + block, row)
      }
    }
  }
}
