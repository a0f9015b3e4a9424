/// A change of a written value into another one, in a plan for output records.
///
/// Those of mapping files are data, which the tests' interpreter reads in its own way.
protocol OutputTransform: AnyObject, Sendable {
  /// In explanations; nil for code of the mapping's author.
  var name: String? { get }
  /// Whether the way back is known.
  var hasWayBack: Bool { get }

  /// Whether it makes something else of null, too: to all others null stays null.
  var changesNull: Bool { get }

  /// Appends what becomes of a value.
  ///
  /// - Parameters:
  ///   - written: The value, which is not in the output; null only if that is changed, too.
  ///   - room: The output, and memory for the work.
  /// - Throws: If the transform does not accept the value; what was appended is then of no use.
  func change(_ written: UnsafeBufferPointer<UInt8>, in room: TransformRoom) throws

  /// The type of its result for a value; null stays null.
  func output(_ source: OutputValue) -> OutputValue
}

extension OutputTransform {
  var changesNull: Bool { false }

  /// Appends what becomes of a value, which may be null, and is not in the output.
  ///
  /// - Throws: If the transform does not accept the value; what was appended is then of no use.
  func apply(to written: UnsafeBufferPointer<UInt8>, in room: TransformRoom) throws {
    if written.count > room.limits.capturedValue, WrittenValue(written).isContainer {
      throw ConversionFailure(
        expected: Limits.message(.capturedValue, room.limits.capturedValue), code: .limitExceeded)
    }
    if !changesNull, WrittenValue(written).isNull { return room.output.append(written) }
    try change(written, in: room)
  }

  /// What an explanation says of it; nil for code of the mapping's author.
  var explanation: String? {
    guard let name, !name.isEmpty else { return nil }
    return hasWayBack ? name : name + " (one way)"
  }
}

/// The operations of a transform in a plan for output records: its values are texts, so that only the change is asked for.
final class OutputOperations: ValueOperations, @unchecked Sendable {
  let transform: any OutputTransform

  init(_ transform: any OutputTransform) {
    self.transform = transform
    super.init(
      size: MemoryLayout<TextRange>.stride, alignment: MemoryLayout<TextRange>.alignment,
      isOptional: false)
  }
}

/// The output that transforms change, and memory that they share: one for each builder.
final class TransformRoom {
  let output: OutputBuffer
  let writer: JSONWriter
  /// What a feed may demand.
  var limits = Limits()
  let texts = TextRoom()
  /// For a value that is taken apart while it is written in another form.
  let copy = OutputBuffer()
  /// For the elements of a list.
  var elements: [ListTransform.Element] = []
  /// For what is in a value that wraps others.
  var containers: [Wrappers.Container] = []
  /// The most elements or containers whose memory is kept for the next value.
  static let mostKept = 1024
  /// For what paths select; made when it is needed.
  private(set) lazy var selection = FilterEvaluation(HeldValue(limit: limits.capturedValue))
  // PERF: the memory of a walk stays, since a path is followed in each record.
  private var walks: [(owner: ObjectIdentifier, walk: PathWalk)] = []
  /// Reads JSON in strings; made when it is needed.
  lazy var json = JSONInText(limits: limits)

  init(output: OutputBuffer, writer: JSONWriter) {
    self.output = output
    self.writer = writer
  }

  /// Follows the paths of a transform from the value that is held for ``selection``.
  ///
  /// - Parameters:
  ///   - paths: The paths.
  ///   - owner: The transform, which has the same paths each time.
  ///   - body: Gets each value that is selected, in the order of the document.
  /// - Throws: What `body` throws.
  func walk(
    _ paths: [[PathSegment]], of owner: SelectTransform, _ body: (PathWalk.Match) throws -> Void
  ) rethrows {
    let name = ObjectIdentifier(owner)
    let known = walks.firstIndex { $0.owner == name }
    if known == nil { walks.append((name, PathWalk(selection, paths))) }
    let number = known ?? walks.count - 1
    walks[number].walk.run(from: 0, Self.start)
    defer { walks[number].walk.clear() }
    for match in walks[number].walk.matches { try body(match) }
  }

  private static let start = [PathPosition(0)]

  /// Takes the value from `start` on out of the output; valid until the next one is taken.
  func take(from start: Int) -> UnsafeBufferPointer<UInt8> {
    copy.clear()
    copy.append(output.slice(start, output.count))
    output.truncate(to: start)
    return copy.bytes
  }
}

/// A function of the mapping's author on JSON values.
final class FunctionTransform: OutputTransform {
  let name: String?
  let hasWayBack: Bool
  let function: @Sendable (JSONValue) throws -> JSONValue
  /// What it makes, as far as is known.
  private let result: OutputValue

  init(
    name: String? = nil, hasWayBack: Bool = false, making result: OutputValue = .json,
    _ function: @escaping @Sendable (JSONValue) throws -> JSONValue
  ) {
    self.name = name
    self.hasWayBack = hasWayBack
    self.function = function
    self.result = result
  }

  var changesNull: Bool { true }

  func change(_ written: UnsafeBufferPointer<UInt8>, in room: TransformRoom) throws {
    let changed = try function(WrittenValue(written).json)
    room.writer.beginValue()
    changed.emit(to: room.writer)
  }
  func output(_ source: OutputValue) -> OutputValue { result }
}
