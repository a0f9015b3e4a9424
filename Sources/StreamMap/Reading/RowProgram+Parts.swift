import CScan

// What a program is made of, and how that is put together.
extension RowProgram {
  /// What a program is made of.
  ///
  /// Values, objects and fields refer to each other by their numbers.
  struct Parts {
    private(set) var values: [sm_written_value] = []
    private(set) var objects: [sm_written_object] = []
    private(set) var fields: [sm_written_field] = []
    private(set) var pieces: [sm_written_piece] = []
    // The first one of both stands for none.
    private(set) var intervals = [sm_interval()]
    private(set) var conditions = [sm_condition()]
    private(set) var steps: [sm_written_step] = []
    private(set) var texts: [UInt8] = []

    /// A value of one token, with what is written instead of a null and of nothing; nil refuses these.
    ///
    /// Only of numbers can it be asked that they are in an interval. If it is strict, values of any other kind are wrong. The call makes
    /// what is not plain.
    mutating func add(
      _ scalar: Scalar, in interval: Interval?, isStrict: Bool, call: Int, null: [UInt8]?,
      absent: [UInt8]?
    ) -> UInt32 {
      var value = sm_written_value()
      value.otherwise = UInt32(call + 1)
      value.is_strict = isStrict
      value.interval = interval.map { add($0) } ?? 0
      switch scalar {
      case .any: value.kind = UInt8(SM_WRITE_SCALAR.rawValue)
      case .string: value.kind = UInt8(SM_WRITE_STRING.rawValue)
      case .boolean: value.kind = UInt8(SM_WRITE_BOOLEAN.rawValue)
      case .number: value.kind = UInt8(SM_WRITE_NUMBER.rawValue)
      case .decimal(let most, let places):
        value.kind = UInt8(SM_WRITE_DECIMAL.rawValue)
        value.most = most
        if let places {
          value.has_places = true
          value.places = places
        }
      case .integer(let most, let last, let takesMinus):
        value.kind = UInt8(SM_WRITE_INTEGER.rawValue)
        value.most = most
        value.last = last
        value.takes_minus = takesMinus
      }
      return add(value, null, absent)
    }

    /// A node of the selection opens an array that is closed.
    mutating func addArray(of element: UInt32, entry: Int32, null: [UInt8]?, absent: [UInt8]?)
      -> UInt32
    {
      var value = sm_written_value()
      value.kind = UInt8(SM_WRITE_ARRAY.rawValue)
      value.child = element
      value.opens = true
      value.node = sm_node(bitPattern: entry)
      return add(value, null, absent)
    }

    /// What a call makes of a cell; the call also decides about nulls and absent values for which there is no text.
    mutating func addCalled(_ call: Int, null: [UInt8]?, absent: [UInt8]?) -> UInt32 {
      var value = sm_written_value()
      value.kind = UInt8(SM_WRITE_CALLED.rawValue)
      value.child = UInt32(call)
      return add(value, null, absent)
    }

    /// What is made of several cells of an object; where that is not plain, it is called for.
    mutating func add(_ pieces: Pieces, call: Int) -> UInt32 {
      var value = sm_written_value()
      value.child = UInt32(call)
      value.first_piece = UInt32(self.pieces.count)
      switch pieces {
      case .first(let values):
        value.kind = UInt8(SM_WRITE_FIRST.rawValue)
        add(values.map { Piece.value(cell: $0.cell, $0.value) })
      case .template(let pieces):
        value.kind = UInt8(SM_WRITE_TEMPLATE.rawValue)
        add(pieces)
      }
      value.piece_count = UInt32(self.pieces.count) - value.first_piece
      return add(value, nil, nil)
    }

    /// The parts of a string as an array; where it is not plain, it is called for.
    mutating func addSplit(by separator: [UInt8], call: Int, null: [UInt8]?, absent: [UInt8]?)
      -> UInt32
    {
      var value = sm_written_value()
      value.kind = UInt8(SM_WRITE_SPLIT.rawValue)
      value.child = UInt32(call)
      value.separator = add(separator)
      return add(value, null, absent)
    }

    /// The number of an array's elements; where it is not plain, or only read as a whole and there is no entry for it, it is called for.
    mutating func addCount(entry: Int32?, call: Int, null: [UInt8]?, absent: [UInt8]?) -> UInt32 {
      var value = sm_written_value()
      value.kind = UInt8(SM_WRITE_COUNT.rawValue)
      value.child = UInt32(call)
      value.opens = entry != nil
      value.node = sm_node(bitPattern: entry ?? 0)
      return add(value, null, absent)
    }

    /// Any value as it stands, without white space; where it is not plain, it is called for.
    mutating func addJSON(call: Int, null: [UInt8]?, absent: [UInt8]?) -> UInt32 {
      var value = sm_written_value()
      value.kind = UInt8(SM_WRITE_JSON.rawValue)
      value.child = UInt32(call)
      return add(value, null, absent)
    }

    /// One of several values, by the kind of the cell; where there is none, or it is not plain, it is called for.
    mutating func add(
      byKind choose: (JSONKind) -> UInt32?, call: Int, null: [UInt8]?, absent: [UInt8]?
    ) -> UInt32 {
      var value = sm_written_value()
      value.kind = UInt8(SM_WRITE_BY_KIND.rawValue)
      value.child = UInt32(call)
      value.first_piece = UInt32(pieces.count)
      value.piece_count = UInt32(SM_KINDS)
      var choices = [sm_written_piece](repeating: sm_written_piece(), count: Int(SM_KINDS))
      for kind in JSONKind.allCases {
        choices[kind.number].value = choose(kind) ?? SM_NO_VALUE
      }
      pieces += choices
      return add(value, null, absent)
    }

    /// One of several values of an object, by the text of a member in the block that a node of the selection opens.
    ///
    /// Where it is not plain, or there is no value for a label, it is called for.
    mutating func add(
      byLabel label: UInt32, through steps: [Step], _ values: [(label: ExactText, value: UInt32?)],
      otherwise: UInt32?, entry: Int32, call: Int, null: [UInt8]?, absent: [UInt8]?
    ) -> UInt32 {
      var value = sm_written_value()
      value.kind = UInt8(SM_WRITE_BY_LABEL.rawValue)
      value.child = UInt32(call)
      value.label = label
      value.first_step = UInt32(self.steps.count)
      value.step_count = UInt32(steps.count)
      add(steps)
      value.part = otherwise ?? SM_NO_VALUE
      value.node = sm_node(bitPattern: entry)
      value.first_piece = UInt32(pieces.count)
      value.piece_count = UInt32(values.count)
      for (label, number) in values {
        var piece = sm_written_piece()
        piece.text = add(Array(label.text.utf8))
        piece.value = number ?? SM_NO_VALUE
        pieces.append(piece)
      }
      return add(value, null, absent)
    }

    /// The first of so many values of the same cell that is not wrong, where it is among the first ones; where it is not plain, or not among
    /// these, it is called for.
    mutating func add(
      firstOf count: Int32, _ first: [UInt32], call: Int, null: [UInt8]?, absent: [UInt8]?
    ) -> UInt32 {
      var value = sm_written_value()
      value.kind = UInt8(SM_WRITE_TRIED.rawValue)
      value.child = UInt32(call)
      value.first_piece = UInt32(pieces.count)
      value.piece_count = UInt32(first.count)
      value.times = UInt32(count)
      for number in first {
        var piece = sm_written_piece()
        piece.value = number
        pieces.append(piece)
      }
      return add(value, null, absent)
    }

    /// The members of an object, with any keys; as entries, if these have names.
    ///
    /// Where it is not plain, it is called for. A node of the selection opens an object that is closed.
    mutating func addMembers(
      of part: UInt32, entries names: (key: [UInt8], value: [UInt8])?, entry: Int32, call: Int,
      null: [UInt8]?, absent: [UInt8]?
    ) -> UInt32 {
      var value = sm_written_value()
      value.kind = UInt8((names == nil ? SM_WRITE_MEMBERS : SM_WRITE_ENTRIES).rawValue)
      value.child = UInt32(call)
      value.part = part
      value.node = sm_node(bitPattern: entry)
      if let names {
        value.key_name = add(names.key)
        value.value_name = add(names.value)
      }
      return add(value, null, absent)
    }

    /// What a call makes of the text of another value, which may be that of the whole object that the value is a member of; where that is not
    /// plain, it is called for.
    mutating func addChanged(
      _ part: UInt32, ofBlock isOfBlock: Bool, by change: Int, call: Int, null: [UInt8]?,
      absent: [UInt8]?
    ) -> UInt32 {
      var value = sm_written_value()
      value.kind = UInt8(SM_WRITE_CHANGED.rawValue)
      value.child = UInt32(call)
      value.part = part
      value.change = UInt32(change)
      value.is_of_block = isOfBlock
      return add(value, null, absent)
    }

    private mutating func add(_ pieces: [Piece]) {
      for piece in pieces {
        var written = sm_written_piece()
        let number = self.pieces.count
        self.pieces.append(written)
        switch piece {
        case .text(let text):
          written.kind = UInt8(SM_PIECE_TEXT.rawValue)
          written.text = add(text)
        case .value(let cell, let value):
          written.kind = UInt8(SM_PIECE_VALUE.rawValue)
          (written.cell, written.value) = (cell, value)
        case .optional(let inner):
          written.kind = UInt8(SM_PIECE_OPTIONAL.rawValue)
          add(inner)
          written.count = UInt32(self.pieces.count - number - 1)
        }
        self.pieces[number] = written
      }
    }

    /// An object with at least one field.
    ///
    /// `steps` are what paths lead through. A strict object has no members that are not named. All requirements have to hold, in their order.
    /// A call makes an object of the members after the fields, if there is one. A node of the selection opens an object that is closed.
    mutating func addObject(
      _ members: [Member], rest: Int?, steps: [Step], isStrict: Bool, early: [Requirement],
      late: [Requirement],
      entry: Int32, null: [UInt8]?, absent: [UInt8]?
    ) -> UInt32 {
      var value = sm_written_value()
      value.kind = UInt8(SM_WRITE_OBJECT.rawValue)
      value.child = UInt32(objects.count)
      value.opens = true
      value.node = sm_node(bitPattern: entry)
      objects.append(
        sm_written_object(
          first_field: UInt32(fields.count), field_count: UInt32(members.count),
          first_step: UInt32(self.steps.count), step_count: UInt32(steps.count),
          is_strict: isStrict, early: add(early), late: add(late),
          has_rest: rest != nil, rest: UInt32(rest ?? 0)))
      add(steps)
      for member in members {
        let value = values[Int(member.value)]
        // Before so many digits after a point there are two more bytes.
        let most = value.has_places ? min(value.most, value.places + 2) : value.most
        fields.append(
          sm_written_field(
            cell: member.cell, value: member.value, name: add([UInt8(ascii: ",")] + member.name),
            kind: value.kind, most: min(most, 8), is_needed: member.isNeeded,
            takes_no_null: member.takesNoNull, interval: value.interval,
            told: member.told.map { UInt32($0 + 1) } ?? 0))
      }
      return add(value, null, absent)
    }

    private mutating func add(_ steps: [Step]) {
      self.steps += steps.map {
        sm_written_step(cell: $0.cell, inside: $0.inside, depth: $0.depth, is_array: $0.isArray)
      }
    }

    private mutating func add(
      _ value: sm_written_value, _ null: [UInt8]?, _ absent: [UInt8]?
    ) -> UInt32 {
      var value = value
      if let null {
        value.has_null = true
        value.null = add(null)
      }
      if let absent {
        value.has_absent = true
        value.absent = add(absent)
      }
      values.append(value)
      return UInt32(values.count - 1)
    }

    private mutating func add(_ interval: Interval) -> UInt32 {
      intervals.append(interval.bounds)
      return UInt32(intervals.count - 1)
    }

    /// The number of the first requirement; 0 if there is none.
    private mutating func add(_ requirements: [Requirement]) -> UInt32 {
      var next: UInt32 = 0
      for requirement in requirements.reversed() {
        var condition = sm_condition()
        switch requirement {
        case .number(let cell, let interval):
          condition.interval = add(interval)
          condition.cell = cell
        case .called(let call): condition.call = UInt32(call)
        }
        condition.next = next
        next = UInt32(conditions.count)
        conditions.append(condition)
      }
      return next
    }

    private mutating func add(_ text: [UInt8]) -> sm_written_text {
      defer { texts += text }
      return sm_written_text(start: UInt32(texts.count), length: UInt32(text.count))
    }
  }

  /// A scalar and how its values are recognized.
  enum Scalar: Equatable {
    case any, string, boolean, number
    /// A number without an exponent, of at most so many bytes, and with at most so many digits after the point.
    case decimal(most: UInt8, places: UInt8?)
    /// At most so many digits, or one more, up to a number; 0 if there is none.
    case integer(most: UInt8, last: UInt64, takesMinus: Bool)
  }

  /// What is made of several scalars: each by its cell in the object's block, and its value.
  enum Pieces {
    /// The first one that is there.
    case first([(cell: UInt32, value: UInt32)])
    case template([Piece])
  }

  /// A part of a template.
  indirect enum Piece {
    /// As it is inside a string.
    case text([UInt8])
    case value(cell: UInt32, UInt32)
    /// Left out where one of its values is null.
    case optional([Piece])
  }

  /// Whether an object is there.
  enum Requirement {
    /// Whether a cell in the object's block is a number in an interval.
    case number(cell: UInt32, Interval)
    case called(Int)
  }

  /// A value that only paths lead through.
  struct Step {
    let cell: UInt32
    /// How many cells after it are for what is inside.
    let inside: UInt32
    /// How many steps lead to it.
    let depth: UInt32
    let isArray: Bool
  }

  /// A member of an object: its value, and where that comes from.
  struct Member {
    /// In the block of its object.
    let cell: UInt32
    let value: UInt32
    /// Its name as it is written, with the colon.
    let name: [UInt8]
    /// Whether the object is wrong if the value is wrong or not there.
    let isNeeded: Bool
    /// Whether it is also wrong if the value is null.
    let takesNoNull: Bool
    /// The call that makes it where the program does not; nil if there is none.
    let told: Int?
  }
}

extension JSONKind {
  /// Its number for C.
  fileprivate var number: Int {
    switch self {
    case .null: SM_KIND_NULL
    case .boolean: SM_KIND_BOOLEAN
    case .number: SM_KIND_NUMBER
    case .string: SM_KIND_STRING
    case .object: SM_KIND_OBJECT
    case .array: SM_KIND_ARRAY
    }
  }
}
